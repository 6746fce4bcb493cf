"""A live decision loop kept in a database."""

from hybandit.loop.loop import Loop
from hybandit.loop.question import Decision
from hybandit.loop.status import Explanation, Rate, Status

__all__ = ["Decision", "Explanation", "Loop", "Rate", "Status"]
