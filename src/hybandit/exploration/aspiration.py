"""Explore where less is expected than play earns of late."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from hybandit.errors import InvalidInput
from hybandit.state import COUNTS, DERIVED, Flags, Floats, Stateful


class Aspiration(Stateful):
    """Raises the scores of arms little tried nearby, where the best score falls short.

    A bonus that fades with an arm's pulls may leave an arm alone for good: where its
    contexts lie, all estimates are low, another arm has the largest and earns nothing.
    Aspiration compares what is expected here with what play earns:

    ``gap = max(0, m - max_a score_a) * clip(1 - q / m, 0, 1)``,
    ``score_a += gap / sqrt(1 + n_a)``,

    m the mean of the rewards received, weighted by ``decay`` to the power of their age, q
    the mean reward of the nearest past contexts whatever their arm, n_a how often arm a is
    among them. All three rewards (scores, m, q) are measured from `centre`, what play
    without knowledge earns: a shift of the rewards then changes nothing, nor does their
    unit. While play earns no more than the centre, nothing is raised.

    Where the same contexts come again and again, the nearest of them are the oldest, n_a
    never grows and aspiration never ends: it is for contexts that differ.

    Parameters
    ----------
    decay
        How much of its weight in m a reward keeps at the next one: above 0, below 1.

    Examples
    --------
    >>> aspiration = Aspiration()
    >>> for _ in range(20):
    ...     aspiration.learn(1.0)
    >>> scores, counts = np.array([0.2, 0.1]), np.array([15, 0])
    >>> aspiration.raised(scores, np.zeros(1), counts, np.array([True, True]))
    array([0.4, 0.9])
    """

    _arrays: ClassVar = ("total", "weight")
    _ranges: ClassVar = {"total": DERIVED, "weight": COUNTS}

    def __init__(self, decay: float = 0.99) -> None:
        if not 0.0 < decay < 1.0:
            raise InvalidInput("decay", "above 0 and below 1", decay)
        self.decay = decay
        # Rewards less `centre` at the time; their weights.
        self.total = np.zeros(1)
        self.weight = np.zeros(1)

    @property
    def recent(self) -> float:
        """m, what play earns of late, from the centre; 0 before any reward."""
        return float(self.total[0] / self.weight[0]) if self.weight[0] else 0.0

    def falls_short(self, scores: Floats, allowed: Flags, centre: float = 0.0) -> bool:
        """Whether the best score is less than what play earns: else nothing is raised."""
        recent = self.recent
        return recent > 0.0 and float(scores[allowed].max()) - centre < recent

    def raised(
        self,
        scores: Floats,
        nearby_mean: Floats,
        nearby_counts: Floats,
        allowed: Flags,
        centre: float = 0.0,
    ) -> Floats:
        """The scores with what aspiration adds; the same array where it adds nothing.

        `nearby_mean` has q once for all arms or, where each arm has its own context, once
        for each; `nearby_counts` has n_a.
        """
        if not self.falls_short(scores, allowed, centre):
            return scores
        recent = self.recent
        short = recent - (float(scores[allowed].max()) - centre)
        shares = np.clip(1.0 - (nearby_mean - centre) / recent, 0.0, 1.0)
        raised: Floats = scores + short * shares / np.sqrt(1.0 + nearby_counts)
        return raised

    def learn(self, reward: float, centre: float = 0.0) -> None:
        """One reward received, and the centre it is measured from."""
        self.total *= self.decay
        self.total += reward - centre
        self.weight *= self.decay
        self.weight += 1.0
