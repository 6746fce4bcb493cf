"""A rate in the units of each arm's own prediction errors."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from hybandit.exploration.running_error import LARGEST, MEMORY
from hybandit.kernels.stack import SHRINKAGE
from hybandit.state import COUNTS, Floats, Stateful, with_row, without_row

# An arm's error counts as if it had also been as large as the rewards may be so often.
DOUBTS = 10.0


class ArmErrors(Stateful):
    """``2.5 alpha s_a sqrt(log(10 + t / k_a))``, s_a the error of predictions of arm a.

    Each arm keeps ``E = 0.998 E + e^2`` and ``W = 0.998 W + 1`` (both from 0) of its errors e in
    the unit of the rewards, and ``s^2 = (10 B^2 + E) / (10 + W)``, B about the largest reward known
    (`hybandit.estimators.reward_scale.RewardScale`): an arm that was tried a few times and paid
    nothing may still pay B now and then. t is the number of rewards, ``k_a = N_a + 5``. A `forget`
    below 0.998 replaces the 0.998.

    Examples
    --------
    >>> rate = ArmErrors(1, alpha=0.4)
    >>> rate.rates(np.zeros(1), unit=2.0).round(2)
    array([3.03])
    """

    _arrays: ClassVar = ("squares", "weights")
    _ranges: ClassVar = {"squares": (0.0, LARGEST), "weights": COUNTS}

    def __init__(self, n_arms: int, alpha: float = 0.3, *, forget: float | None = None) -> None:
        self.alpha = alpha
        self.memory = min(MEMORY, forget or 1.0)
        self.squares = np.zeros(n_arms)
        self.weights = np.zeros(n_arms)

    def rates(self, pulls: Floats, unit: float) -> Floats:
        variances = (DOUBTS * unit * unit + self.squares) / (DOUBTS + self.weights)
        doubts = np.log(10.0 + np.add.reduce(pulls) / (pulls + SHRINKAGE))
        out: Floats = 2.5 * self.alpha * np.sqrt(variances * doubts)
        return out

    def learn(self, arm: int, error: float) -> None:
        self.squares[arm] = min(self.memory * self.squares[arm] + error * error, LARGEST)
        self.weights[arm] = self.memory * self.weights[arm] + 1.0

    def add_arm(self) -> None:
        self.squares = with_row(self.squares, 0.0)
        self.weights = with_row(self.weights, 0.0)

    def drop_arm(self, arm: int) -> None:
        self.squares = without_row(self.squares, arm)
        self.weights = without_row(self.weights, arm)
