"""The mixing features of the stack (see `hybandit.estimators.stack`)."""

from __future__ import annotations

import math

import numpy as np

from hybandit.kernels.compiling import kernel
from hybandit.kernels.neighbours import Entries, Neighbours
from hybandit.kernels.ridge import means
from hybandit.kernels.vectors import squared_length
from hybandit.state import Flags, Floats

# How many of its own neighbours an arm's means are over, and how many of all vote.
OWN_SIZES = (1, 5, 10, 20)
SHARED_SIZES = (1, 5, 15)
# Where the mixing features stand: two for each regression, the constant, the arm's mean reward,
# means of its own neighbours, votes for it and for the others.
CURVED, LINEAR, STIFF, ONE, MEAN, OWN = 0, 2, 4, 6, 7, 8
VOTES = OWN + len(OWN_SIZES)
OTHERS = VOTES + len(SHARED_SIZES)
WIDTH = OTHERS + len(SHARED_SIZES)
# Estimates beyond this are cut to it: their squares would leave the range of float64.
LARGEST = 1e100
# An arm's mean reward counts as if it had also earned the centre so often.
SHRINKAGE = 5.0
# More than the relative error of a sum of 18 products.
ROUNDING = 1e-12


@kernel
def bounded(value: float) -> float:
    if value > LARGEST:
        return LARGEST
    if value < -LARGEST:
        return -LARGEST
    return 0.0 if math.isnan(value) else value


@kernel
def mixed(features: Floats, arm: int, weights: Floats) -> float:
    """``u_a' theta`` of one arm."""
    total = 0.0
    for i in range(features.shape[1]):
        total += features[arm, i] * weights[0, i]
    return bounded(total)


@kernel
def plain(features: Floats, arm: int, share: float) -> float:
    """``mean_a + share (linear_a - mean_a)`` of one arm."""
    mean = features[arm, MEAN]
    return bounded(mean + share * (features[arm, LINEAR] - mean))


@kernel
def joined(features: Floats, weights: Floats, centre: float, share: float, weight: float) -> Floats:
    """``c + (1 - w) mixed_a + w plain_a`` of every arm, w the `weight` of the plain model."""
    out = np.empty(features.shape[0])
    for arm in range(features.shape[0]):
        total = 0.0
        if weight < 1.0:
            total += (1.0 - weight) * mixed(features, arm, weights)
        if weight > 0.0:
            total += weight * plain(features, arm, share)
        out[arm] = bounded(centre + total)
    return out


@kernel
def raise_to_hopes(
    features: Floats, known: Flags, weights: Floats, centre: float, lows: Floats, highs: Floats,
    weight: float, reaches: Floats,
) -> None:  # fmt: skip
    """Where the own means are not known yet, raise what `joined` gave to an upper bound.

    An unknown mean, 0 in `features`, is 0 or between `lows[a]` and `highs[a]`, less the centre.
    """
    for arm in range(features.shape[0]):
        low, high = min(lows[arm] - centre, 0.0), max(highs[arm] - centre, 0.0)
        more, size = 0.0, abs(centre) + abs(reaches[arm])
        for i in range(features.shape[1]):
            size += abs(features[arm, i] * weights[0, i])
            if OWN <= i < VOTES and not known[arm]:
                hope = (high if weights[0, i] > 0.0 else low) * weights[0, i]
                more += hope
                size += abs(hope)
        reaches[arm] = bounded(reaches[arm] + (1.0 - weight) * more + ROUNDING * size)


@kernel
def leader(reaches: Floats, rates: Floats, widest: float, contexts: Floats, allowed: Flags) -> int:
    """The allowed arm with the largest possible score; `reaches` turn from values into bounds.

    No width is more than `widest` times the length of the context.
    """
    best = -1
    width = 0.0
    for arm in range(reaches.shape[0]):
        if arm < contexts.shape[0]:
            width = widest * math.sqrt(squared_length(contexts, arm))
        hope, added = reaches[arm], max(rates[arm], 0.0) * width
        reaches[arm] = hope + added + ROUNDING * (abs(hope) + added)
        if allowed[arm] and (best < 0 or reaches[arm] > reaches[best]):
            best = arm
    return best


@kernel
def estimates_and_rivals(
    weights: Floats, levels: Floats, contexts: Floats, centre: float, features: Floats, column: int
) -> None:  # fmt: skip
    """Two columns: the arm's own value, and the largest of the other arms, 0 if none.

    Values are first taken relative to the centre: less `centre` times their `levels`.
    """
    n_arms = weights.shape[0]
    values, ones = np.empty(n_arms), np.empty(n_arms)
    means(weights, contexts, values)
    if centre != 0.0:
        means(levels, contexts, ones)
    first = second = -1
    for arm in range(n_arms):
        if centre != 0.0:
            values[arm] -= centre * ones[arm]
        values[arm] = bounded(values[arm])
        if first < 0 or values[arm] > values[first]:
            first, second = arm, first
        elif second < 0 or values[arm] > values[second]:
            second = arm
    for arm in range(n_arms):
        rival = second if arm == first else first
        features[arm, column] = values[arm]
        features[arm, column + 1] = values[rival] if rival >= 0 else 0.0


@kernel
def levels_of_arms(
    counts: Floats, means: Floats, centre: float, unit: float, features: Floats
) -> None:
    """The constant, which is 1 in units of the rewards, and every arm's shrunken mean reward."""
    for arm in range(features.shape[0]):
        features[arm, ONE] = unit
        total = counts[arm] * (means[arm] - centre)
        features[arm, MEAN] = bounded(total / (counts[arm] + SHRINKAGE))


@kernel
def in_units(features: Floats, arm: int, unit: float, out: Floats) -> None:
    """The features of one arm in units of the rewards, as the mixer learns them."""
    for i in range(features.shape[1]):
        out[0, i] = bounded(features[arm, i] / unit)
    out[0, ONE] = 1.0


@kernel
def own_means(
    near: Neighbours, wanted: Flags, rewards: Floats, centre: float, features: Floats
) -> None:
    """F_k(a): mean of reward - centre over the arm's own min(k, found) nearest, if wanted."""
    for arm in range(near.found.shape[0]):
        if not wanted[arm]:
            continue
        total = 0.0
        rank = 0
        for position in range(len(OWN_SIZES)):
            until = min(OWN_SIZES[position], near.found[arm])
            while rank < until:
                total += rewards[near.indices[arm, rank]] - centre
                rank += 1
            features[arm, OWN + position] = total / rank if rank > 0 else 0.0


@kernel
def votes(near: Neighbours, entries: Entries, centre: float, features: Floats) -> None:
    """V_k(a) and O_k(a) from lists of nearest entries, one for all arms or one for each.

    V_k counts the rewards of entries played with arm a, O_k those of the others.
    """
    for arm in range(features.shape[0]):
        row = arm if near.found.shape[0] > 1 else 0
        own = 0.0
        others = 0.0
        rank = 0
        for position in range(len(SHARED_SIZES)):
            until = min(SHARED_SIZES[position], near.found[row])
            while rank < until:
                index = near.indices[row, rank]
                if entries.owners[index] == arm:
                    own += entries.rewards[index] - centre
                else:
                    others += entries.rewards[index] - centre
                rank += 1
            features[arm, VOTES + position] = own / rank if rank > 0 else 0.0
            features[arm, OTHERS + position] = others / rank if rank > 0 else 0.0
