"""Lengths and distances of rows."""

from __future__ import annotations

from hybandit.kernels.compiling import kernel
from hybandit.state import Floats

# Helpers take whole arrays and indices: a slice made in a loop costs more than a distance.


@kernel
def squared_length(rows: Floats, row: int) -> float:
    total = 0.0
    for i in range(rows.shape[1]):
        total += rows[row, i] * rows[row, i]
    return total


@kernel
def squared_distance(points: Floats, index: int, queries: Floats, row: int) -> float:
    """Between one row of `points` and one of `queries`."""
    total = 0.0
    for i in range(points.shape[1]):
        step = points[index, i] - queries[row, i]
        total += step * step
    return total
