"""Scores of many arms with few widths: by bounds, by sketches, and in stages.

See `hybandit.estimators.shortcuts`.
"""

from __future__ import annotations

import math

import numpy as np

from hybandit.kernels.compiling import kernel
from hybandit.kernels.ridge import width
from hybandit.kernels.vectors import squared_length
from hybandit.state import Flags, Floats, Integers

# How much rounding may change the squared length that is left beyond a sketch, relatively.
SKETCH_ERROR = 1e-9
# A context gets a row in a sketch if more than this share of its squared length is new to it.
SKETCH_NOVELTY = 0.05


@kernel
def out_of_reach(value: float, bound: float, best: float) -> bool:
    """Whether a score with this upper bound must be below the best, allowing for rounding."""
    return bound + 1e-12 * (abs(value) + abs(bound)) < best


@kernel
def add_to_sketch(sketch: Floats, places: Integers, contexts: Floats, arm: int, reg: float) -> None:
    """Add a context that an arm has learned to the arm's sketch.

    The rows W of a sketch keep ``I - W'W >= reg S^-1``, so ``|x|^2 - |W x|^2`` bounds reg
    times the squared width of x. A new row is what the rank-1 update of the left side
    takes away; it replaces the oldest row, whose loss only loosens the bound.
    A context that the other rows nearly span changes nothing.
    """
    row = 0 if contexts.shape[0] == 1 else arm
    size = contexts.shape[1]
    place = places[arm]
    rest = np.empty(size)
    for i in range(size):
        rest[i] = contexts[row, i]
    for k in range(sketch.shape[1]):
        if k == place:
            continue
        along = 0.0
        for i in range(size):
            along += sketch[arm, k, i] * contexts[row, i]
        for i in range(size):
            rest[i] -= along * sketch[arm, k, i]
    product = 0.0
    for i in range(size):
        product += rest[i] * contexts[row, i]
    if product <= SKETCH_NOVELTY * squared_length(contexts, row):
        return
    height = 1.0 / math.sqrt(reg + product)
    for i in range(size):
        sketch[arm, place, i] = rest[i] * height
    places[arm] = (place + 1) % sketch.shape[1]


@kernel
def length_beyond(sketch: Floats, contexts: Floats, arm: int, row: int) -> float:
    """``sqrt(|x|^2 - |W x|^2)``, rounded up: at least sqrt(reg) times the width."""
    rest = squared_length(contexts, row) * (1.0 + SKETCH_ERROR)
    for k in range(sketch.shape[1]):
        along = 0.0
        for i in range(contexts.shape[1]):
            along += sketch[arm, k, i] * contexts[row, i]
        rest -= along * along
    return math.sqrt(max(rest, 0.0))


@kernel
def first_scores(
    values: Floats,
    factors: Floats,
    scales: Floats,
    contexts: Floats,
    rates: Floats,
    allowed: Flags,
    untouched: Flags,
    largest: float,
    scores: Floats,
) -> tuple[float, int]:
    """First stage of `upper` for many arms: all bounds, and the scores that cost little.

    A bound is the value plus rate times the largest possible width, ``largest * |x|``. Arms
    that have learned nothing (`untouched`) have one width on a shared context: it is
    computed once. The arm of the largest bound gets its true score. Returns the best true
    score, and that arm (-1 if it cannot win).
    """
    shared = contexts.shape[0] == 1
    length = math.sqrt(squared_length(contexts, 0))
    fresh = -1.0
    best = -math.inf
    leader = -1
    for arm in range(values.shape[0]):
        scores[arm] = values[arm]
        if shared and untouched[arm]:
            if fresh < 0.0:
                fresh = width(factors, scales, contexts, arm, 0)
            if rates[arm] != 0.0:
                scores[arm] += rates[arm] * fresh
            if allowed[arm]:
                best = max(best, scores[arm])
            continue
        if not shared:
            length = math.sqrt(squared_length(contexts, arm))
        scores[arm] += max(rates[arm], 0.0) * largest * length
        if allowed[arm] and (leader < 0 or scores[arm] > scores[leader]):
            leader = arm
    if leader < 0 or out_of_reach(values[leader], scores[leader], best):
        return best, -1
    scores[leader] = values[leader]
    if rates[leader] != 0.0:
        row = 0 if shared else leader
        scores[leader] += rates[leader] * width(factors, scales, contexts, leader, row)
    return max(best, scores[leader]), leader


@kernel
def tighter_bounds(
    values: Floats,
    contexts: Floats,
    rates: Floats,
    allowed: Flags,
    untouched: Flags,
    sketch: Floats,
    best: float,
    leader: int,
    largest: float,
    scores: Floats,
) -> int:
    """Second stage: bounds by sketches for arms that may still win; returns how many may."""
    shared = contexts.shape[0] == 1
    left = 0
    for arm in range(values.shape[0]):
        if arm == leader or not allowed[arm] or (shared and untouched[arm]):
            continue
        if out_of_reach(values[arm], scores[arm], best):
            continue
        if rates[arm] > 0.0:
            row = 0 if shared else arm
            reach = largest * length_beyond(sketch, contexts, arm, row)
            scores[arm] = values[arm] + rates[arm] * reach
        left += not out_of_reach(values[arm], scores[arm], best)
    return left


@kernel
def other_scores(
    values: Floats,
    factors: Floats,
    scales: Floats,
    contexts: Floats,
    rates: Floats,
    allowed: Flags,
    untouched: Flags,
    best: float,
    leader: int,
    exact: bool,
    start: int,
    step: int,
    scores: Floats,
) -> None:
    """Last stage: true scores of every `step`-th arm from `start` that may win, or of all."""
    shared = contexts.shape[0] == 1
    for arm in range(start, values.shape[0], step):
        if arm == leader or (shared and untouched[arm]):
            continue
        if not exact and (not allowed[arm] or out_of_reach(values[arm], scores[arm], best)):
            continue
        row = 0 if shared else arm
        scores[arm] = values[arm]
        if rates[arm] != 0.0:
            scores[arm] += rates[arm] * width(factors, scales, contexts, arm, row)
        best = max(best, scores[arm])
