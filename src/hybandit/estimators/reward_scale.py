"""The centre and the unit of rewards, and the clipping of rewards that are far too large."""

from __future__ import annotations

import math
from typing import ClassVar

import numpy as np

from hybandit.state import COUNTS, INPUTS, POSITIVE, Array, Stateful

# The mean of this many rewards is the centre; the largest distance is the first bound.
FIRST = 10
# A reward beyond the bound raises it by this factor; others lower it, so that about one in
# 500 is beyond.
LIFT, SINK = 1.5, 0.002 * math.log(1.5)
# Rewards nearer to the centre than this part of the bound let it sink more slowly: most
# rewards may be equal, as where few contexts earn a click.
NEAR = 0.1
# A reward is learned in full up to so many bounds.
MOST = 10.0


class RewardScale(Stateful):
    """Rewards as ``c + B y``: c the mean of the first ten, B nearly as large as any ``|r - c|``.

    A model that learns y depends neither on a shift of the rewards nor on their unit. The
    first ten rewards, and more while all are equal, only widen B. Later a reward farther
    than B from c makes B 1.5 times as large, and one farther than 10 B is learned as ``c ± 10 B``;
    every other reward lowers B a little. So B follows the 99.8 % quantile of ``|r - c|``: one
    enormous reward has little effect, and if rewards become larger, they are soon learned in full.

    Parameters
    ----------
    centred
        If not, c stays 0.

    Examples
    --------
    >>> scale = RewardScale()
    >>> taken = [scale.taken(reward) for reward in [0.0, 2.0] * 5 + [1e6, 2.0]]
    >>> taken[-2:], float(scale.centre)
    ([21.0, 2.0], 1.0)
    """

    _arrays: ClassVar = ("count", "centres", "bounds")
    _ranges: ClassVar = {"count": COUNTS, "centres": INPUTS, "bounds": POSITIVE}

    def __init__(self, *, centred: bool = True) -> None:
        self.centred = centred
        self.count = np.zeros(1, np.int64)
        self.centres, self.bounds = np.zeros(1), np.zeros(1)
        self._follow()

    def restore(self, arrays: dict[str, Array]) -> None:
        super().restore(arrays)
        self._follow()

    def _follow(self) -> None:
        """Keep c as a plain number, and B, or 1 while all rewards have been equal."""
        self.centre = float(self.centres[0])
        self.unit = float(self.bounds[0]) or 1.0

    @property
    def settled(self) -> bool:
        """Whether c no longer changes."""
        return not self.centred or bool(self.count[0] >= FIRST)

    def taken(self, reward: float) -> float:
        """Take in one reward; returns the value to learn in its place."""
        bound, first = float(self.bounds[0]), not self.count[0]
        away = 0.0 if first and self.centred else reward - self.centre
        if self.count[0] < FIRST or bound == 0.0:
            self.bounds[0] = max(bound, abs(away))
        elif abs(away) > bound:
            reward = self.centre + math.copysign(min(abs(away), MOST * bound), away)
            self.bounds[0] = bound * LIFT
        else:
            self.bounds[0] = bound * (1.0 - SINK * min(1.0, abs(away) / (NEAR * bound)))
        if not self.settled:
            self.centres += (reward - self.centre) / (self.count[0] + 1)
        self.count += 1
        self._follow()
        return reward
