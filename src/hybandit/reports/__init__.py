"""Tables, figures and pages: their contents as data, and how these look."""
