"""Running moments of rewards."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from hybandit.kernels.compiling import kernel

Floats = npt.NDArray[np.float64]


@kernel
def update(counts: Floats, means: Floats, squares: Floats, arm: int, reward: float) -> None:
    """Welford's step for one arm."""
    counts[arm] += 1.0
    before = reward - means[arm]
    means[arm] += before / counts[arm]
    squares[arm] += before * (reward - means[arm])
