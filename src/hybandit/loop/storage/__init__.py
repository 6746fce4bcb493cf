"""Where a loop is kept: the contract of a storage, and the one in a SQL database."""
