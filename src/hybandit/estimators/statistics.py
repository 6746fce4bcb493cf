"""Running statistics of every arm's rewards."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
import numpy.typing as npt

from hybandit.estimators.fading import Fading
from hybandit.kernels import statistics as kernels
from hybandit.state import COUNTS, INPUTS, POSITIVE, Floats, Part, check_arm


class ArmStatistics(Part):
    """Pulls N, mean m and population variance v of each arm's rewards.

    All are running (Welford's form) and m = v = 0 while N = 0. With `forget` observations
    fade as `Fading` says: N is the sum of their weights, m and v are weighted.

    Examples
    --------
    >>> statistics = ArmStatistics(2)
    >>> for reward in (1.0, 0.0, 0.0, 1.0):
    ...     statistics.learn(1, reward)
    >>> statistics.counts, statistics.means, statistics.variances
    (array([0., 4.]), array([0. , 0.5]), array([0.  , 0.25]))
    """

    _arrays: ClassVar = ("counts", "means", "squares")
    _ranges: ClassVar = {"counts": COUNTS, "means": INPUTS, "squares": POSITIVE}

    _children: ClassVar = ("fading",)

    def __init__(self, n_arms: int, *, forget: float | None = None) -> None:
        self.counts = np.zeros(n_arms)
        self.means = np.zeros(n_arms)
        self.squares = np.zeros(n_arms)
        self.fading = Fading(n_arms, forget)
        self._forget = forget

    @property
    def variances(self) -> Floats:
        return self.squares / np.where(self.counts > 0.0, self.counts, 1.0)

    def learn(self, arm: int, reward: float) -> None:
        check_arm(arm, len(self.counts))
        self.update(arm, reward)

    def update(self, arm: int, reward: float) -> None:
        """As `learn`, for an arm that has been checked."""
        if self._forget is not None:
            for each in self.fading.arms(arm):
                kernels.fade(self.counts, self.means, self.squares, each, self._forget)
        kernels.update(self.counts, self.means, self.squares, arm, reward)

    def _new_rows(self) -> dict[str, npt.ArrayLike]:
        return dict.fromkeys(self._arrays, 0.0)
