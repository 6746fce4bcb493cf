"""A random rate: Thompson sampling in units of the width."""

from __future__ import annotations

import numpy as np

from hybandit.exploration.softmax_attention import SoftmaxAttention
from hybandit.state import Floats


class NormalDraws:
    """``bonus + v * z`` with a fresh standard normal z for each arm.

    Parameters
    ----------
    attention
        If given, v is also scaled by the number of arms times each arm's attention.

    Examples
    --------
    >>> draws = NormalDraws(np.random.default_rng(0), v=0.0, bonus=2.0)
    >>> draws.rates(np.zeros(2), np.zeros(2))
    array([2., 2.])
    """

    def __init__(
        self,
        generator: np.random.Generator,
        *,
        v: float = 1.0,
        bonus: float = 0.0,
        attention: SoftmaxAttention | None = None,
    ) -> None:
        self.v = v
        self.bonus = bonus
        self.attention = attention
        self._generator = generator

    def spreads(self, counts: Floats, means: Floats) -> Floats | float:
        """The sd of each arm's rate."""
        if self.attention is None:
            return self.v
        spreads: Floats = self.v * len(counts) * self.attention.rates(counts, means)
        return spreads

    def rates(self, counts: Floats, means: Floats) -> Floats:
        rates = self._generator.standard_normal(len(counts))
        # Each short array operation costs much beside a decision: skip those without effect.
        if self.attention is not None:
            rates *= self.spreads(counts, means)
        elif self.v != 1.0:
            rates *= self.v
        if self.bonus:
            rates += self.bonus
        return rates
