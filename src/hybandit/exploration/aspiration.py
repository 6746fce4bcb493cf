"""Explore where less is expected than play earns of late."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from hybandit.errors import InvalidInput
from hybandit.state import COUNTS, DERIVED, Array, Floats, Stateful


class Aspiration(Stateful):
    """Raises the scores of arms little tried nearby, where the best score falls short.

    A bonus that fades with an arm's pulls may leave an arm alone for good: where its
    contexts lie, all estimates are low, another arm has the largest and earns nothing.
    Aspiration compares what is expected here with what play earns:

    ``gap = max(0, m - max_a score_a) * clip(1 - 2 q / m, 0, 1)``,
    ``score_a += gap / sqrt(1 + n_a)``,

    m the mean of the rewards received, weighted by ``decay`` to the power of their age, q
    the mean reward of the nearest past contexts whatever their arm, n_a how often arm a was
    tried nearby. Nothing is raised where the nearest earned half of what play earns, or
    while play earns nothing. Everywhere rewards are to be measured from what play without
    knowledge earns: a shift of the rewards then changes nothing, nor does their unit.

    Parameters
    ----------
    decay
        How much of its weight in m a reward keeps at the next one: above 0, below 1.

    Examples
    --------
    >>> aspiration = Aspiration()
    >>> for _ in range(20):
    ...     aspiration.learn(1.0)
    >>> scores, tries = np.array([0.2, 0.1]), np.array([15, 0])
    >>> scores + aspiration.gaps(0.2, nearby=np.zeros(1)) / np.sqrt(1 + tries)
    array([0.4, 0.9])
    """

    _arrays: ClassVar = ("total", "weight")
    _ranges: ClassVar = {"total": DERIVED, "weight": COUNTS}

    def __init__(self, decay: float = 0.99) -> None:
        if not 0.0 < decay < 1.0:
            raise InvalidInput("decay", "above 0 and below 1", decay)
        self.decay = decay
        self.total = np.zeros(1)
        self.weight = np.zeros(1)
        self._follow()

    def restore(self, arrays: dict[str, Array]) -> None:
        super().restore(arrays)
        self._follow()

    def _follow(self) -> None:
        """Keep at hand m; 0 before any reward."""
        self.recent = float(self.total[0] / self.weight[0]) if self.weight[0] else 0.0

    def gaps(self, best: float, nearby: Floats) -> Floats:
        """The gap, where `best` is the best score.

        `nearby` has q once for all arms or, where each arm has its own context, once for each.
        """
        if best >= self.recent or self.recent <= 0.0:
            return np.zeros_like(nearby)
        shares = np.clip(self.recent - 2.0 * nearby, 0.0, self.recent) / self.recent
        gaps: Floats = (self.recent - best) * shares
        return gaps

    def learn(self, reward: float) -> None:
        """One reward received."""
        self.total *= self.decay
        self.total += reward
        self.weight *= self.decay
        self.weight += 1.0
        self._follow()
