"""The paper's Algorithm 3."""

from __future__ import annotations

import numpy as np

from hybandit.kernels import attention as kernels
from hybandit.state import Floats


class TemporalAttention:
    """``alpha / (N + 1) * (kappa * g + (1 - kappa) * m)``.

    N and m are the arm's pulls and mean reward (local attention), g the average of all
    arms' means, an arm never pulled counting 0 (global attention). With a rate falling as
    1 / N exploration dies out fast: an arm that pays nothing at first may be left for good.

    Examples
    --------
    >>> attention = TemporalAttention(alpha=1.0, kappa=0.5)
    >>> attention.rates(np.array([3.0, 0.0]), np.array([0.8, 0.0]))
    array([0.15, 0.2 ])
    """

    def __init__(self, alpha: float = 1.0, kappa: float = 0.5) -> None:
        self.alpha = alpha
        self.kappa = kappa

    def rates(self, counts: Floats, means: Floats) -> Floats:
        out = np.empty(len(counts))
        kernels.temporal(counts, means, self.alpha, self.kappa, out)
        return out
