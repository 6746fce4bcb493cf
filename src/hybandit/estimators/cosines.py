"""Random cosine features: a smooth nonlinear view that a ridge can learn."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from hybandit.kernels import cosines as kernels
from hybandit.state import Floats, Stateful

COSINES = 128


class RandomCosines(Stateful):
    """``z = [x, phi(x)]`` with ``phi_j = sqrt(2/m) cos(w_j'x + b_j)``.

    The directions w ~ N(0, I) and offsets b ~ U[0, 2 pi) are drawn once, so that a linear
    model on phi approximates a Gaussian kernel of unit width: contexts should be about
    unit length.

    Examples
    --------
    >>> cosines = RandomCosines(3, np.random.default_rng(0), count=128)
    >>> cosines.extend(np.zeros((1, 3))).shape
    (1, 131)
    """

    _arrays: ClassVar = ("directions", "offsets")
    # Normal draws, and angles.
    _ranges: ClassVar = {"directions": (-100.0, 100.0), "offsets": (-10.0, 10.0)}

    def __init__(
        self, n_features: int, generator: np.random.Generator, count: int = COSINES
    ) -> None:
        self.directions = generator.normal(size=(count, n_features))
        self.offsets = generator.uniform(0.0, 2.0 * np.pi, count)

    def extend(self, contexts: Floats) -> Floats:
        """Every row followed by its cosine features."""
        count, n_features = self.directions.shape
        out = np.empty((len(contexts), n_features + count))
        kernels.extend(contexts, self.directions, self.offsets, out)
        return out
