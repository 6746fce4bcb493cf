"""The typical distance between contexts."""

from __future__ import annotations

import math
from typing import ClassVar

import numpy as np

from hybandit.state import COUNTS, POSITIVE, Floats, Stateful


class TypicalDistance(Stateful):
    """The root mean squared distance between two of the contexts seen so far.

    Examples
    --------
    >>> typical = TypicalDistance(n_features=1)
    >>> for position in (0.0, 2.0):
    ...     typical.observe(np.array([position]))
    >>> round(typical.value, 3)
    2.0
    """

    _arrays: ClassVar = ("count", "centre", "squares")
    _ranges: ClassVar = {"count": COUNTS, "squares": POSITIVE}

    def __init__(self, n_features: int) -> None:
        self.count = np.zeros(1)
        self.centre = np.zeros(n_features)
        self.squares = np.zeros(1)

    @property
    def value(self) -> float:
        """0 until two contexts differ."""
        pairs = self.count[0] - 1.0
        return math.sqrt(2.0 * self.squares[0] / pairs) if pairs > 0.0 else 0.0

    def observe(self, context: Floats) -> None:
        self.count += 1.0
        before = context - self.centre
        self.centre += before / self.count[0]
        # Never below 0, whatever rounding does to the centre.
        self.squares += (before @ before) * (1.0 - 1.0 / self.count[0])
