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
# More than the relative error of a sum of 15 products.
ROUNDING = 1e-12


@kernel
def bounded(value: float) -> float:
    if value > LARGEST:
        return LARGEST
    if value < -LARGEST:
        return -LARGEST
    return 0.0 if math.isnan(value) else value


@kernel
def mixed(
    features: Floats, weights: Floats, centre: float, lows: Floats, highs: Floats, out: Floats
) -> None:
    """``out[a] = centre + u_a' theta``, or the most that may be where features are unknown.

    An unknown feature is NaN. It is 0, or from `lows[a]` to `highs[a]` less the centre.
    """
    for arm in range(features.shape[0]):
        total = centre
        size = abs(centre)
        unknown = False
        low, high = min(lows[arm] - centre, 0.0), max(highs[arm] - centre, 0.0)
        for i in range(features.shape[1]):
            weight = weights[0, i]
            value = features[arm, i]
            if math.isnan(value):
                value = high if weight > 0.0 else low
                unknown = True
            total += value * weight
            size += abs(value * weight)
        out[arm] = bounded(total + ROUNDING * size if unknown else total)


@kernel
def leader(hopes: Floats, rates: Floats, widest: Floats, allowed: Flags, reaches: Floats) -> int:
    """The allowed arm that may score most; `reaches` gets what each arm may score at most.

    `widest` is one bound of widths for all arms or one for each.
    """
    best = -1
    for arm in range(hopes.shape[0]):
        width = widest[arm if widest.shape[0] > 1 else 0]
        reaches[arm] = hopes[arm] + max(rates[arm], 0.0) * width
        reaches[arm] += ROUNDING * (abs(hopes[arm]) + abs(reaches[arm]))
        if allowed[arm] and (best < 0 or reaches[arm] > reaches[best]):
            best = arm
    return best


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
    wanted: Flags,
    rewards: Floats,
    sizes: Integers,
    centre: float,
    features: Floats,
    column: int,
) -> None:
    """F_k(a): mean of reward - centre over the arm's own min(k, found) nearest, if wanted."""
    for arm in range(found.shape[0]):
        if not wanted[arm]:
            continue
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
