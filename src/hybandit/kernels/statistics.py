"""Running moments of rewards."""

from __future__ import annotations

from hybandit.kernels.compiling import kernel
from hybandit.state import Floats

# An arm whose observations weigh less than this in total counts as never pulled.
NOTHING = 1e-9


@kernel
def update(counts: Floats, means: Floats, squares: Floats, arm: int, reward: float) -> None:
    """Welford's step for one arm."""
    counts[arm] += 1.0
    before = reward - means[arm]
    means[arm] += before / counts[arm]
    squares[arm] += before * (reward - means[arm])


@kernel
def fade(counts: Floats, means: Floats, squares: Floats, arm: int, forget: float) -> None:
    """Multiply the weight of every observation of one arm by `forget`."""
    counts[arm] *= forget
    squares[arm] *= forget
    if counts[arm] < NOTHING:
        counts[arm] = 0.0
        means[arm] = 0.0
        squares[arm] = 0.0
