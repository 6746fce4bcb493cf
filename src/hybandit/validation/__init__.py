"""Settings and checks of arguments: what a caller may give, and what is said if it is refused."""
