"""The contents of a section of a report, as data: tables of typed values, and figures.

`hybandit.reports` renders these for the terminal, Markdown, CSV, PNG and HTML.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields

from hybandit.reports.spread import FOR_PEOPLE, Difference, Numbers, Spread, common_digits


@dataclass(frozen=True)
class Worded(Numbers):
    """A number in a phrase, such as "at most {:.2f} of the radius"."""

    value: float
    words: str = field(metadata=FOR_PEOPLE)

    def __str__(self) -> str:
        return self.words.format(self.value)


@dataclass(frozen=True)
class Between(Numbers):
    """An interval, with a number of digits after the point."""

    low: float
    high: float
    digits: int = field(default=4, metadata=FOR_PEOPLE)

    def __str__(self) -> str:
        return f"{self.low:,.{self.digits}f} to {self.high:,.{self.digits}f}"


Value = str | float | bool | Numbers | None
Kind = type[object]


@dataclass(frozen=True)
class Column:
    """The head of a column, what its values are, and how plain numbers are written.

    `name` is the column's in CSV files, where heads need not differ; values of several
    numbers have a column there for each.
    """

    head: str
    kind: Kind = str
    form: str = ",.0f"
    name: str = ""
    missing: str = "-"

    @property
    def csv_names(self) -> list[str]:
        name = self.name or self.head
        parts = parts_of(self.kind)
        return [f"{name} {part}" for part in parts] if parts else [name]

    def text(self, value: Value) -> str:
        """For people."""
        if value is None:
            return self.missing
        if isinstance(value, bool):
            return "yes" if value else "no"
        return f"{value:{self.form}}" if isinstance(value, (int, float)) else str(value)

    def texts(self, values: Sequence[Value]) -> list[str]:
        """A column for people: its numbers in one form."""
        several = [value for value in values if isinstance(value, (Spread, Difference))]
        if not several:
            return [self.text(value) for value in values]
        digits = common_digits(several)
        return [
            value.text(digits) if isinstance(value, (Spread, Difference)) else self.text(value)
            for value in values
        ]

    def numbers(self, value: Value) -> list[object]:
        """For programs: one entry for each of `csv_names`."""
        parts = parts_of(self.kind)
        if value is None:
            return [""] * max(1, len(parts))
        if not parts:
            return [self.text(value) if isinstance(value, bool) else value]
        found = [getattr(value, part) for part in parts]
        return ["" if each is None else each for each in found]


def texts(*heads: str) -> list[Column]:
    """Columns of words."""
    return [Column(head) for head in heads]


def parts_of(kind: Kind) -> list[str]:
    """The names of the numbers that a kind of value is made of; none for plain ones."""
    plain = kind in (str, float, int, bool)
    if plain:
        return []
    return [entry.name for entry in fields(kind) if not entry.metadata]  # type: ignore[arg-type]


@dataclass(frozen=True)
class ReportTable:
    """Rows of values under their columns. The row `best` stands out."""

    name: str
    title: str
    columns: Sequence[Column]
    rows: Sequence[Sequence[Value]]
    note: str = ""
    best: int | None = None


@dataclass(frozen=True)
class Line:
    """A line of a figure, with a band of one sd. `policy` is whose it is, for its colour."""

    label: str
    policy: str
    x: Sequence[float]
    y: Sequence[float]
    sd: Sequence[float] | None = None


@dataclass(frozen=True)
class Lines:
    """Lines in panels by title; `level` is one more, dotted and flat, with its label."""

    name: str
    caption: str
    panels: Mapping[str, Sequence[Line]]
    x_label: str
    y_label: str
    logarithmic: bool = False
    marked: bool = False
    level: tuple[str, float] | None = None


@dataclass(frozen=True)
class Bars:
    """A bar for each labelled spread, in panels by title."""

    name: str
    caption: str
    panels: Mapping[str, Sequence[tuple[str, Spread]]]
    y_label: str
    y_limit: float
    x_label: str = "setting"


@dataclass(frozen=True)
class Boxes:
    """Median, quartiles and range of labelled values, in panels by title."""

    name: str
    caption: str
    panels: Mapping[str, Mapping[str, Sequence[float]]]
    y_label: str
    x_label: str = "model"


@dataclass(frozen=True)
class Points:
    """A point with its sd for each tick, in series by label."""

    name: str
    caption: str
    ticks: Sequence[str]
    series: Mapping[str, Sequence[Spread | None]]
    y_label: str
    y_limit: float
    x_label: str


Figure = Lines | Bars | Boxes | Points


@dataclass(frozen=True)
class Sentence:
    """A conclusion, and the table that it is read from."""

    text: str
    table: str


@dataclass(frozen=True)
class Section:
    """One experiment in a report.

    The `verdict`, or `sentences` with the tables they come from, stand before all else; what
    to `watch` out for, and `details`, come last.
    """

    id: str
    title: str
    about: str
    tables: Sequence[ReportTable] = ()
    figures: Sequence[Figure] = ()
    notes: Sequence[str] = ()
    verdict: str = ""
    watch: Sequence[str] = ()
    details: Sequence[ReportTable] = ()
    sentences: Sequence[Sentence] = ()
