"""What a loop can do: the bases of `Loop`, and what only they use."""
