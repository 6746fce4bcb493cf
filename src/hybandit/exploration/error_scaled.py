"""A rate in the units of the model's own recent errors."""

from __future__ import annotations

import math
from typing import ClassVar

import numpy as np

from hybandit.state import COUNTS, Floats, Stateful, with_row, without_row

MEMORY = 0.998
# Keeps the scale finite when rewards are as large as they may be.
LARGEST = 1e200


class ErrorScaled(Stateful):
    """``alpha * 2 s / sqrt(N + 1)``, s the running root mean square of prediction errors.

    Each arm keeps ``E = 0.998 E + e^2`` and ``W = 0.998 W + 1`` (from 0.25 and 1), and
    ``s^2 = sum E / sum W``: noisy rewards are explored more, predictable ones less. A
    `forget` below 0.998 replaces the 0.998.

    Examples
    --------
    >>> rate = ErrorScaled(1, alpha=0.3)
    >>> rate.rates(np.zeros(1), np.zeros(1))
    array([0.3])
    """

    _arrays: ClassVar = ("squares", "weights")
    _ranges: ClassVar = {"squares": (0.0, LARGEST), "weights": COUNTS}

    def __init__(self, n_arms: int, alpha: float = 0.3, *, forget: float | None = None) -> None:
        self.alpha = alpha
        self.memory = min(MEMORY, forget or 1.0)
        self.squares = np.full(n_arms, 0.25)
        self.weights = np.ones(n_arms)

    @property
    def scale(self) -> float:
        """s, the typical error of a prediction."""
        return math.sqrt(np.add.reduce(self.squares) / np.add.reduce(self.weights))

    def rates(self, counts: Floats, means: Floats) -> Floats:
        # As `scale`, but without the call: this runs at every choice.
        scale = math.sqrt(np.add.reduce(self.squares) / np.add.reduce(self.weights))
        out: Floats = self.alpha * 2.0 * scale / np.sqrt(counts + 1.0)
        return out

    def learn(self, arm: int, error: float) -> None:
        self.squares[arm] = min(self.memory * self.squares[arm] + error * error, LARGEST)
        self.weights[arm] = self.memory * self.weights[arm] + 1.0

    def add_arm(self) -> None:
        self.squares = with_row(self.squares, 0.25)
        self.weights = with_row(self.weights, 1.0)

    def drop_arm(self, arm: int) -> None:
        self.squares = without_row(self.squares, arm)
        self.weights = without_row(self.weights, arm)
