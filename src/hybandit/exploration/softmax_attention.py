"""The attention of the paper's appendix."""

from __future__ import annotations

import numpy as np

from hybandit.state import Floats


class SoftmaxAttention:
    """``exp(-gamma N_a) / sum_b exp(-gamma N_b)``.

    The paper gives no value for gamma; ours is 0.1.

    Examples
    --------
    >>> attention = SoftmaxAttention(gamma=np.log(3))
    >>> attention.rates(np.array([1.0, 2.0]), np.zeros(2))
    array([0.75, 0.25])
    """

    def __init__(self, gamma: float = 0.1) -> None:
        self.gamma = gamma

    def rates(self, counts: Floats, means: Floats) -> Floats:
        shares = np.exp(-self.gamma * (counts - counts.min()))
        shares *= 1.0 / shares.sum()
        out: Floats = shares
        return out
