"""The typical size of recent prediction errors."""

from __future__ import annotations

import math
from typing import ClassVar

import numpy as np

from hybandit.state import COUNTS, Stateful

MEMORY = 0.998
# Keeps the scale finite when rewards are as large as they may be.
LARGEST = 1e200


class RunningError(Stateful):
    """``s = sqrt(E / W)``, with ``E = 0.998 E + e^2`` and ``W = 0.998 W + 1`` for each error e.

    E starts at 0.25 and W at 1, so that s is 0.5 before the first error.
    """

    _arrays: ClassVar = ("squares", "weights")
    _ranges: ClassVar = {"squares": (0.0, LARGEST), "weights": COUNTS}

    def __init__(self) -> None:
        self.squares = np.full(1, 0.25)
        self.weights = np.ones(1)

    @property
    def scale(self) -> float:
        """s, the typical error of a prediction."""
        return math.sqrt(self.squares[0] / self.weights[0])

    def learn(self, error: float) -> None:
        self.squares[0] = min(MEMORY * self.squares[0] + error * error, LARGEST)
        self.weights[0] = MEMORY * self.weights[0] + 1.0
