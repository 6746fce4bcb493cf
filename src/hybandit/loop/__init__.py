"""A live decision loop kept in a database."""

from hybandit.loop.loop import Loop
from hybandit.loop.request import RankedDecision
from hybandit.loop.status import Explanation, MeanInterval, Status

__all__ = ["Explanation", "Loop", "MeanInterval", "RankedDecision", "Status"]
