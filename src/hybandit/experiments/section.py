"""What an experiment has to say, as data: tables of typed values, figures, verdicts.

`hybandit.reports` renders these for the terminal, Markdown, CSV, PNG and HTML.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields

from scipy.special import stdtrit

from hybandit.experiments.spread import Difference, Spread

# The paper's means and deviations are over so many runs.
PRINTED_RUNS = 20
REPRODUCED, CANNOT_TELL, NOT_REPRODUCED = "reproduced", "cannot tell", "not reproduced"
# Marks what a value needs to be printed, and CSV files do not.
FOR_PEOPLE = {"for people": True}


@dataclass(frozen=True)
class Published:
    """A printed number, with its standard deviation where one is printed, too."""

    mean: float | None
    sd: float | None = None

    def __str__(self) -> str:
        if self.sd is None:
            return "?" if self.mean is None else f"{self.mean:,.0f}"
        if self.mean is None:
            return f"? ± {self.sd:.2f}"
        return str(Spread(self.mean, self.sd, 2))


@dataclass(frozen=True)
class PublishedShare:
    """A printed mean reward, which the paper gives to two digits, and its deviation."""

    mean: float | None
    sd: float | None

    def __str__(self) -> str:
        mean, sd = ("?" if each is None else f"{each:.2f}" for each in (self.mean, self.sd))
        return f"{mean} ± {sd}"


@dataclass(frozen=True)
class PublishedRun:
    """A printed reward and the seconds it took."""

    reward: float
    seconds: float

    def __str__(self) -> str:
        return f"{self.reward:,} / {self.seconds:,.0f} s"


@dataclass(frozen=True)
class Gain:
    """How much more one model earns: in percent, and by pairs where both have seeds."""

    percent: float
    mean: float | None = None
    low: float | None = None
    high: float | None = None
    runs: int | None = None

    def __str__(self) -> str:
        shown = f"{self.percent:+.0f} %"
        if self.mean is None or self.low is None or self.high is None:
            return shown
        return f"{shown}, {Difference(self.mean, self.low, self.high, self.runs or 0)}"


@dataclass(frozen=True)
class Share:
    """So many of so many."""

    part: int
    whole: int

    def __str__(self) -> str:
        return f"{self.part} of {self.whole}"


@dataclass(frozen=True)
class Worded:
    """A number in a phrase, such as "at most {:.2f} of the radius"."""

    value: float
    words: str = field(metadata=FOR_PEOPLE)

    def __str__(self) -> str:
        return self.words.format(self.value)


@dataclass(frozen=True)
class Between:
    """An interval, with so many digits after the point."""

    low: float
    high: float
    digits: int = field(default=4, metadata=FOR_PEOPLE)

    def __str__(self) -> str:
        return f"{self.low:,.{self.digits}f} to {self.high:,.{self.digits}f}"


Value = (
    str | float | bool | Spread | Difference | Published | PublishedShare | PublishedRun | Gain
    | Share | Worded | Between | None
)  # fmt: skip
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

    def numbers(self, value: Value) -> list[object]:
        """For programs: one entry for each of `csv_names`."""
        parts = parts_of(self.kind)
        if value is None:
            return [""] * max(1, len(parts))
        if not parts:
            return [self.text(value) if isinstance(value, bool) else value]
        found = [getattr(value, part) for part in parts]
        return ["" if each is None else each for each in found]


def parts_of(kind: Kind) -> list[str]:
    """The names of the numbers that a kind of value is made of; none for plain ones."""
    plain = kind in (str, float, int, bool)
    if plain:
        return []
    return [entry.name for entry in fields(kind) if not entry.metadata]  # type: ignore[arg-type]


@dataclass(frozen=True)
class Table:
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


@dataclass(frozen=True)
class Boxes:
    """Median, quartiles and range of labelled values, in panels by title."""

    name: str
    caption: str
    panels: Mapping[str, Mapping[str, Sequence[float]]]
    y_label: str


@dataclass(frozen=True)
class Points:
    """A point with its sd for each tick, in series by label."""

    name: str
    caption: str
    ticks: Sequence[str]
    series: Mapping[str, Sequence[Spread | None]]
    y_label: str
    y_limit: float


Figure = Lines | Bars | Boxes | Points


@dataclass(frozen=True)
class Verdict:
    """A printed number beside ours, and whether ours reproduces it."""

    experiment: str
    number: str
    published: Published
    ours: Spread
    outcome: str

    @classmethod
    def of(cls, experiment: str, number: str, published: Published, ours: Spread) -> Verdict:
        """By the 95 % interval of ours less the printed mean, which weighs both spreads.

        Reproduced: the interval lies within 5 % of the printed mean, or holds zero and reaches
        less than that to either side. Where it holds zero and is wider nobody can tell. A
        number printed without a deviation counts as exact.
        """
        mean = published.mean or 0.0
        gap, half, close = abs(ours.mean - mean), 0.0, 0.05 * abs(mean)
        if ours.runs > 1:
            of_theirs = (published.sd or 0.0) ** 2 / PRINTED_RUNS
            error = math.sqrt(ours.sd**2 / ours.runs + of_theirs)
            half = float(stdtrit(ours.runs - 1, 0.975)) * error
        if gap + half <= close or (gap <= half < close):
            outcome = REPRODUCED
        else:
            outcome = CANNOT_TELL if gap <= half else NOT_REPRODUCED
        return cls(experiment, number, published, ours, outcome)


@dataclass(frozen=True)
class Section:
    """One experiment in a report.

    The `verdict` stands before all else; what to `watch` out for, and `details`, come last.
    """

    id: str
    title: str
    about: str
    tables: Sequence[Table] = ()
    figures: Sequence[Figure] = ()
    notes: Sequence[str] = ()
    verdict: str = ""
    watch: Sequence[str] = ()
    details: Sequence[Table] = ()
