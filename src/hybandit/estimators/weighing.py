"""Two models weighed by their recent errors."""

from __future__ import annotations

import math
from typing import ClassVar

import numpy as np

from hybandit.state import COUNTS, POSITIVE, Array, Stateful

MEMORY = 0.998
# Keeps sums of squared errors finite when rewards are as large as they may be.
LARGEST = 1e250
# From which lead on, as the logarithm of a ratio of chances, the second model is ahead, and sure.
AHEAD, SURE = 1.0, 8.0
# After so many rewards, as far as they still count, the first model has begun.
BEGUN = 200.0


class Weighing(Stateful):
    """How far a second model is to be believed beside a first, by what both got wrong lately.

    At each reward ``L_k = 0.998 L_k + e_k^2`` and ``W = 0.998 W + 1``, with errors e taken before
    the reward was learned. The weight of a model is proportional to
    ``exp(-(L_k - min L) / (2 v))``, ``v = min L / W``.

    `ahead` is for how many rewards the second model has been ahead, with ``e`` times the weight of
    the first, if it overtook the first and that is no chance: if once in that time it had
    ``exp(8)`` times its weight. One that was ahead from the start, as the first had still to
    learn, has not overtaken.

    Examples
    --------
    >>> weighing = Weighing()
    >>> weighing.share
    0.5
    >>> for _ in range(300):
    ...     weighing.learn(first=0.1, second=0.11)
    >>> for _ in range(60):
    ...     weighing.learn(first=0.2, second=0.1)
    >>> weighing.share > 0.99, weighing.ahead
    (True, 44)
    """

    _arrays: ClassVar = ("losses", "rounds", "streak", "largest", "led")
    _ranges: ClassVar = {
        "losses": POSITIVE, "rounds": COUNTS, "streak": COUNTS, "largest": POSITIVE, "led": (0, 1),
    }  # fmt: skip

    def __init__(self) -> None:
        self.losses = np.zeros(2)
        self.rounds = np.zeros(1)
        # For how many rewards the second has been ahead, and its largest lead in that time.
        self.streak = np.zeros(1, np.int64)
        self.largest = np.zeros(1)
        # 1 as soon as the second was not ahead, after the first had begun.
        self.led = np.zeros(1, np.int64)
        self._follow()

    @property
    def ahead(self) -> int | None:
        return int(self.streak[0]) if self.largest[0] > SURE else None

    def learn(self, first: float, second: float) -> None:
        """Take in the errors of both at one reward."""
        self.losses *= MEMORY
        self.losses += first * first, second * second
        np.minimum(self.losses, LARGEST, out=self.losses)
        self.rounds *= MEMORY
        self.rounds += 1.0
        self._follow()
        if self.lead <= AHEAD:
            self.streak[0], self.largest[0] = 0, 0.0
            self.led[0] |= int(self.rounds[0] >= BEGUN)
        elif self.led[0]:
            self.streak[0] += 1
            self.largest[0] = min(max(self.largest[0], self.lead), LARGEST)

    def restore(self, arrays: dict[str, Array]) -> None:
        super().restore(arrays)
        self._follow()

    def _follow(self) -> None:
        first, second = self.losses.tolist()
        unit = 2.0 * min(first, second) / max(self.rounds[0], 1.0)
        # By how much the second is ahead, as the logarithm of a ratio of chances.
        self.lead = (first - second) / max(unit, 1e-300)
        # The weight of the second model.
        self.share = 1.0 / (1.0 + math.exp(min(max(-self.lead, -700.0), 700.0)))
