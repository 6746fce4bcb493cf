"""A live decision loop kept in a database."""

from hybandit.loop.journal import ItemLog, judged
from hybandit.loop.loop import Loop
from hybandit.loop.question import Decision
from hybandit.loop.status import Explanation, Rate, Status

__all__ = ["Decision", "Explanation", "ItemLog", "Loop", "Rate", "Status", "judged"]
