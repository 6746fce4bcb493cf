"""The difference in value of two policies on the same log."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hybandit.errors import InvalidInput, Unquoted
from hybandit.evaluation.intervals import Interval
from hybandit.evaluation.tally import Course
from hybandit.state import Floats

RESAMPLES = 2000


@dataclass(frozen=True)
class Gap:
    """A difference of two values, with the interval that 95 % of resampled logs give."""

    value: float
    interval: Interval

    @property
    def sure(self) -> bool:
        """Whether the interval excludes 0."""
        return self.interval.low > 0.0 or self.interval.high < 0.0


def gap(first: Course, second: Course, *, seed: int = 0) -> Gap:
    """First - second. Both saw the same events, so the same parts of the log are drawn for both.

    Examples
    --------
    >>> generator = np.random.default_rng(0)
    >>> rewards, ones = generator.random(1000), np.ones(1000)
    >>> found = gap(Course.of(rewards + 0.01, ones), Course.of(rewards, ones))
    >>> round(found.value, 4), found.sure
    (0.01, True)
    """
    if first.at != second.at:
        raise InvalidInput("second", "of the same log as the first", Unquoted("another"))
    parts = [np.diff(each, prepend=0.0) for each in _sums(first) + _sums(second)]
    generator = np.random.default_rng(seed)
    count = len(first.at)
    drawn = generator.multinomial(count, np.full(count, 1.0 / count), size=RESAMPLES)
    tops, counts, others, other_counts = (drawn @ part for part in parts)
    fair = (counts > 0.0) & (other_counts > 0.0)
    steps = tops[fair] / counts[fair] - others[fair] / other_counts[fair]
    low, high = np.quantile(steps, [0.025, 0.975])
    value = first.earned[-1] / first.counted[-1] - second.earned[-1] / second.counted[-1]
    return Gap(value, Interval(float(low), float(high)))


def _sums(course: Course) -> list[Floats]:
    return [np.array(course.earned), np.array(course.counted)]
