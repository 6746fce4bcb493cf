"""An approximate index of the neighbour memory, by usearch."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from hybandit.errors import HybanditError
from hybandit.state import Floats, Integers

LARGEST = 1e15


class ApproximateIndex:
    """Graphs of near neighbours, one for each arm: fast anywhere, and now and then wrong.

    Takes the place of `NeighbourTree`. What it finds is measured and sorted exactly; what
    it misses is missed. `python benchmarks/recall.py` tells how much that is.
    """

    # The exact tree goes through its entries again when too many of them are far out.
    outgrown = False

    def __init__(
        self, contexts: Floats, owners: Integers, arrivals: Integers, slots: Integers
    ) -> None:
        self.size = len(slots)
        self._graphs: dict[int, Any] = {}
        for arm in np.unique(owners[slots]).tolist():
            own = slots[owners[slots] == arm]
            self._graph(arm, contexts.shape[1]).add(own, _single(contexts[own]))

    def add(self, contexts: Floats, arrivals: Integers, arm: int, slot: int) -> None:
        """Take in the memory's youngest entry, which is at `slot`."""
        self.size += 1
        self._graph(arm, contexts.shape[1]).add(slot, _single(contexts[slot]))

    def discard(self, arm: int, slot: int) -> None:
        """Let go of the entry at `slot`."""
        self.size -= 1
        self._graphs[arm].remove(slot)

    def search(
        self,
        contexts: Floats,
        owners: Integers,
        arrivals: Integers,
        queries: Floats,
        rooms: Integers,
        distances: Floats,
        indices: Integers,
        found: Integers,
        *,
        together: bool = False,
    ) -> bool:
        """Fill in each arm's nearest, as far as the graphs find them.

        If `together`, there is a row for each query, of the nearest whatever their arm.
        """
        for place, room in enumerate(rooms.tolist()):
            query = queries[place if len(queries) > 1 else 0]
            arms = self._graphs if together else (place,)
            slots = np.concatenate([self._near(arm, query, room) for arm in arms])
            squares = ((contexts[slots] - query) ** 2).sum(axis=1)
            order = np.lexsort((arrivals[slots], squares))[:room]
            found[place] = len(order)
            indices[place, : len(order)] = slots[order]
            distances[place, : len(order)] = squares[order]
        return True

    def _near(self, arm: int, query: Floats, room: int) -> Integers:
        graph = self._graphs.get(arm)
        if graph is None or room == 0 or not len(graph):
            return np.empty(0, np.int64)
        matches = graph.search(_single(query), min(room, len(graph)))
        slots: Integers = matches.keys.astype(np.int64)
        return slots

    def _graph(self, arm: int, n_features: int) -> Any:
        if arm not in self._graphs:
            self._graphs[arm] = graph_maker()(ndim=n_features, metric="l2sq", dtype="f32")
        return self._graphs[arm]


def _single(contexts: Floats) -> npt.NDArray[np.float32]:
    """In single precision, where squares of larger numbers would be infinite."""
    return np.clip(contexts, -LARGEST, LARGEST).astype(np.float32)


def graph_maker() -> Any:
    """Usearch's index, or an error that names the extra to install."""
    try:
        from usearch.index import Index
    except ImportError:
        raise HybanditError(
            "neighbours='approximate' needs usearch: pip install 'hybandit[ann]'"
        ) from None
    return Index
