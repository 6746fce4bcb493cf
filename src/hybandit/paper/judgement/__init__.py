"""What the paper prints, and what the runs say of it."""
