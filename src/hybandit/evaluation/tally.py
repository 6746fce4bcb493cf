"""Running sums over the events of a log: what every estimate and its intervals are made of."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np

from hybandit.evaluation.betting import RunningMean
from hybandit.evaluation.formulas import Events, Extent, Extents, Formula
from hybandit.evaluation.intervals import BLOCKS, Interval, Intervals, Moments
from hybandit.state import Floats, Integers

# The number of points of a course.
COURSE_POINTS = 200


@dataclass(frozen=True)
class Course:
    """The estimate along the log: sums over the first events, at up to 200 points.

    The estimate after `at` events is ``earned / counted``.
    """

    at: tuple[int, ...]
    earned: tuple[float, ...]
    counted: tuple[float, ...]

    def values(self) -> list[tuple[int, float]]:
        """The estimate at each point where there is one."""
        points = zip(self.at, self.earned, self.counted, strict=True)
        return [(at, earned / counted) for at, earned, counted in points if counted > 0.0]

    @classmethod
    def of(cls, terms: Floats, shares: Floats) -> Course:
        runs = Runs(len(terms))
        runs.add(0, terms, shares)
        return runs.course()


@dataclass(frozen=True)
class ValueEstimate:
    """The mean reward that a policy would have earned, and how reliable that is.

    Attributes
    ----------
    estimator
        Its name.
    value
        The estimate, in rewards per event.
    bootstrap, sure
        Two intervals: the first is approximate and good for many events, the second is valid
        for any number of events, and wider. Decide by the first, unless the effective sample is
        small (below 100), or you look again and again as a log grows: the second holds at all
        times at once. That of a ratio (`snips`, `replay`) is for one look.
    effective_sample_size
        ``(sum w)^2 / sum w^2``: this many events of equal weight would be as informative.
    largest_weight
        The weight of the event that counts most.
    rows
        How many events were used; replay uses only those that match.
    course
        The estimate as the log went on.
    """

    estimator: str
    value: float
    bootstrap: Interval
    sure: Interval
    effective_sample_size: float
    largest_weight: float
    rows: int
    course: Course = field(repr=False)


class Runs:
    """Sums of terms and shares over runs of consecutive events of a log with `count` events.

    The runs end where those of the bootstrap do, and at the points of a course.
    """

    def __init__(self, count: int) -> None:
        self.count = count
        self._starts, self._blocks, self._at = _cuts(count)
        self.sums = np.zeros((2, len(self._starts)))

    def add(self, first: int, terms: Floats, shares: Floats) -> None:
        """Add consecutive events, of which the first has this number."""
        low = int(self._starts.searchsorted(first, "right")) - 1
        high = int(self._starts.searchsorted(first + len(terms)))
        starts = np.maximum(self._starts[low:high] - first, 0)
        self.sums[0, low:high] += np.add.reduceat(terms, starts)
        self.sums[1, low:high] += np.add.reduceat(shares, starts)

    def blocks(self) -> Floats:
        """The sums over the parts that the bootstrap draws, (parts, 2)."""
        return np.add.reduceat(self.sums, self._starts.searchsorted(self._blocks), axis=1).T

    def course(self) -> Course:
        places = self._starts.searchsorted(self._at) - 1
        earned, counted = np.cumsum(self.sums, axis=1)[:, places].tolist()
        return Course(tuple(self._at.tolist()), tuple(earned), tuple(counted))


@lru_cache(maxsize=4)
def _cuts(count: int) -> tuple[Integers, Integers, Integers]:
    """Where runs start, where parts of the bootstrap start, and the points of a course."""
    blocks = np.arange(0, count, -(-count // BLOCKS))
    at = np.unique(np.linspace(1, count, min(COURSE_POINTS, count)).round().astype(np.int64))
    return np.union1d(blocks, at[:-1]), blocks, at


class Tally:
    """What one estimator needs to know of the events of a log, in memory that does not grow.

    Examples
    --------
    >>> from hybandit.evaluation.formulas import FORMULAS
    >>> tally = Tally(FORMULAS["ips"], count=3)
    >>> for first in range(3):
    ...     one = Events(np.array([float(first)]), np.array([0.5]), np.array([0.5]))
    ...     tally.add(first, one)
    >>> tally.estimate().value
    1.0
    """

    def __init__(
        self,
        formula: Formula,
        count: int,
        *,
        intervals: Intervals | None = None,
        threshold: float = np.inf,
    ) -> None:
        self.formula = formula
        self.intervals = Intervals() if intervals is None else intervals
        self.threshold = threshold
        self.runs = Runs(count)
        self.moments = Moments()
        self.mean, self.ends = RunningMean(), Extent()
        self.extents = Extents()
        self.weight = self.squares = 0.0

    def add(self, first: int, events: Events) -> None:
        """Add consecutive events, of which the first has this number in the log."""
        terms, shares, weights = self.formula.parts(events, self.threshold)
        self.runs.add(first, terms, shares)
        self.moments.add(terms, shares)
        if self.formula.is_mean:
            self.mean.add_many(terms)
            self.ends = self.ends.joined(Extent.of(terms))
        self.weight += float(weights.sum())
        self.squares += float(np.square(weights).sum())
        self.extents = self.extents.joined(Extents.of(events, weights))

    def join(self, other: Tally) -> None:
        """Add what was tallied of later events of the same log."""
        self.runs.sums = self.runs.sums + other.runs.sums
        self.moments.join(other.moments)
        self.mean.join(other.mean)
        self.ends = self.ends.joined(other.ends)
        self.weight += other.weight
        self.squares += other.squares
        self.extents = self.extents.joined(other.extents)

    def estimate(self) -> ValueEstimate:
        top, bottom = self.runs.sums.sum(axis=1).tolist()
        seen = self.extents.rewards
        span = self.formula.span(self._assumed(seen))
        limits = self.intervals.limits(seen)
        return ValueEstimate(
            estimator=self.formula.name,
            value=top / bottom,
            bootstrap=self.intervals.bootstrap(self.runs.blocks()),
            sure=self._sure(top / bottom, span, limits),
            effective_sample_size=self.weight**2 / self.squares if self.squares else 0.0,
            largest_weight=self.extents.weights.high,
            rows=round(bottom) if self.formula.name == "replay" else self.runs.count,
            course=self.runs.course(),
        )

    def _sure(self, value: float, span: float, limits: tuple[float, float]) -> Interval:
        """By betting, or of a ratio by empirical Bernstein.

        Cut to the `limits`, but not beyond the value itself, which weights may carry past them.
        """
        if not self.formula.is_mean:
            return self.intervals.bernstein(self.moments, span, limits)
        low, high = limits
        if not span:
            return Interval(value, value)
        # Terms that are within `span` of each other have their mean there, too.
        lowest, highest = self.ends.high - span, self.ends.low + span
        cut = max(min(low, value), lowest), min(max(high, value), highest)
        return self.mean.interval(span, cut, self.intervals.confidence)

    def _assumed(self, seen: Extent) -> Extents:
        """The extents, with the rewards as far as they can go."""
        return self.extents._replace(rewards=Extent(*self.intervals.rewards(seen)))
