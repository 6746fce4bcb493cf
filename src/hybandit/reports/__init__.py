"""Tables, figures and pages, built from the store only."""
