"""A constant exploration rate."""

from __future__ import annotations

import numpy as np

from hybandit.state import Floats


class Constant:
    """Rate ``alpha`` for every arm.

    Examples
    --------
    >>> nothing = np.zeros(2)
    >>> Constant(0.5).rates(nothing, nothing)
    array([0.5, 0.5])
    """

    def __init__(self, alpha: float) -> None:
        self.alpha = alpha
        self._rates = np.empty(0)

    def rates(self, counts: Floats, means: Floats) -> Floats:
        if len(self._rates) != len(counts):
            self._rates = np.full(len(counts), float(self.alpha))
        return self._rates
