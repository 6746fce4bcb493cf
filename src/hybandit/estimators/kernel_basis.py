"""Kernel regression within the span of a fixed set of points, at a fixed cost per reward."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from hybandit.estimators.ridge import Ridge
from hybandit.state import DERIVED, Floats, Stateful

# Directions with an eigenvalue below this share of the largest are left out.
SMALLEST = 1e-10


class KernelBasis(Stateful):
    """Kernel ridge regression within the span of kept points (subset of regressors).

    With ``K = Q E Q'`` the kernel matrix of the kept points, a context whose kernel vector
    is k has the features ``phi = E^-1/2 Q' k``; a ridge on these is the regression. With only
    the kept points learned it equals the full kernel regression; each later observation costs
    the square of their number. Directions that phi does not span keep their variance, which is
    ``1 - |phi|^2 + lam phi' S^-1 phi``.

    Examples
    --------
    >>> basis = KernelBasis(1, lam=1.0)
    >>> basis.take(np.ones((1, 1)), np.array([1.0]))
    >>> basis.means_and_variances(np.ones((1, 1)))
    (array([0.5]), array([0.5]))
    >>> basis.learn(np.ones((1, 1)), 1.0)
    >>> basis.means_and_variances(np.ones((1, 1)))[0].round(3)
    array([0.667])
    """

    _arrays: ClassVar = ("projection",)
    _ranges: ClassVar = {"projection": DERIVED}
    _children: ClassVar = ("ridge",)

    def __init__(self, size: int, *, lam: float) -> None:
        self.lam = lam
        self.projection = np.zeros((size, size))
        self.ridge = Ridge(1, size, reg=lam)

    @property
    def size(self) -> int:
        """How many points it is made of."""
        return len(self.projection)

    def take(self, kernel: Floats, rewards: Floats) -> None:
        """Start with the kernel matrix of the kept points and their rewards."""
        values, vectors = np.linalg.eigh(kernel)
        roots = np.sqrt(np.where(values > SMALLEST * values[-1], values, np.inf))
        self.projection = np.ascontiguousarray((vectors / roots).T)
        # phi of the kept points is Q E^1/2: their S is diagonal.
        spanned = np.where(np.isfinite(roots), values, 0.0)
        self.ridge.scales[0] = 1.0 / (self.lam + spanned)
        moment = np.where(np.isfinite(roots), roots, 0.0) * (vectors.T @ rewards)
        self.ridge.weights[0] = moment / (self.lam + spanned)

    def means_and_variances(self, similarities: Floats) -> tuple[Floats, Floats]:
        """For contexts given by their similarities to the kept points, one in each row."""
        features = similarities @ self.projection.T
        means, widths = self.ridge.values_and_widths(features)
        outside = 1.0 - np.einsum("ij,ij->i", features, features)
        variances = np.maximum(outside, 0.0) + self.lam * widths[:, 0] ** 2
        return means[:, 0], variances

    def learn(self, similarities: Floats, reward: float) -> None:
        """Learn one observation, given by its similarities, (1, size)."""
        self.ridge.learn(similarities @ self.projection.T, 0, reward)
