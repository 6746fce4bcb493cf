"""Confidence intervals for a ratio of two sums over the events of a log."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from hybandit.errors import InvalidInput
from hybandit.state import Floats
from hybandit.validation.settings import inside, is_finite, whole

RESAMPLES = 1000
# With more events than this, runs of consecutive events are drawn instead of single ones.
BLOCKS = 2000


class Interval(NamedTuple):
    """From `low` to `high`."""

    low: float
    high: float


@dataclass(frozen=True)
class Intervals:
    """The settings of confidence intervals.

    Parameters
    ----------
    confidence
        The probability with which an interval should contain the true value.
    reward_range
        The least and the most a reward can be. Default: 0 to 1 where all rewards lie
        there, else the least and the most in the log. Only the sure interval needs it, and is
        cut to it unless it is only what the log happens to have.
    seed
        The seed of the bootstrap.

    Examples
    --------
    >>> from hybandit.evaluation import ips
    >>> wide = ips([1.0, 0.0], [0.5, 0.5], [1.0, 0.5], intervals=Intervals(confidence=0.99))
    >>> wide.value, wide.sure
    (1.0, Interval(low=0.0, high=1.0))
    """

    confidence: float = 0.95
    reward_range: tuple[float, float] | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        inside(0.0, 1.0).check("confidence", self.confidence)
        whole(0).check("seed", self.seed)
        if self.reward_range is not None and not _is_range(self.reward_range):
            rule = "two finite numbers, the least and a larger most"
            raise InvalidInput("reward_range", rule, self.reward_range)

    def rewards(self, seen: tuple[float, float]) -> tuple[float, float]:
        """The range of rewards to assume, given the least and the most that were seen."""
        low, high = seen
        if self.reward_range is None:
            return (0.0, 1.0) if low >= 0.0 and high <= 1.0 else (low, high)
        if low < self.reward_range[0] or high > self.reward_range[1]:
            rule = f"wide enough for the rewards, {low:g} to {high:g}"
            raise InvalidInput("reward_range", rule, self.reward_range)
        return self.reward_range

    def limits(self, seen: tuple[float, float]) -> tuple[float, float]:
        """The range that no mean reward can leave; infinite if only the log's own is known."""
        found = self.rewards(seen)
        known = self.reward_range is not None or found == (0.0, 1.0)
        return found if known else (-math.inf, math.inf)

    def bootstrap(self, parts: Floats) -> Interval:
        """Percentiles of ``sum(terms) / sum(shares)`` over samples drawn with replacement.

        `parts`, (n, 2), are the sums of terms and of shares over parts of the log. Of more than
        2,000 events these are about as many runs of consecutive ones, which takes no longer for
        a long log and allows for neighbours in time that are alike.
        """
        # Not by BLAS, whose last digits depend on the number of its threads.
        top, bottom = np.einsum("sp,pk->ks", _resamples(len(parts), self.seed), parts)
        values = top[bottom > 0.0] / bottom[bottom > 0.0]
        outside = (1.0 - self.confidence) / 2.0
        low, high = np.quantile(values, [outside, 1.0 - outside])
        return Interval(float(low), float(high))

    def bernstein(
        self,
        moments: Moments,
        span: float,
        limits: tuple[float, float] = (-math.inf, math.inf),
    ) -> Interval:
        """Empirical Bernstein: ``sqrt(2 V log / n) + 7 span log / (3 (n - 1))`` to either side.

        V is the variance of ``terms - value * shares``, which differ by at most `span`; log is
        ``ln(4 / (1 - confidence))``; the sum is divided by the mean share. For means it holds
        with any number of events. It is cut to the `limits`, but not beyond the value itself, which
        weights may carry past them.

        References
        ----------
        Maurer, Pontil (2009). Empirical Bernstein bounds and sample variance penalization.
        COLT.
        """
        term, share = moments.means.tolist()
        value, count = term / share, moments.count
        logarithm = math.log(4.0 / (1.0 - self.confidence))
        radius = math.sqrt(2.0 * moments.variance(value) * logarithm / count)
        radius += 7.0 * span * logarithm / (3.0 * (count - 1))
        radius /= share
        low, high = limits
        return Interval(max(value - radius, min(low, value)), min(value + radius, max(high, value)))


class Moments:
    """Means and products of the deviations of terms and shares, part by part of a log.

    Examples
    --------
    >>> moments = Moments()
    >>> for part in ([1.0, 2.0], [3.0]):
    ...     moments.add(np.array(part), np.ones(len(part)))
    >>> moments.means, moments.variance(2.0)
    (array([2., 1.]), 1.0)
    """

    def __init__(self) -> None:
        self.count = 0
        self.means = np.zeros(2)
        self.products = np.zeros((2, 2))

    def add(self, terms: Floats, shares: Floats) -> None:
        part = Moments()
        pairs = np.stack([terms, shares])
        part.count, part.means = len(terms), pairs.mean(axis=1)
        pairs -= part.means[:, None]
        part.products = np.einsum("ie,je->ij", pairs, pairs)
        self.join(part)

    def join(self, other: Moments) -> None:
        """Add the moments of other events."""
        if not other.count:
            return
        count = self.count + other.count
        step = other.means - self.means
        self.means = self.means + step * (other.count / count)
        self.products = self.products + other.products
        self.products += np.outer(step, step) * (self.count * other.count / count)
        self.count = count

    def variance(self, value: float) -> float:
        """The variance of ``terms - value * shares``."""
        weights = np.array([1.0, -value])
        return max(float(weights @ self.products @ weights), 0.0) / (self.count - 1)


def _is_range(given: Any) -> bool:
    """Whether these are two numbers, the second larger."""
    pair = list(given) if isinstance(given, (tuple, list)) else []
    if len(pair) != 2:
        return False
    low, high = pair
    return is_finite(low) and is_finite(high) and bool(low < high)


@lru_cache(maxsize=1)
def _resamples(count: int, seed: int) -> Floats:
    """How often each part is drawn, for every sample; cached for several estimates in a row."""
    draws = np.random.default_rng(seed).integers(count, size=(RESAMPLES, count))
    return np.stack([np.bincount(drawn, minlength=count) for drawn in draws]).astype(np.float64)
