"""The mixing features of the stack (see `hybandit.estimators.stack`)."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from hybandit.kernels.compiling import kernel

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]


# Estimates beyond this are cut to it: their squares would leave the range of float64.
LARGEST = 1e100


@kernel
def bounded(value: float) -> float:
    if value > LARGEST:
        return LARGEST
    if value < -LARGEST:
        return -LARGEST
    return 0.0 if math.isnan(value) else value


@kernel
def mixed(features: Floats, weights: Floats, centre: float, out: Floats) -> None:
    """``out[a] = centre + u_a' theta``."""
    for arm in range(features.shape[0]):
        total = centre
        for i in range(features.shape[1]):
            total += features[arm, i] * weights[0, i]
        out[arm] = bounded(total)


@kernel
def estimates_and_rivals(
    values: Floats,
    levels: Floats,
    centre: float,
    active: Flags,
    features: Floats,
    column: int,
) -> None:
    """Two columns: the arm's own value, and the largest of the other active arms, 0 if none.

    Values are first taken relative to the centre: less `centre` times their `levels`.
    """
    n_arms = values.shape[0]
    for arm in range(n_arms):
        if centre != 0.0:
            values[arm] -= centre * levels[arm]
        values[arm] = bounded(values[arm])
    first = -1
    second = -1
    for arm in range(n_arms):
        if not active[arm]:
            continue
        if first < 0 or values[arm] > values[first]:
            second = first
            first = arm
        elif second < 0 or values[arm] > values[second]:
            second = arm
    for arm in range(n_arms):
        rival = second if arm == first else first
        features[arm, column] = values[arm]
        features[arm, column + 1] = values[rival] if rival >= 0 else 0.0


@kernel
def own_means(
    indices: Integers,
    found: Integers,
    rewards: Floats,
    sizes: Integers,
    centre: float,
    features: Floats,
    column: int,
) -> None:
    """F_k(a): mean of reward - centre over the arm's own min(k, found) nearest."""
    for arm in range(found.shape[0]):
        total = 0.0
        rank = 0
        for position in range(sizes.shape[0]):
            until = min(sizes[position], found[arm])
            while rank < until:
                total += rewards[indices[arm, rank]] - centre
                rank += 1
            features[arm, column + position] = total / rank if rank > 0 else 0.0


@kernel
def votes(
    indices: Integers,
    found: Integers,
    owners: Integers,
    rewards: Floats,
    sizes: Integers,
    centre: float,
    features: Floats,
    column: int,
) -> None:
    """V_k(a) and O_k(a) from lists of nearest points, one for all arms or one for each.

    V_k counts the rewards of points played with arm a, O_k those of the others.
    """
    count = sizes.shape[0]
    for arm in range(features.shape[0]):
        row = arm if found.shape[0] > 1 else 0
        own = 0.0
        others = 0.0
        rank = 0
        for position in range(count):
            until = min(sizes[position], found[row])
            while rank < until:
                index = indices[row, rank]
                if owners[index] == arm:
                    own += rewards[index] - centre
                else:
                    others += rewards[index] - centre
                rank += 1
            features[arm, column + position] = own / rank if rank > 0 else 0.0
            features[arm, column + count + position] = others / rank if rank > 0 else 0.0
