"""Features of a context and an item together."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from hybandit.kernels.compiling import kernel

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]


@kernel
def count_sketch(rows: Floats, buckets: Integers, signs: Floats, out: Floats) -> None:
    """``out[i, h] = sum of sign_j rows[i, j]`` over the columns j in bucket h."""
    for i in range(rows.shape[0]):
        for h in range(out.shape[1]):
            out[i, h] = 0.0
        for j in range(rows.shape[1]):
            out[i, buckets[j]] += signs[j] * rows[i, j]
