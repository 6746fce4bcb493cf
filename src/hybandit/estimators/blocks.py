"""Stored contexts once more, in the form that is scanned fastest."""

from __future__ import annotations

import numpy as np

from hybandit.kernels import blocks as kernels
from hybandit.state import Floats, Integers


class Blocks:
    """Contexts in single precision, side by side, and the nearest of all of them.

    What is found is exact: single precision only rules out what is clearly too far. `slots`
    are the memory's, whose contexts and arrivals every search is given.
    """

    def __init__(self, contexts: Floats, slots: Integers) -> None:
        self._blocks = np.empty((0, contexts.shape[1], kernels.LANES), np.float32)
        self._reserve(len(contexts))
        self._longest = kernels.put(self._blocks, slots, contexts)

    def put(self, contexts: Floats, slot: int) -> None:
        if slot >= len(self._blocks) * kernels.LANES:
            self._reserve(2 * slot)
        length = kernels.put(self._blocks, np.array([slot]), contexts)
        self._longest = max(self._longest, length)

    def discard(self, slot: int) -> None:
        self._blocks[slot // kernels.LANES, :, slot % kernels.LANES] = np.nan

    def search(
        self,
        contexts: Floats,
        arrivals: Integers,
        size: int,
        queries: Floats,
        distances: Floats,
        indices: Integers,
        found: Integers,
    ) -> bool:
        """Fill in the slots nearest to each query, or return False where numbers are too large."""
        log = (self._blocks, contexts, arrivals, size)
        return kernels.nearest(*log, queries, self._longest, distances, indices, found)

    def _reserve(self, slots: int) -> None:
        wanted = max(1, -(-slots // kernels.LANES))
        more = np.full((wanted - len(self._blocks), *self._blocks.shape[1:]), np.nan, np.float32)
        self._blocks = np.concatenate([self._blocks, more])
