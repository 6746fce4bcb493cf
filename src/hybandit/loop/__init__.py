"""A live decision loop kept in a database."""

from hybandit.loop.backends import Backend
from hybandit.loop.database import Database
from hybandit.loop.loop import Loop
from hybandit.loop.loops import Loops
from hybandit.loop.parts import Parts
from hybandit.loop.request import RankedDecision
from hybandit.loop.status import Explanation, MeanInterval, Status, StoredModel
from hybandit.loop.storage import Storage
from hybandit.loop.verdict import Verdict

__all__ = [
    "Backend",
    "Database",
    "Explanation",
    "Loop",
    "Loops",
    "MeanInterval",
    "Parts",
    "RankedDecision",
    "Status",
    "Storage",
    "StoredModel",
    "Verdict",
]
