"""A rate in the units of each arm's own prediction errors."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
import numpy.typing as npt

from hybandit.exploration.running_error import LARGEST
from hybandit.kernels.stack import SHRINKAGE
from hybandit.state import COUNTS, POSITIVE, Floats, Part

# An arm's error counts as if it had also been as large as the rewards may be so often.
DOUBTS = 3.0
# An arm all of whose rewards were the same may pay so many times the largest reward known.
SURPRISE = 10.0


class ArmErrors(Part):
    """``2.5 alpha s_a sqrt(log(10 + t / k_a))``, s_a the error of predictions of arm a.

    ``s^2 = (3 B_a^2 + E) / (3 + W)``, E the sum of the squares of the arm's W errors e. B_a is B,
    about the largest reward known (`hybandit.estimators.reward_scale.RewardScale`), or the arm's
    largest error ``M = max |e|`` if that is more: of rare large rewards a few more may be due.
    Where contexts tell nothing (`plain`), B_a is 10 B for an arm whose rewards were all the same:
    it may pay more than any other, now and then. t is the number of rewards, ``k_a = N_a + 5``.
    With `forget`, E, W and M fade by it at every reward of the arm.

    Examples
    --------
    >>> rate = ArmErrors(1, alpha=0.4)
    >>> rate.rates(np.zeros(1), np.zeros(1), unit=2.0, plain=False).round(2)
    array([3.03])
    """

    _arrays: ClassVar = ("squares", "weights", "peaks")
    _ranges: ClassVar = {"squares": (0.0, LARGEST), "weights": COUNTS, "peaks": POSITIVE}

    def __init__(self, n_arms: int, alpha: float = 0.3, *, forget: float | None = None) -> None:
        self.alpha = alpha
        self.memory = forget or 1.0
        self.squares = np.zeros(n_arms)
        self.weights = np.zeros(n_arms)
        self.peaks = np.zeros(n_arms)

    def _new_rows(self) -> dict[str, npt.ArrayLike]:
        return dict.fromkeys(self._arrays, 0.0)

    def rates(self, pulls: Floats, spreads: Floats, unit: float, *, plain: bool) -> Floats:
        """The rate of every arm; a spread of 0 means that all rewards of the arm were the same."""
        largest = np.maximum(unit, self.peaks)
        if plain:
            largest[spreads == 0.0] = SURPRISE * unit
        variances = (DOUBTS * largest * largest + self.squares) / (DOUBTS + self.weights)
        doubts = np.log(10.0 + np.add.reduce(pulls) / (pulls + SHRINKAGE))
        out: Floats = 2.5 * self.alpha * np.sqrt(variances * doubts)
        return out

    def learn(self, arm: int, error: float) -> None:
        self.squares[arm] = min(self.memory * self.squares[arm] + error * error, LARGEST)
        self.weights[arm] = self.memory * self.weights[arm] + 1.0
        self.peaks[arm] = max(self.memory * self.peaks[arm], abs(error))
