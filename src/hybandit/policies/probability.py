"""The true probability that each arm is chosen."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.special import betainc, betaincinv, ndtr, ndtri, stdtr, stdtrit

from hybandit.state import Flags, Floats

# A spread below these does not move a score: its draws all round to the mean.
ROUNDING, TINY = 4.0 * np.finfo(np.float64).eps, 1e-290
# Quantiles at which a distribution is looked at: even, and finer into both tails.
_TAIL = np.logspace(-9, -2, 24)
QUANTILES = np.concatenate([_TAIL, np.linspace(0.015, 0.985, 128), 1.0 - _TAIL[::-1]])


def of_largest_score(scores: Floats, allowed: Flags, ties: str) -> Floats:
    """The largest score wins; equals share, or the first takes all."""
    best = scores[allowed].max()
    winners = allowed & (scores == best)
    if ties == "first":
        winners = np.arange(len(scores)) == winners.argmax()
    shares: Floats = winners / winners.sum()
    return shares


def of_largest_normal(means: Floats, deviations: Floats, allowed: Flags, ties: str) -> Floats:
    """Of independent normal draws, how often each is the largest.

    Examples
    --------
    >>> both = np.array([True, True])
    >>> of_largest_normal(np.zeros(2), np.array([1.0, 5.0]), both, "random").round(6)
    array([0.5, 0.5])
    """

    def nodes(arm: int) -> Floats:
        place: Floats = means[arm] + deviations[arm] * ndtri(QUANTILES)
        return place

    def cumulative(arm: int, at: Floats) -> Floats:
        below: Floats = ndtr((at - means[arm]) / deviations[arm])
        return below

    varied = deviations > np.maximum(ROUNDING * np.abs(means), TINY)
    return _of_largest_draw(means, varied, nodes, cumulative, allowed, ties)


def of_largest_student(
    centres: Floats, scales: Floats, freedoms: Floats, allowed: Flags, ties: str
) -> Floats:
    """The same for draws from Student's t, moved and scaled."""

    def nodes(arm: int) -> Floats:
        place: Floats = centres[arm] + scales[arm] * stdtrit(freedoms[arm], QUANTILES)
        return place

    def cumulative(arm: int, at: Floats) -> Floats:
        below: Floats = stdtr(freedoms[arm], (at - centres[arm]) / scales[arm])
        return below

    varied = scales > np.maximum(ROUNDING * np.abs(centres), TINY)
    return _of_largest_draw(centres, varied, nodes, cumulative, allowed, ties)


def of_largest_beta(
    first: Floats, second: Floats, shifts: Floats, stretches: Floats, allowed: Flags, ties: str
) -> Floats:
    """The same for draws ``mean + stretch * (beta - mean) + shift``, beta ~ Beta(first, second)."""
    means = first / (first + second)
    # 0 for plain beta draws, so that the smallest keep all their digits.
    offsets = (1.0 - stretches) * means + shifts

    def nodes(arm: int) -> Floats:
        draws = betaincinv(first[arm], second[arm], QUANTILES)
        place: Floats = offsets[arm] + stretches[arm] * draws
        return place

    def cumulative(arm: int, at: Floats) -> Floats:
        draws = (at - offsets[arm]) / stretches[arm]
        below: Floats = betainc(first[arm], second[arm], np.clip(draws, 0.0, 1.0))
        return below

    varied = stretches > ROUNDING * np.maximum(np.abs(means + shifts), 1.0)
    return _of_largest_draw(means + shifts, varied, nodes, cumulative, allowed, ties)


def _of_largest_draw(
    centres: Floats,
    varied: Flags,
    nodes: Callable[[int], Floats],
    cumulative: Callable[[int, Floats], Floats],
    allowed: Flags,
    ties: str,
) -> Floats:
    """``P(a) = integral of prod_{b != a} F_b dF_a``, on the union of all arms' quantiles.

    An arm without variation is a point: only the highest matters, and it wins when every
    draw falls below it.
    """
    out = np.zeros(len(centres))
    moving = np.flatnonzero(allowed & varied).tolist()
    fixed = allowed & ~varied
    if not moving:
        return of_largest_score(centres, allowed, ties)
    grid = np.unique(np.concatenate([nodes(arm) for arm in moving]))
    if fixed.any():
        height = centres[fixed].max()
        grid = np.concatenate([[height], grid[grid > height]])
    below = np.stack([cumulative(arm, grid) for arm in moving])
    if fixed.any():
        out += below[:, 0].prod() * of_largest_score(centres, fixed, ties)
    ones = np.ones((1, len(grid)))
    before = np.cumprod(np.concatenate([ones, below[:-1]]), axis=0)
    after = np.cumprod(np.concatenate([ones, below[:0:-1]]), axis=0)[::-1]
    others = before * after
    out[moving] = (np.diff(below) * (others[:, 1:] + others[:, :-1]) / 2.0).sum(axis=1)
    total: Floats = out / out.sum()
    return total
