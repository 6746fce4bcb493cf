"""A mean with an interval that holds at every moment at once, by betting."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from hybandit.evaluation.intervals import Interval
from hybandit.state import Floats, Integers

# Values are kept at edges, of which there are so many until one doubles; the least, and zero.
STEPS = 8
LEAST = -100 * STEPS
# Bets of the largest size that cannot be ruined, its half, its quarter, and so on, and what share
# of the capital each has: the smaller ones are for small gains in long logs.
BETS = 10
SHARES: Floats = 1.0 / np.arange(1, BETS + 1) / (1.0 / np.arange(1, BETS + 1)).sum()
# How closely the ends of an interval are searched, relative to the largest gap.
HALVINGS = 25


class Capital(NamedTuple):
    """Logarithms of what was won by betting, with each size of bet and with all together.

    ``above`` belongs to those who bet that the mean is above a value, ``below`` to the others.
    """

    above: float
    below: float
    each_above: Floats
    each_below: Floats


class RunningMean:
    """The mean of values that come one by one, each of bounded size, and how sure it is.

    Somebody bets on every value in turn that the mean is above ``m``, and holds
    ``product(1 + bet * (value - m))`` of each unit in the end. If the mean is not above, nobody
    expects to win, and the chance ever to hold 40 is at most 1 / 40, whenever one looks. All
    that cannot be so refuted, from either side, is the interval. The unit is divided among ten
    bets, each of a size that never changes; so it holds for the mean of what came so far even if
    the values change, and depend on those before.

    Each value is kept as two parts, at the edges on both sides of it, in such shares that the
    mean stays the same. That can only lower what is held, as the logarithm is concave, and by
    less than one part in a hundred; so time and memory do not grow with the number of values.

    References
    ----------
    Waudby-Smith, Ramdas (2024). Estimating means of bounded random variables by betting. JRSS B.

    Examples
    --------
    >>> mean = RunningMean()
    >>> for value in (0.0, 1.0, 1.0, 1.0) * 100:
    ...     mean.add(value)
    >>> [round(end, 2) for end in mean.interval(largest_gap=1.0, limits=(0.0, 1.0))]
    [0.67, 0.82]
    """

    def __init__(self) -> None:
        self.count = 0
        self.total = 0.0
        self._parts: dict[int, float] = {}

    @property
    def mean(self) -> float:
        return self.total / self.count if self.count else 0.0

    def add(self, value: float) -> None:
        """Take one more value; in constant time."""
        place, share = _place(value)
        for edge, part in ((place, 1.0 - share), (place + (1 if value > 0.0 else -1), share)):
            if part:
                self._parts[edge] = self._parts.get(edge, 0.0) + part
        self.count += 1
        self.total += value

    def add_many(self, values: Floats) -> None:
        """As `add` one by one, faster."""
        self.count += len(values)
        self.total += float(values.sum())
        # Most are zero where a policy would seldom have made the log's choice.
        others = values[values != 0.0]
        if zeros := len(values) - len(others):
            self._parts[0] = self._parts.get(0, 0.0) + zeros
        if not len(others):
            return
        places, shares = _places(others)
        outer = places + np.where(others > 0.0, 1, -1)
        for edge, parts in ((places, 1.0 - shares), (outer, shares)):
            least = int(edge.min())
            for place, part in enumerate(np.bincount(edge - least, parts).tolist(), start=least):
                if part:
                    self._parts[place] = self._parts.get(place, 0.0) + part

    def join(self, other: RunningMean) -> None:
        """Take the values of another in addition."""
        for place, part in other._parts.items():
            self._parts[place] = self._parts.get(place, 0.0) + part
        self.count += other.count
        self.total += other.total

    def capital(self, mean: float, largest_gap: float) -> Capital:
        """What was won by betting against `mean`.

        No value may ever be further from it than `largest_gap`.
        """
        places = np.array(sorted(self._parts), np.int64)
        parts = np.array([self._parts[place] for place in places.tolist()])
        gaps = np.multiply.outer(bets(largest_gap), edges(places) - mean)
        above, below = np.log1p(gaps) @ parts, np.log1p(-gaps) @ parts
        return Capital(_held(above), _held(below), above, below)

    def interval(
        self, largest_gap: float, limits: tuple[float, float], confidence: float = 0.95
    ) -> Interval:
        """What the mean may be, at all times at once; `limits` are those that it cannot leave."""
        goal = math.log(2.0 / (1.0 - confidence))
        low, high = limits
        if not self.count:
            return Interval(low, high)
        middle = min(max(self.mean, low), high)

        def refuted(mean: float) -> bool:
            found = self.capital(mean, largest_gap)
            return max(found.above, found.below) >= goal

        return Interval(_end(low, middle, refuted), _end(high, middle, refuted))

    def state(self) -> list[Any]:
        """All that is known, in a form for JSON."""
        return [self.count, self.total, sorted(self._parts.items())]

    @classmethod
    def restored(cls, state: Any) -> RunningMean:
        """What `state` has written; raises ValueError or TypeError if it has not."""
        mean = cls()
        mean.count, mean.total = int(state[0]), float(state[1])
        mean._parts = {int(place): float(part) for place, part in state[2]}
        if mean.count < 0 or not math.isfinite(mean.total) or not _add_up(mean):
            raise ValueError("a mean that cannot be")
        return mean


def bets(largest_gap: float) -> Floats:
    """Sizes of bets; even at the edge beyond the largest gap the first leaves something."""
    first = 0.999 / (2.0 ** (1.0 / STEPS) * largest_gap)
    sizes: Floats = first / 2.0 ** np.arange(BETS)
    return sizes


def edges(places: Integers) -> Floats:
    """The values at which parts are kept."""
    sizes: Floats = np.sign(places) * 2.0 ** ((np.abs(places) + LEAST - 1) / STEPS)
    return sizes


def more_needed(each: Floats, count: int, confidence: float = 0.95) -> int | None:
    """About how many more values are needed until a side is sure, if it goes on like this.

    Parameters
    ----------
    each
        The logarithm of what was won with each size of bet, `Capital.each_above` for instance.
    count
        After so many values.
    """
    wins = each > 0.0
    if not wins.any():
        return None
    goals = math.log(2.0 / (1.0 - confidence)) - np.log(SHARES[wins])
    return max(0, math.ceil(count * (float((goals / each[wins]).min()) - 1.0)))


def _place(value: float) -> tuple[int, float]:
    """The edge towards zero, and the share that goes to the next one outwards."""
    size = abs(value)
    step = math.floor(STEPS * math.log2(size)) if size else LEAST - 1
    if step < LEAST:
        return 0, size / 2.0 ** (LEAST / STEPS)
    inner, outer = 2.0 ** (step / STEPS), 2.0 ** ((step + 1) / STEPS)
    share = min(1.0, max(0.0, (size - inner) / (outer - inner)))
    return int(math.copysign(step - LEAST + 1, value)), share


def _places(values: Floats) -> tuple[Integers, Floats]:
    """As `_place` for each of many, none of them zero."""
    sizes = np.abs(values)
    steps = np.maximum(np.floor(STEPS * np.log2(sizes)), LEAST - 1)
    inner = np.where(steps < LEAST, 0.0, 2.0 ** (steps / STEPS))
    outer = 2.0 ** ((steps + 1) / STEPS)
    shares: Floats = np.clip((sizes - inner) / (outer - inner), 0.0, 1.0)
    return np.copysign(steps - LEAST + 1, values).astype(np.int64), shares


def _held(each: Floats) -> float:
    """The logarithm of what all bets hold together."""
    return float(np.logaddexp.reduce(each + np.log(SHARES)))


def _end(outside: float, inside: float, refuted: Callable[[float], bool]) -> float:
    """Where the values begin that are refuted, from inside outwards; `outside` if there are none.

    Rounded outwards.
    """
    if not refuted(outside):
        return outside
    for _ in range(HALVINGS):
        middle = (outside + inside) / 2.0
        if refuted(middle):
            outside = middle
        else:
            inside = middle
    return outside


def _add_up(mean: RunningMean) -> bool:
    parts = list(mean._parts.values())
    held = all(part >= 0.0 for part in parts) and math.isfinite(sum(parts))
    return held and abs(sum(parts) - mean.count) <= 1e-6 * (1 + mean.count)
