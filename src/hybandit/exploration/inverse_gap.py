"""Exploration by the distance of each score to the best."""

from __future__ import annotations

import math
from typing import ClassVar

import numpy as np

from hybandit.exploration.running_error import RunningError
from hybandit.state import COUNTS, Floats, Stateful


class InverseGap(Stateful):
    """``p_i = 1 / (n + g (best - value_i))``, and the best gets the remaining probability.

    ``g = strength * sqrt(t) / s`` for t rewards learned, s the running root mean square of the
    prediction errors (`RunningError`): a gap is measured in units of the model's errors and
    weighs more the more was learned. Before the first reward all are equally likely.

    References
    ----------
    Foster, Rakhlin (2020). Beyond UCB: optimal and efficient contextual bandits with regression
    oracles. ICML.

    Examples
    --------
    >>> gap = InverseGap(strength=50.0)
    >>> gap.probabilities(np.array([0.1, 0.9]))
    array([0.5, 0.5])
    >>> gap.learn(0.5)
    >>> gap.probabilities(np.array([0.1, 0.9])).round(3)
    array([0.012, 0.988])
    """

    _arrays: ClassVar = ("learned",)
    _ranges: ClassVar = {"learned": COUNTS}
    _children: ClassVar = ("errors",)

    def __init__(self, strength: float) -> None:
        self.strength = strength
        self.learned = np.zeros(1)
        self.errors = RunningError()

    def probabilities(self, values: Floats) -> Floats:
        best = int(values.argmax())
        # With errors of 0 every gap is infinite in their units, except a gap of 0.
        scale = max(self.errors.scale, np.finfo(np.float64).tiny)
        gaps = self.strength * math.sqrt(self.learned[0]) * ((values[best] - values) / scale)
        shares: Floats = 1.0 / (len(values) + np.minimum(gaps, np.finfo(np.float64).max))
        shares[best] = 0.0
        shares[best] = 1.0 - shares.sum()
        return shares

    def learn(self, error: float) -> None:
        self.errors.learn(error)
        self.learned += 1.0
