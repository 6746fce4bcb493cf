"""Running mean and spread of numbers, and numbers in units of them."""

from __future__ import annotations

import numpy as np

from hybandit.kernels.compiling import kernel
from hybandit.state import Floats, Integers


@kernel
def learn(
    counts: Integers, means: Floats, squares: Floats, slots: Integers, values: Floats
) -> None:
    """Take in each value at its slot; `squares` are sums of squared distances to the mean."""
    for place in range(slots.shape[0]):
        slot = slots[place]
        counts[slot] += 1
        before = values[place] - means[slot]
        means[slot] += before / counts[slot]
        squares[slot] += before * (values[place] - means[slot])


@kernel
def add_scaled(
    counts: Integers,
    means: Floats,
    squares: Floats,
    slots: Integers,
    values: Floats,
    columns: Integers,
    weights: Floats,
    furthest: float,
    row: Floats,
) -> None:
    """Add each value to its column, centred and in units of its spread, cut at `furthest`."""
    for place in range(slots.shape[0]):
        slot = slots[place]
        distance = values[place] - means[slot]
        if squares[slot] > 0.0:
            distance /= np.sqrt(squares[slot] / counts[slot])
        distance = min(furthest, max(-furthest, distance))
        row[columns[place]] += weights[place] * distance
