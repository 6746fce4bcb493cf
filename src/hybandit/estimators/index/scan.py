"""The nearest observations by measuring all."""

from __future__ import annotations

import numpy as np

from hybandit.estimators.index.protocol import Query
from hybandit.estimators.observations import Observations
from hybandit.kernels.neighbours import Neighbours, scan
from hybandit.state import Integers


class Scan:
    """An `Index` that keeps nothing and looks at everything.

    Examples
    --------
    >>> observations = Observations(n_features=1)
    >>> for position in (0.0, 5.0, 1.0):
    ...     _ = observations.append(np.array([position]), arm=0, reward=0.0)
    >>> Scan(observations).nearest_of_all(Query(np.array([[0.9]])), k=2).indices
    array([[2, 0]])
    """

    def __init__(self, observations: Observations) -> None:
        self._observations = observations

    def add(self, slot: int) -> None:
        """Nothing to keep."""

    def discard(self, slot: int) -> None:
        """Nothing to let go."""

    def nearest_of_each_arm(self, query: Query, ks: Integers) -> Neighbours:
        stored = self._observations
        return Neighbours(*scan(stored.entries, stored.size, query.contexts, ks, False))

    def nearest_of_all(self, query: Query, k: int) -> Neighbours:
        stored, ks = self._observations, np.array([k])
        return Neighbours(*scan(stored.entries, stored.size, query.contexts, ks, True))
