"""Vectors in single precision along the data's main directions, for bounds on distances."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from hybandit.kernels.compiling import kernel

Floats = npt.NDArray[np.float64]
Singles = npt.NDArray[np.float32]
Integers = npt.NDArray[np.int64]


@kernel
def cast_shadows(
    points: Floats,
    slots: Integers,
    origin: Floats,
    scale: float,
    basis: Floats,
    longest: float,
    out: Singles,
) -> float:
    """Coordinates of the points at `slots` along the rows of `basis`, and the length of the rest.

    All less `origin` and divided by `scale`. Returns the length of the longest point;
    points longer than `longest` do not count and become NaN.
    """
    width = points.shape[1]
    directions = basis.shape[0]
    centred = np.empty(width)
    most = 0.0
    for index in range(slots.shape[0]):
        square = 0.0
        for i in range(width):
            centred[i] = (points[slots[index], i] - origin[i]) / scale
            square += centred[i] * centred[i]
        if not square <= longest * longest:
            out[index] = np.nan
            continue
        most = max(most, square)
        rest = square
        for j in range(directions):
            along = 0.0
            for i in range(width):
                along += basis[j, i] * centred[i]
            out[index, j] = along
            rest -= along * along
        if directions < width:
            out[index, directions] = math.sqrt(max(rest, 0.0))
    return math.sqrt(most)
