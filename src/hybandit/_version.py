"""The version of hybandit, in one place."""

__version__ = "0.1.0"
