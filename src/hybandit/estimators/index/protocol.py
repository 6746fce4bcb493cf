"""What every index must offer."""

from __future__ import annotations

from typing import Protocol

from hybandit.estimators.index.projection import Projection
from hybandit.kernels.neighbours import Neighbours
from hybandit.kernels.tree_search import Projected
from hybandit.state import Floats, Integers


class Query:
    """Contexts to find neighbours of: one row for all arms, or one for each.

    Keeps what an index has computed for them, for the next search.
    """

    __slots__ = ("contexts", "projected", "projection")

    def __init__(self, contexts: Floats) -> None:
        self.contexts = contexts
        self.projection: Projection | None = None
        self.projected: Projected


class Index(Protocol):
    """Finds the observations nearest to a query; among equally near ones the older comes first.

    It is informed of every new observation after it is stored, and of every removal before.
    """

    def add(self, slot: int) -> None:
        """Add the newest entry."""

    def discard(self, slot: int) -> None:
        """Remove an entry."""

    def nearest_of_each_arm(self, query: Query, ks: Integers) -> Neighbours:
        """The ``ks[a]`` entries of arm a nearest to its query, in a row for each arm."""

    def nearest_of_all(self, query: Query, k: int) -> Neighbours:
        """The k entries nearest to each query whatever their arm, in a row for each query."""
