"""What the service carries, and what it costs."""
