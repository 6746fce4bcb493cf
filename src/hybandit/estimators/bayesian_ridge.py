"""Bayesian linear regression with unknown noise, one for each arm."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
import numpy.typing as npt

from hybandit.errors import ModelFileError
from hybandit.estimators.ridge import Ridge
from hybandit.state import COUNTS, POSITIVE, Array, Floats, Integers, Part

# The prior: S, a and b before any observation.
PRECISION, SHAPE, RATE = 0.25, 6.0, 6.0


class BayesianRidge(Part):
    """Normal-inverse-gamma posterior of every arm's weights and noise.

    ``noise^2 ~ InvGamma(a, b)`` and ``weights ~ N(mu, noise^2 S^-1)`` with
    ``S = I / 4 + Z'Z``, ``mu = S^-1 Z'r``, ``a = 6 + n / 2`` and
    ``b = 6 + (r'r - mu'S mu) / 2``. The prediction for z is then a Student t with 2a
    degrees of freedom around z'mu, with scale ``sqrt(b / a) * sqrt(z' S^-1 z)``.

    Examples
    --------
    >>> regression = BayesianRidge(n_arms=1, n_features=1)
    >>> regression.learn(np.array([[1.0]]), arm=0, reward=1.0)
    >>> regression.means(np.array([[1.0]])), regression.shapes, regression.rates
    (array([0.8]), array([6.5]), array([6.1]))
    """

    _arrays: ClassVar = ("shapes", "rates")
    _ranges: ClassVar = {"shapes": COUNTS, "rates": POSITIVE}
    _children: ClassVar = ("ridge",)

    def __init__(self, n_arms: int, n_features: int) -> None:
        self.ridge = Ridge(n_arms, n_features, reg=PRECISION)
        self.shapes = np.full(n_arms, SHAPE)
        self.rates = np.full(n_arms, RATE)

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
            self.shapes[arm] = SHAPE + 0.5 * len(targets)
            self.rates[arm] = RATE + 0.5 * max(targets @ targets - explained, 0.0)

    def restore(self, arrays: dict[str, Array]) -> None:
        super().restore(arrays)
        if (self.shapes < SHAPE).any() or (self.rates < RATE).any():
            raise ModelFileError("a noise posterior is weaker than its prior")

    def _new_rows(self) -> dict[str, npt.ArrayLike]:
        return {"shapes": SHAPE, "rates": RATE}
