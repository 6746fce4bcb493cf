"""Bayesian linear regression with unknown noise, one for each arm."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
import numpy.typing as npt

from hybandit.errors import ModelFileError
from hybandit.estimators.ridge import Ridge
from hybandit.state import COUNTS, POSITIVE, Array, Floats, Integers, Part


class BayesianRidge(Part):
    """Normal-inverse-gamma posterior of every arm's weights and noise.

    ``noise^2 ~ InvGamma(a, b)`` and ``weights ~ N(mu, noise^2 S^-1)`` with
    ``S = precision I + Z'Z``, ``mu = S^-1 Z'r``, ``a = a0 + n / 2`` and
    ``b = b0 + (r'r - mu'S mu) / 2``. The prediction for z is then a Student t with 2a
    degrees of freedom around z'mu, with scale ``sqrt(b / a) * sqrt(z' S^-1 z)``.

    Examples
    --------
    >>> regression = BayesianRidge(n_arms=1, n_features=1, precision=1.0)
    >>> regression.learn(np.array([[1.0]]), arm=0, reward=1.0)
    >>> regression.means(np.array([[1.0]])), regression.shapes, regression.rates
    (array([0.5]), array([6.5]), array([6.25]))
    """

    _arrays: ClassVar = ("shapes", "rates")
    _ranges: ClassVar = {"shapes": COUNTS, "rates": POSITIVE}
    _children: ClassVar = ("ridge",)

    def __init__(
        self,
        n_arms: int,
        n_features: int,
        *,
        precision: float = 0.25,
        a0: float = 6.0,
        b0: float = 6.0,
    ) -> None:
        self.a0, self.b0 = a0, b0
        self.ridge = Ridge(n_arms, n_features, reg=precision)
        self.shapes = np.full(n_arms, a0)
        self.rates = np.full(n_arms, b0)

    def means(self, features: Floats) -> Floats:
        """Z'mu of every arm; `features` is (1, h) for all arms or (n_arms, h)."""
        return self.ridge.values(features)

    def scales(self, features: Floats) -> Floats:
        """The scale of each arm's t."""
        scales: Floats = np.sqrt(self.rates / self.shapes) * self.ridge.widths(features)
        return scales

    def learn(self, features: Floats, arm: int, reward: float) -> None:
        error = reward - self.ridge.values(features)[arm]
        width = self.ridge.widths(features)[arm]
        self.ridge.learn(features, arm, reward)
        self.shapes[arm] += 0.5
        # The residual sum of squares grows by exactly this.
        self.rates[arm] += 0.5 * error * error / (1.0 + width * width)

    def refit(self, features: Floats, arms: Integers, rewards: Floats) -> None:
        """Start again and learn all of these: the features have changed."""
        for arm in range(len(self.shapes)):
            rows, targets = features[arms == arm], rewards[arms == arm]
            self.ridge.refit(arm, rows, targets)
            explained = self.ridge.weights[arm] @ (rows.T @ targets)
            self.shapes[arm] = self.a0 + 0.5 * len(targets)
            self.rates[arm] = self.b0 + 0.5 * max(targets @ targets - explained, 0.0)

    def restore(self, arrays: dict[str, Array]) -> None:
        super().restore(arrays)
        if (self.shapes < self.a0).any() or (self.rates < self.b0).any():
            raise ModelFileError("a noise posterior is weaker than its prior")

    def _new_rows(self) -> dict[str, npt.ArrayLike]:
        return {"shapes": self.a0, "rates": self.b0}
