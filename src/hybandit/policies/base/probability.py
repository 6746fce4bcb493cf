"""The exact probability that each arm is chosen."""

from __future__ import annotations

from bisect import bisect_left

import numpy as np
from numpy.polynomial import legendre
from scipy.special import betaincinv

from hybandit.kernels import largest
from hybandit.policies.base.draws import Beta, Draws, Normal, Student
from hybandit.state import Flags, Floats

# A spread below these does not move a score: its draws all round to the mean.
ROUNDING, TINY = 4.0 * np.finfo(np.float64).eps, 1e-290
# A panel is as wide as this part of the narrowest reach, and wider after this many panels.
STEP, MANY = 0.7, 600
# Of a bounded draw, the share at its upper bound that is not looked at closely.
SLACK = 1e-3
# Gauss-Legendre nodes of a panel on (0, 1).
NODES = 6
# The largest draw is hardly ever below where the logarithm of its distribution is this.
NEVER = -36.0
# The number of entries that the largest table may have.
ROOM = 50_000


def of_largest_score(scores: Floats, allowed: Flags, ties: str) -> Floats:
    """The largest score wins; tied arms share, or the first one wins."""
    best = scores[allowed].max()
    winners = allowed & (scores == best)
    if ties == "first":
        winners = np.arange(len(scores)) == winners.argmax()
    shares: Floats = winners / winners.sum()
    return shares


def of_largest_normal(means: Floats, deviations: Floats, allowed: Flags, ties: str) -> Floats:
    """The probability that each of several independent normal draws is the largest.

    Examples
    --------
    >>> both = np.array([True, True])
    >>> of_largest_normal(np.zeros(2), np.array([1.0, 5.0]), both, "random").round(6)
    array([0.5, 0.5])
    """
    varied = deviations > np.maximum(ROUNDING * np.abs(means), TINY)
    return _of_largest_draw(Normal(means, deviations), means, varied, allowed, ties)


def of_largest_student(
    centres: Floats, scales: Floats, freedoms: Floats, allowed: Flags, ties: str
) -> Floats:
    """The same for draws from Student's t, moved and scaled."""
    varied = scales > np.maximum(ROUNDING * np.abs(centres), TINY)
    return _of_largest_draw(Student(centres, scales, freedoms), centres, varied, allowed, ties)


def of_largest_beta(
    first: Floats, second: Floats, shifts: Floats, stretches: Floats, allowed: Flags, ties: str
) -> Floats:
    """The same for draws ``mean + stretch * (beta - mean) + shift``, beta ~ Beta(first, second)."""
    means = first / (first + second)
    # 0 for plain beta draws, so that the smallest keep all their digits.
    offsets = (1.0 - stretches) * means + shifts
    varied = stretches > ROUNDING * np.maximum(np.abs(means + shifts), 1.0)
    draws = Beta(first, second, offsets, stretches, betaincinv(second, first, SLACK))
    return _of_largest_draw(draws, means + shifts, varied, allowed, ties)


def _of_largest_draw(
    draws: Draws, centres: Floats, varied: Flags, allowed: Flags, ties: str
) -> Floats:
    """An arm without variation is a point: only the highest point matters, and it wins if every
    draw falls below it.
    """
    moving = np.flatnonzero(allowed & varied)
    fixed = allowed & ~varied
    if not moving.size or allowed.sum() == 1:
        return of_largest_score(centres, allowed, ties)
    height = centres[fixed].max() if fixed.any() else -np.inf
    out = np.zeros(len(centres))
    with np.errstate(divide="ignore", over="ignore"):
        out[moving], left = _shares(draws.of(moving), height)
    if fixed.any():
        out += left * of_largest_score(centres, fixed, ties)
    total: Floats = out / out.sum()
    return total


def _shares(draws: Draws, height: float) -> tuple[Floats, float]:
    """How often each draw is the largest and above `height`, and how often none is above.

    Draw a wins ``integral of prod_{b != a} F_b dF_a`` from the start, which is by parts
    ``-G log F_a`` there plus ``integral of -log F_a dG``, with G the product of all F: the
    largest draw's own distribution, the same for all arms.
    """
    lows, tops = draws.ends()
    start = max(height, float(lows.max()))
    edges = _edges(draws, tops, start)
    if height < start:
        edges = edges[_first_ever(draws, edges) :]
    logs = np.log(draws.below(edges[:1])[:, 0])
    left = float(np.exp(logs.sum()))
    shares = 0.0 - left * logs if left > 0.0 else np.zeros(len(tops))
    moving = np.flatnonzero(logs < 0.0)
    at = 0
    while at + 1 < len(edges) and moving.size:
        count = max(ROOM // (moving.size * NODES), 1)
        below = draws.of(moving).below(edges[at : at + count + 1])
        shares[moving] += _won(draws.of(moving), edges[at : at + count + 1], below)
        moving = moving[below[:, -1] < 1.0]
        at += count
    return shares, left


def _edges(draws: Draws, tops: Floats, start: float) -> Floats:
    """Panels as narrow as the narrowest draw that is still moving there.

    At the start every distribution has begun, so none lies ahead unseen.
    """
    order = np.argsort(tops)
    draws, tops = draws.of(order), tops[order]
    edges = [start]
    at, end = start, float(tops[-1])
    while at < end:
        first = tops.searchsorted(at, "right")
        wide = STEP * max(1.0, len(edges) / MANY) * float(draws.reach(at)[first:].min())
        at = min(max(at + wide, np.nextafter(at, np.inf)), end)
        edges.append(at)
    return np.array(edges)


def _first_ever(draws: Draws, edges: Floats) -> int:
    """The last edge that the largest draw is hardly ever below."""

    def ever(number: int) -> bool:
        return bool(np.log(draws.below(edges[number : number + 1])).sum() > NEVER)

    return max(bisect_left(range(len(edges) - 1), True, key=ever) - 1, 0)


def _won(draws: Draws, edges: Floats, below: Floats) -> Floats:
    """What each draw wins within the panels between the edges."""
    places = edges[:-1, None] + np.diff(edges)[:, None] * _PLACES
    shapes = draws.shape(places.ravel()).reshape(len(draws), *places.shape)
    return largest.won(below, shapes, _WEIGHTS, _RUNNING)


def _gauss_legendre(count: int) -> tuple[Floats, Floats, Floats]:
    """Places and weights on (0, 1), and the weights of the integral from 0 to each place."""
    places, weights = legendre.leggauss(count)
    values = legendre.legvander(places, count - 1)
    integrals = np.stack(
        [legendre.legval(places, legendre.legint(row, lbnd=-1)) for row in np.eye(count)], axis=1
    )
    running = integrals @ np.linalg.inv(values)
    return (places + 1.0) / 2.0, weights / 2.0, running / 2.0


_PLACES, _WEIGHTS, _RUNNING = _gauss_legendre(NODES)
