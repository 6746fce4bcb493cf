"""Ridge regression per arm, kept as a factored inverse.

An arm's inverse is ``S^-1 = U diag(scales) U'`` with U unit upper triangular. Row j of
``factor`` holds column j of U above the diagonal, so every inner loop is contiguous and
half of the square is never touched. Bierman's rank-1 update keeps the scales positive by
construction: no subtraction can make a width imaginary, and no refresh is needed.
"""

from __future__ import annotations

import math

import numpy as np

from hybandit.kernels.compiling import kernel
from hybandit.state import Flags, Floats

# Products with U are clipped to this; only rounding of extreme inputs exceeds it.
LARGEST = 1e150


@kernel
def cut(value: float, limit: float) -> float:
    """Clip to the limit, so that rounding of extreme inputs cannot overflow."""
    return min(max(value, -limit), limit)


@kernel
def means(weights: Floats, contexts: Floats, out: Floats) -> None:
    """``out[a] = x_a' weights[a]``; `contexts` has one row for all arms or one each."""
    shared = contexts.shape[0] == 1
    for arm in range(weights.shape[0]):
        row = 0 if shared else arm
        total = 0.0
        for i in range(weights.shape[1]):
            total += weights[arm, i] * contexts[row, i]
        out[arm] = total


@kernel
def width(factors: Floats, scales: Floats, contexts: Floats, arm: int, row: int) -> float:
    """``sqrt(x' S^-1 x)`` of one arm, x that row of `contexts`."""
    size = contexts.shape[1]
    total = 0.0
    # Four rows of the factor at a time: one pass over x serves all four.
    for j in range(0, size - 3, 4):
        x0, x1, x2 = contexts[row, j], contexts[row, j + 1], contexts[row, j + 2]
        turned0, turned1, turned2, turned3 = x0, x1, x2, contexts[row, j + 3]
        for i in range(j):
            x = contexts[row, i]
            turned0 += factors[arm, j, i] * x
            turned1 += factors[arm, j + 1, i] * x
            turned2 += factors[arm, j + 2, i] * x
            turned3 += factors[arm, j + 3, i] * x
        turned1 += factors[arm, j + 1, j] * x0
        turned2 += factors[arm, j + 2, j] * x0 + factors[arm, j + 2, j + 1] * x1
        turned3 += factors[arm, j + 3, j] * x0 + factors[arm, j + 3, j + 1] * x1
        turned3 += factors[arm, j + 3, j + 2] * x2
        turned0, turned1 = cut(turned0, LARGEST), cut(turned1, LARGEST)
        turned2, turned3 = cut(turned2, LARGEST), cut(turned3, LARGEST)
        total += scales[arm, j] * turned0 * turned0 + scales[arm, j + 1] * turned1 * turned1
        total += scales[arm, j + 2] * turned2 * turned2 + scales[arm, j + 3] * turned3 * turned3
    for j in range(size - size % 4, size):
        turned = contexts[row, j]
        for i in range(j):
            turned += factors[arm, j, i] * contexts[row, i]
        turned = cut(turned, LARGEST)
        total += scales[arm, j] * turned * turned
    return math.sqrt(total)


@kernel
def upper(
    values: Floats,
    factors: Floats,
    scales: Floats,
    contexts: Floats,
    rates: Floats,
    allowed: Flags,
    largest: float,
    exact: bool,
    scores: Floats,
) -> None:
    """``scores[a] = values[a] + rates[a] * width_a``.

    With ``exact=False`` an arm whose value plus rate times the largest possible width
    (``largest * |x|``) cannot win keeps that bound as its score: the argmax and its ties
    are the same, and most widths are never computed.
    """
    shared = contexts.shape[0] == 1
    n_arms = values.shape[0]
    norm = 0.0
    # None yet. Not the literal -1, for which numba would compile `width` a second time.
    leader: int = n_arms
    for arm in range(n_arms):
        row = 0 if shared else arm
        if arm == 0 or not shared:
            norm = 0.0
            for i in range(contexts.shape[1]):
                norm += contexts[row, i] * contexts[row, i]
            norm = math.sqrt(norm)
        scores[arm] = values[arm] + max(rates[arm], 0.0) * largest * norm
        if allowed[arm] and (leader == n_arms or scores[arm] > scores[leader]):
            leader = arm
    best = -math.inf
    if leader < n_arms and not exact:
        row = 0 if shared else leader
        scores[leader] = values[leader] + rates[leader] * width(
            factors, scales, contexts, leader, row
        )
        best = scores[leader]
    for arm in range(n_arms):
        if not exact:
            rounding = 1e-12 * (abs(values[arm]) + abs(scores[arm]))
            if arm == leader or not allowed[arm] or scores[arm] + rounding < best:
                continue
        row = 0 if shared else arm
        scores[arm] = values[arm]
        if rates[arm] != 0.0:
            scores[arm] += rates[arm] * width(factors, scales, contexts, arm, row)
        best = max(best, scores[arm])


