"""Vectors in single precision along the data's main directions, for bounds on distances."""

from __future__ import annotations

import math

import numpy as np

from hybandit.kernels.compiling import kernel
from hybandit.state import Floats, Integers, Singles

# Longer vectors are shortened to this: they would cost the others single precision.
LONGEST = 100.0


@kernel
def project(
    points: Floats, slots: Integers, origin: Floats, scale: float, basis: Floats, out: Singles
) -> float:
    """Coordinates of the points at `slots` along the rows of `basis`, and the length of the rest.

    All less `origin` and divided by `scale`. Returns the length of the longest.
    """
    width, directions = points.shape[1], basis.shape[0]
    centred = np.empty(width)
    longest = 0.0
    for index in range(slots.shape[0]):
        largest = 0.0
        for i in range(width):
            centred[i] = points[slots[index], i] - origin[i]
            largest = max(largest, abs(centred[i]))
        square = 0.0
        for i in range(width):
            # In units of the largest, whose square cannot overflow.
            centred[i] = centred[i] / largest if 0.0 < largest < math.inf else 0.0
            square += centred[i] * centred[i]
        length = math.sqrt(square)
        reach = length * (largest / scale)
        factor = largest / scale
        if not reach <= LONGEST:
            factor = LONGEST / length if length > 0.0 else 0.0
        rest = square
        for j in range(directions):
            along = 0.0
            for i in range(width):
                along += basis[j, i] * centred[i]
            rest -= along * along
            out[index, j] = along * factor
        if directions < width:
            out[index, directions] = math.sqrt(max(rest, 0.0)) * factor
        longest = max(longest, length * factor)
    return longest
