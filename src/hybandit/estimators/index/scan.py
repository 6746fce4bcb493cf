"""A search that measures all observations."""

from __future__ import annotations

import numpy as np

from hybandit.estimators.index.query import Query
from hybandit.estimators.observations import Observations
from hybandit.kernels import neighbours as kernels
from hybandit.kernels.neighbours import Neighbours, empty_lists
from hybandit.state import Floats, Integers


class Scan:
    """Keeps nothing and looks at everything."""

    def __init__(self, observations: Observations) -> None:
        self._observations = observations

    def nearest_of_each_arm(self, query: Query, ks: Integers) -> Neighbours:
        stored = self._observations
        near = empty_lists(len(ks), min(int(np.maximum.reduce(ks)), stored.size))
        kernels.scan(stored.entries, stored.size, query.contexts, ks, near)
        return near

    def nearest_of_all(self, query: Query, k: int) -> Neighbours:
        stored = self._observations
        k = min(k, stored.held)
        near = empty_lists(len(query.contexts), k)
        near.found[:] = k
        squares = np.empty(stored.size)
        for row in range(len(query.contexts) if k else 0):
            kernels.measure(stored.entries, query.contexts, row, squares)
            farthest = np.partition(squares, k - 1)[k - 1]
            slots = np.flatnonzero(squares <= farthest)
            order = slots[_ranked(squares[slots], stored.entries.arrivals[slots])[:k]]
            near.indices[row, :k], near.distances[row, :k] = order, squares[order]
        return near


def _ranked(distances: Floats, arrivals: Integers) -> Integers:
    """The order: nearest first, among equally near ones the least arrival."""
    order = np.argsort(distances)
    ranked = distances[order]
    if (ranked[1:] == ranked[:-1]).any():
        order = np.lexsort((arrivals, distances))
    return order
