"""What an encoder needs to know of a table, gathered a part at a time."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import pandas as pd

from hybandit.features import columns
from hybandit.features.columns import Recognised
from hybandit.state import Floats

# Parts of a date, by the names that pandas has for them.
CALENDAR = {"month": "month", "weekday": "day_of_week", "hour": "hour"}
# So many different categories are counted; beyond, the rarest so far are dropped.
MOST_COUNTED = 200_000


@dataclass(frozen=True)
class Feature:
    """One number or category that an encoder makes of a column, or of a part of its dates."""

    column: str
    part: str
    kind: str
    style: str
    mean: float = 0.0
    spread: float = 0.0
    categories: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        return f"{self.column}.{self.part}" if self.part else self.column

    @property
    def width(self) -> int:
        return len(self.categories) if self.kind == "category" else 1


class Fitting:
    """Means, spreads and the commonest categories of columns, whose kinds are known.

    Examples
    --------
    >>> fitting = Fitting({"age": Recognised("number", "", "as asked")})
    >>> for ages in ([20.0, None], [40.0]):
    ...     fitting.add(pd.DataFrame({"age": ages}))
    >>> [(each.name, each.mean) for each in fitting.features()], fitting.missing
    ([('age', 30.0)], {'age': 1})
    """

    def __init__(self, recognised: Mapping[str, Recognised]) -> None:
        self._columns: dict[str, _Column] = {name: _WAYS[found.kind](name, found.style)
                         for name, found in recognised.items()
                         if found.kind in _WAYS}  # fmt: skip
        self.missing = dict.fromkeys(self._columns, 0)

    def add(self, table: pd.DataFrame) -> None:
        """Add rows, all of whose values can be read."""
        for name, column in self._columns.items():
            self.missing[name] += column.add(table[name])

    def features(self) -> list[Feature]:
        return [feature for column in self._columns.values() for feature in column.features()]


class _Column(Protocol):
    """What is gathered of one column."""

    def add(self, column: pd.Series, /) -> int: ...
    def features(self) -> Iterable[Feature]: ...


class _Scale:
    """Mean and spread of numbers; a missing one counts as the mean."""

    def __init__(self) -> None:
        self.rows = self.known = 0
        self.mean = self.squares = self.largest = 0.0

    def add(self, values: Floats) -> int:
        """Returns how many are missing."""
        known = values[~np.isnan(values)]
        self.rows += len(values)
        if len(known):
            mean, count = float(known.mean()), self.known + len(known)
            step = mean - self.mean
            self.squares += float(np.square(known - mean).sum())
            self.squares += step * step * (self.known * len(known) / count)
            self.mean += step * (len(known) / count)
            self.known = count
            self.largest = max(self.largest, float(np.abs(known).max()))
        return len(values) - len(known)

    def feature(self, column: str, part: str, style: str) -> Feature:
        spread = math.sqrt(self.squares / self.rows) if self.rows else 0.0
        # That of a column that is constant, to rounding, is 0.
        if spread <= 1e-12 * self.largest:
            spread = 0.0
        return Feature(column, part, "number", style, self.mean, spread)


class _Counts:
    """How often each category occurs."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()

    def __len__(self) -> int:
        return len(self._counts)

    def add(self, values: pd.Series) -> int:
        counts = values.value_counts(sort=False)
        self._counts.update(dict(zip(counts.index.tolist(), counts.tolist(), strict=True)))
        if len(self._counts) > MOST_COUNTED:
            self._counts = Counter(dict(self._counts.most_common(MOST_COUNTED // 2)))
        return int(values.isna().sum())

    def feature(self, column: str, part: str, style: str) -> Feature:
        kept = sorted(name for name, _ in self._counts.most_common(columns.MOST_CATEGORIES))
        return Feature(column, part, "category", style, categories=tuple(kept))


class _Numbers:
    def __init__(self, name: str, style: str) -> None:
        self._name, self._style, self._scale = name, style, _Scale()

    def add(self, column: pd.Series) -> int:
        return self._scale.add(columns.numbers(column, self._style)[0])

    def features(self) -> Iterable[Feature]:
        yield self._scale.feature(self._name, "", self._style)


class _Categories:
    def __init__(self, name: str, style: str) -> None:
        self._name, self._style, self._counts = name, style, _Counts()

    def add(self, column: pd.Series) -> int:
        return self._counts.add(columns.categories(column))

    def features(self) -> Iterable[Feature]:
        yield self._counts.feature(self._name, "", self._style)


class _Dates:
    """Days, and the parts of the calendar that vary."""

    def __init__(self, name: str, style: str) -> None:
        self._name, self._style = name, style
        self._days, self._hours = _Scale(), _Scale()
        self._calendar = {part: _Counts() for part in ("month", "weekday")}

    def add(self, column: pd.Series) -> int:
        moments, _ = columns.dates(column, self._style)
        for part, counts in self._calendar.items():
            counts.add(part_of(moments, part))
        self._hours.add(part_of(moments, "hour").to_numpy())
        self._days.add(days(moments))
        return int(column.isna().sum())

    def features(self) -> Iterable[Feature]:
        yield self._days.feature(self._name, "days", self._style)
        for part, counts in self._calendar.items():
            if len(counts) > 1:
                yield counts.feature(self._name, part, self._style)
        if self._hours.squares > 0.0:
            yield self._hours.feature(self._name, "hour", self._style)


_WAYS: dict[str, Any] = {"number": _Numbers, "category": _Categories, "date": _Dates}


def part_of(moments: pd.Series, part: str) -> pd.Series:
    """A part of each date: days and hours as numbers, others as texts."""
    if part == "days":
        return pd.Series(days(moments), index=moments.index)
    numbers = pd.Series(getattr(moments.dt, CALENDAR[part]), index=moments.index)
    if part == "hour":
        return numbers.astype(np.float64)
    # Two digits, so that their order as text is that of the calendar.
    codes, known = pd.factorize(numbers)
    texts = np.array([*(f"{number:02.0f}" for number in known), None], object)
    return pd.Series(texts[codes], index=moments.index, dtype=object)


def days(moments: pd.Series) -> Floats:
    seconds = (moments - pd.Timestamp(1970, 1, 1)).dt.total_seconds()
    return np.asarray(seconds, np.float64) / 86_400.0
