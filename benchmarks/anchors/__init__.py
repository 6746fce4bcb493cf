"""Anchors from outside: what Vowpal Wabbit makes of the same rows when it sees every label."""
