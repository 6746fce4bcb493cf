"""Means, spreads and differences over runs, and how they are written."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import stdtrit

# With fewer runs an interval says nothing.
FEWEST, TOO_FEW = 3, "too few runs to tell"
# Marks fields that are needed for printing but not in CSV files.
FOR_PEOPLE = {"for people": True}


class Numbers:
    """Base of values that are made of several numbers, and print as one text.

    A subclass is a dataclass; in CSV files each of its fields has a column.
    """


@dataclass(frozen=True)
class Spread(Numbers):
    """Mean and sample standard deviation over runs."""

    mean: float
    sd: float
    runs: int

    @classmethod
    def of(cls, values: Sequence[float]) -> Spread:
        sd = float(np.std(values, ddof=1)) if len(values) > 1 else 0.0
        return cls(float(np.mean(values)), sd, len(values))

    @classmethod
    def of_any(cls, values: Sequence[float]) -> Spread | None:
        """None of no values."""
        return cls.of(values) if values else None

    def __str__(self) -> str:
        alone = self.runs == 1 and self.mean.is_integer()
        return self.text(0 if alone else _digits(self.size))

    @property
    def size(self) -> float:
        """What decides how many digits are worth reading."""
        return max(abs(self.mean), self.sd)

    def text(self, digits: int) -> str:
        """With so many digits after the point."""
        sd = "" if self.runs == 1 else f" ± {self.sd:,.{digits}f}"
        return f"{self.mean:,.{digits}f}{sd}"


@dataclass(frozen=True)
class Difference(Numbers):
    """The mean of paired differences, with a 95 % confidence interval."""

    mean: float
    low: float
    high: float
    runs: int

    def __str__(self) -> str:
        return self.text(self.digits)

    def text(self, digits: int) -> str:
        """With so many digits after the point."""
        low, high = (f"{value:+,.{digits}f}" for value in (self.low, self.high))
        within = TOO_FEW if self.runs < FEWEST else f"{low}, {high}"
        return f"{self.mean:+,.{digits}f} [{within}]"

    @property
    def digits(self) -> int:
        """How many digits after the point are worth reading."""
        return _digits(self.size)

    @property
    def size(self) -> float:
        """What decides how many digits are worth reading."""
        return max(abs(self.low), abs(self.high), abs(self.mean))

    def in_words(self, digits: int = 0) -> str:
        """As part of a sentence, with `digits` after the point: see `compared`."""
        if self.runs < FEWEST:
            word = "more" if self.mean >= 0.0 else "less"
            return f"{abs(self.mean):,.{digits}f} {word} [{TOO_FEW}]"
        return compared(self.mean, self.low, self.high, digits)


def compared(value: float, low: float, high: float, digits: int) -> str:
    """A difference in words, with its interval; said if chance alone may explain it."""
    chance = "" if low > 0.0 or high < 0.0 else "; may be chance"
    word = "more" if value >= 0.0 else "less"
    if value < 0.0:
        value, low, high = -value, -high, -low
    return f"{value:,.{digits}f} {word} [{low:,.{digits}f}, {high:,.{digits}f}{chance}]"


def paired(
    first: Mapping[int, float], second: Mapping[int, float], *, comparisons: int = 1
) -> Difference | None:
    """First - second over the seeds both have; None with fewer than two.

    With several `comparisons`, all intervals hold together with 95 % (Bonferroni).
    """
    seeds = sorted(first.keys() & second.keys())
    if len(seeds) < 2:
        return None
    steps = np.array([first[seed] - second[seed] for seed in seeds])
    quantile = stdtrit(len(seeds) - 1, 1.0 - 0.025 / comparisons)
    half = float(quantile * steps.std(ddof=1) / math.sqrt(len(seeds)))
    mean = float(steps.mean())
    return Difference(mean, mean - half, mean + half, len(seeds))


def interval(values: Mapping[int, float]) -> Difference | None:
    """The mean of values by seed, with its interval; None with fewer than two."""
    return paired(values, dict.fromkeys(values, 0.0))


def digits_of(values: Iterable[float]) -> int:
    """The number of digits after the point that shows four significant ones of the largest.

    Examples
    --------
    >>> digits_of([0.6294, 0.0123]), digits_of([0.0005]), digits_of([5432.1])
    (4, 7, 0)
    """
    size = max(map(abs, values), default=0.0)
    return max(0, 3 - math.floor(math.log10(size))) if size else 4


def common_digits(values: Sequence[Spread | Difference]) -> int:
    """Digits after the point for numbers that stand below each other.

    The largest decides; more are taken where the smallest would have fewer than two that count.

    Examples
    --------
    >>> common_digits([Spread(7.123, 1.4, 5), Spread(115.2, 7.1, 5)])
    1
    """
    sizes = [value.size for value in values]
    if all(value.runs == 1 and value.mean.is_integer() for value in values):
        return 0
    least = min((size for size in sizes if size), default=1.0)
    return max(_digits(max(sizes)), min(3, 1 - math.floor(math.log10(least))))


def _digits(size: float) -> int:
    return 0 if size >= 1000 else 1 if size >= 10 else 2 if size >= 1 else 3
