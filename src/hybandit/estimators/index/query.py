"""What is asked of an index."""

from __future__ import annotations

from hybandit.estimators.index.projection import Projection
from hybandit.kernels.tree_search import Projected
from hybandit.state import Floats


class Query:
    """Contexts to find neighbours of: one row for all arms, or one for each.

    Keeps what an index has computed for them, for the next search.
    """

    __slots__ = ("contexts", "projected", "projection")

    def __init__(self, contexts: Floats) -> None:
        self.contexts = contexts
        self.projection: Projection | None = None
        self.projected: Projected
