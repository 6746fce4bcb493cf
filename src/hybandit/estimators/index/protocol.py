"""What every index can do."""

from __future__ import annotations

from typing import Protocol

from hybandit.estimators.index.projection import Projection
from hybandit.kernels.neighbours import Neighbours
from hybandit.kernels.tree_search import Projected
from hybandit.state import Floats, Integers


class Query:
    """Contexts to find neighbours of: one row for all arms, or one for each.

    Keeps what an index has worked out about them, for the next question.
    """

    __slots__ = ("contexts", "projected", "projection")

    def __init__(self, contexts: Floats) -> None:
        self.contexts = contexts
        self.projection: Projection | None = None
        self.projected: Projected


class Index(Protocol):
    """Finds the observations nearest to a query, nearest first, the older first among equals.

    It is told of every one that comes, when it is in its slot, and of every one that goes,
    while it still is.
    """

    def add(self, slot: int) -> None:
        """Take in the youngest entry."""

    def discard(self, slot: int) -> None:
        """Let go of an entry."""

    def nearest_of_each_arm(self, query: Query, ks: Integers) -> Neighbours:
        """The ``ks[a]`` entries of arm a nearest to its query, in a row for each arm."""

    def nearest_of_all(self, query: Query, k: int) -> Neighbours:
        """The k entries nearest to each query whatever their arm, in a row for each query."""