@kernel
def widths(factors: Floats, scales: Floats, contexts: Floats, out: Floats) -> None:
    """The width of every arm."""
    shared = contexts.shape[0] == 1
    for arm in range(scales.shape[0]):
        out[arm] = width(factors, scales, contexts, arm, 0 if shared else arm)


@kernel
def linear_upper(
    weights: Floats,
    factors: Floats,
    scales: Floats,
    contexts: Floats,
    rates: Floats,
    allowed: Flags,
    largest: float,
    exact: bool,
    scores: Floats,
) -> None:
    """`upper` on the arms' own means, in one call."""
    values = np.empty(weights.shape[0])
    means(weights, contexts, values)
    upper(values, factors, scales, contexts, rates, allowed, largest, exact, scores)


@kernel
def move(
    weights: Floats, contexts: Floats, arm: int, row: int, gain: Floats, target: float
) -> None:
    """Move the weights of one arm towards the target, by its error times the gain."""
    error = target
    for j in range(gain.shape[0]):
        error -= weights[arm, j] * contexts[row, j]
    error = cut(error, 1e200)
    for j in range(gain.shape[0]):
        weights[arm, j] = cut(weights[arm, j] + gain[j] * error, 1e200)


@kernel
def narrow(
    factors: Floats,
    scales: Floats,
    contexts: Floats,
    arm: int,
    row: int,
    start: int,
    stop: int,
    gain: Floats,
) -> None:
    """S += x x' for one arm, x zero before `start` and from `stop` on; fills the gain, S^-1 x."""
    size = contexts.shape[1]
    for j in range(start):
        gain[j] = 0.0
    after = 1.0
    for j in range(start, size):
        turned = contexts[row, j]
        for i in range(start, min(j, stop)):
            turned += factors[arm, j, i] * contexts[row, i]
        turned = cut(turned, LARGEST)
        scaled = scales[arm, j] * turned
        before = after
        after = before + turned * scaled
        scales[arm, j] *= before / after
        shift = -turned / before
        for i in range(j):
            old = factors[arm, j, i]
            factors[arm, j, i] = cut(old + gain[i] * shift, 1e100)
            gain[i] += old * scaled
        gain[j] = scaled
    for j in range(size):
        gain[j] = cut(gain[j] / after, 1e100)


@kernel
def update(
    weights: Floats,
    levels: Floats,
    factors: Floats,
    scales: Floats,
    contexts: Floats,
    arm: int,
    target: float,
) -> None:
    """Learn one observation of one arm: S += x x', and the weights follow.

    `levels`, unless it has no columns, are the weights for the constant target 1.
    """
    row = 0 if contexts.shape[0] == 1 else arm
    gain = np.empty(contexts.shape[1])
    narrow(factors, scales, contexts, arm, row, 0, gain.shape[0], gain)
    move(weights, contexts, arm, row, gain, target)
    if levels.shape[1] > 0:
        move(levels, contexts, arm, row, gain, 1.0)


@kernel
def fade(
    weights: Floats,
    levels: Floats,
    factors: Floats,
    scales: Floats,
    prior: Floats,
    arm: int,
    forget: float,
    start: int,
    stop: int,
    ridge: float,
) -> None:
    """S = forget * S for one arm, and features `start` to `stop` - 1 get `ridge` back.

    What is given back is an observation of that size whose target is the prior weight.
    """
    size = scales.shape[1]
    for j in range(size):
        scales[arm, j] = scales[arm, j] / forget
    unit = np.zeros((1, size))
    gain = np.empty(size)
    root = math.sqrt(ridge)
    for j in range(start, stop):
        unit[0, j] = root
        narrow(factors, scales, unit, arm, 0, j, j + 1, gain)
        move(weights, unit, arm, 0, gain, root * prior[j])
        if levels.shape[1] > 0:
            move(levels, unit, arm, 0, gain, 0.0)
        unit[0, j] = 0.0
