"""The plain model beside the stack: an arm's mean reward and a share of its linear estimate."""

from __future__ import annotations

import math
from typing import ClassVar

import numpy as np

from hybandit.estimators.ridge import Ridge
from hybandit.state import COUNTS, POSITIVE, Stateful

# How much more likely the stack is before any reward, as a logarithm.
AHEAD = 3.0
# A weight nearer than this to 0 or 1 counts as 0 or 1: the other model is then not asked.
LEAST = 1e-3
# Keeps sums of squared errors finite when rewards are as large as they may be.
LARGEST = 1e250


class Plain(Stateful):
    """``mean_a + share (linear_a - mean_a)``, and how far it is to be believed.

    mean_a is the arm's shrunken mean reward and linear_a its linear estimate, both as `Stack`
    has them. The share is that of the least squares
    ``sum (r - mean_a - share (linear_a - mean_a))^2 + B^2 (share - 0.5)^2`` over all arms, each
    estimate taken before its reward was learned: where contexts tell nothing it falls towards 0,
    and the arms' means remain.

    `weight` compares the two models by their errors, each taken before the reward was learned:
    ``w = 1 / (1 + exp(3 + (L_plain - L_stack) / (2 v)))`` with L the sums of squared errors and
    ``v = (B^2 / 4 + min L) / (1 + rounds)``. Below 0.001 it counts as 0, above 0.999 as 1.

    With `forget` all sums fade at every reward.

    Examples
    --------
    >>> plain = Plain()
    >>> plain.weight(1.0) < 0.05
    True
    >>> for _ in range(10):
    ...     plain.weigh(stacked=0.9, own=0.1)
    >>> plain.weight(1.0)
    1.0
    """

    _arrays: ClassVar = ("losses", "rounds")
    _ranges: ClassVar = {"losses": POSITIVE, "rounds": COUNTS}
    _children: ClassVar = ("slope",)

    def __init__(self, *, forget: float | None = None) -> None:
        self.slope = Ridge(1, 1, reg=1.0, prior=np.array([0.5]), forget=forget)
        # Of the stack and of this model.
        self.losses = np.zeros(2)
        self.rounds = np.zeros(1)
        self._memory = forget or 1.0

    @property
    def share(self) -> float:
        return float(self.slope.weights[0, 0])

    @property
    def trust(self) -> float:
        """The share, from 0 to 1."""
        return min(max(self.share, 0.0), 1.0)

    def weight(self, unit: float) -> float:
        """The weight of this model, from 0 to 1; `unit` is B."""
        stacked, own = self.losses.tolist()
        variance = (0.25 * unit * unit + min(stacked, own)) / (1.0 + self.rounds[0])
        behind = AHEAD + (own - stacked) / max(2.0 * variance, 1e-300)
        weight = 1.0 / (1.0 + math.exp(min(behind, 700.0)))
        if weight < LEAST:
            return 0.0
        return 1.0 if weight > 1.0 - LEAST else weight

    def weigh(self, stacked: float, own: float) -> None:
        """Take in the errors of both models at one reward."""
        self.losses *= self._memory
        self.losses += stacked * stacked, own * own
        np.minimum(self.losses, LARGEST, out=self.losses)
        self.rounds *= self._memory
        self.rounds += 1.0

    def learn(self, mean: float, linear: float, reward: float, unit: float) -> None:
        """Learn the share from a reward and both estimates before it; `unit` is B."""
        self.slope.update(np.array([[(linear - mean) / unit]]), 0, (reward - mean) / unit)
