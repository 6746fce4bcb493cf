"""Attention over past rewards."""

from __future__ import annotations

from hybandit.kernels.compiling import kernel
from hybandit.state import Floats


@kernel
def temporal(counts: Floats, means: Floats, alpha: float, kappa: float, out: Floats) -> None:
    """``alpha / (N + 1) * (kappa * g + (1 - kappa) * m)``, g the mean of all arms' m."""
    total = 0.0
    for arm in range(counts.shape[0]):
        total += means[arm]
    overall = total / counts.shape[0]
    for arm in range(counts.shape[0]):
        reward = kappa * overall + (1.0 - kappa) * means[arm]
        out[arm] = alpha / (counts[arm] + 1.0) * reward
