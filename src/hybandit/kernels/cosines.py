"""Random cosine features."""

from __future__ import annotations

import math

from hybandit.kernels.compiling import kernel
from hybandit.state import Floats


@kernel
def extend(contexts: Floats, directions: Floats, offsets: Floats, out: Floats) -> None:
    """``out = [x, sqrt(2 / m) cos(W x + B)]`` row by row."""
    size = contexts.shape[1]
    count = directions.shape[0]
    height = math.sqrt(2.0 / count)
    for row in range(contexts.shape[0]):
        for i in range(size):
            out[row, i] = contexts[row, i]
        for j in range(count):
            angle = 0.0
            for i in range(size):
                angle += directions[j, i] * contexts[row, i]
            out[row, size + j] = height * math.cos(angle + offsets[j])
