"""What is counted of a loop, and what its counts tell: status, history, verdict."""
