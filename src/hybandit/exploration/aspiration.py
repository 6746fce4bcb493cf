"""Exploration where the expected reward is below what was earned recently."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from hybandit.errors import InvalidInput
from hybandit.state import COUNTS, DERIVED, Array, Floats, Stateful


class Aspiration(Stateful):
    """Raises the scores of arms that were rarely tried nearby, where the best score is low.

    With a bonus that fades with an arm's pulls, a good arm may never be found: in its region
    all estimates are low, and another arm has the largest one and earns nothing. Aspiration
    compares the expected reward here with the recent mean reward:

    ``gap = max(0, m - max_a score_a) * clip(1 - 2 q / m, 0, 1)``,
    ``score_a += gap / sqrt(1 + n_a)``,

    where m is the mean of the rewards received, weighted by ``decay`` to the power of their
    age, q the mean reward of the nearest past contexts of all arms, and n_a how often arm a
    was tried nearby. Where each arm has its own context, q is the largest of the arms' q: the gap
    belongs to the round. Nothing is raised where the nearest contexts earned at least half of m,
    or while m is not positive. Rewards must be measured from the mean reward of uninformed
    play: then neither a shift of the rewards nor their unit changes a choice.

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
    >>> scores + aspiration.gap(0.2, nearby=np.zeros(1)) / np.sqrt(1 + tries)
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
        """Keep m as a plain number; 0 before any reward."""
        self.recent = float(self.total[0] / self.weight[0]) if self.weight[0] else 0.0

    def gap(self, best: float, nearby: Floats) -> float:
        """The gap, given the best score.

        `nearby` holds one q for all arms, or one for each where each arm has its own context.
        """
        if best >= self.recent or self.recent <= 0.0:
            return 0.0
        largest = float(np.maximum.reduce(nearby))
        share = min(max(self.recent - 2.0 * largest, 0.0), self.recent) / self.recent
        return (self.recent - best) * share

    def learn(self, reward: float) -> None:
        """One reward received."""
        self.total *= self.decay
        self.total += reward
        self.weight *= self.decay
        self.weight += 1.0
        self._follow()
