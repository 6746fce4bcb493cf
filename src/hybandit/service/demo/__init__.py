"""The demo: a shop with simulated visitors, a loop, and its rivals beside it."""
