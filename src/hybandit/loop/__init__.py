"""A live decision loop kept in a database."""

from hybandit.loop.counts.status import Explanation, MeanInterval, Status, StoredModel
from hybandit.loop.counts.verdict import Verdict
from hybandit.loop.loop import Loop
from hybandit.loop.loops import Loops
from hybandit.loop.storage.backends import Backend
from hybandit.loop.storage.contract import Storage
from hybandit.loop.storage.database import Database
from hybandit.loop.verbs.parts import Parts
from hybandit.loop.verbs.request import RankedDecision

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
