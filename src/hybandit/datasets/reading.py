"""A report of what was read from a user's file, shown before it is used."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from hybandit.datasets.delimited import SHOWN, Part, SetAside
from hybandit.datasets.sources import Parts, joined
from hybandit.errors import DataFileError, UnknownName, argument
from hybandit.features import Encoder, Recognised, misfits, recognise
from hybandit.features.columns import categories, shown
from hybandit.names import suggestion
from hybandit.state import Flags

if TYPE_CHECKING:
    from rich.table import Table as RichTable

# How all tables in a terminal look.
LAYOUT: dict[str, Any] = {
    "show_edge": False,
    "pad_edge": False,
    "collapse_padding": True,
    "title_justify": "left",
    "title_style": "bold",
    "caption_justify": "left",
    "caption_style": "dim",
}
# If more rows than this share are set aside, the file is refused.
MOST_SET_ASIDE = 0.2
# Of rows set aside, so many are kept, and so many reasons told.
MOST_KEPT, MOST_REASONS = 100_000, 3


@dataclass(frozen=True)
class ReadColumn:
    """A column, its role, its kind, and the reason for the kind."""

    name: str
    role: str
    kind: str
    reason: str
    features: int = 0


@dataclass(frozen=True)
class Reading:
    """What was read and how, to be shown and to be kept with a model.

    Attributes
    ----------
    rows, used
        How many there were, and how many are left.
    set_aside
        The others, each with its reason; of very many, the first 100,000.
    encoder
        What turns such rows into vectors.
    """

    source: str
    columns: tuple[ReadColumn, ...]
    rows: int
    used: int
    aside: Aside
    notes: tuple[str, ...]
    encoder: Encoder

    @property
    def set_aside(self) -> tuple[SetAside, ...]:
        return tuple(self.aside.rows)

    def as_frame(self) -> pd.DataFrame:
        """One row for each column of the file."""
        return pd.DataFrame([asdict(column) for column in self.columns])

    def rich(self) -> RichTable:
        """The same for the terminal, with what was set aside below."""
        from rich import box
        from rich.table import Table
        from rich.text import Text

        title = Text(f"Read from {self.source}")
        heads = ("column", "role", "kind", "why")
        table = Table(*heads, title=title, box=box.SIMPLE_HEAD, **LAYOUT)
        table.add_column("features", justify="right")
        for column in self.columns:
            width = str(column.features or "")
            cells = (column.name, column.role, column.kind, column.reason, width)
            table.add_row(*(Text(cell) for cell in cells))
        table.caption = Text("\n".join([self.counted(), *self.notes]))
        return table

    def counted(self) -> str:
        """Rows, features and rows set aside, in a sentence."""
        width = self.encoder.width
        features = f"{width:,} feature{'s' if width > 1 else ''}"
        text = f"{self.used:,} of {self.rows:,} rows used, {features}"
        if count := self.aside.count:
            rows = f"{count:,} row{'s' if count > 1 else ''}"
            text += f"; {rows} set aside: {self.aside.told()}"
        return text

    def write_set_aside(self, path: Path) -> None:
        """List the rows that were not used in a CSV file."""
        rows = [asdict(row) for row in self.set_aside]
        pd.DataFrame(rows, columns=["line", "reason", "content"]).to_csv(path, index=False)


class Aside:
    """Rows that were not used: how many, their reasons, and the first of them."""

    def __init__(self) -> None:
        self.count = 0
        self.rows: list[SetAside] = []

    def add(self, rows: Iterable[SetAside]) -> None:
        for row in rows:
            self.count += 1
            if len(self.rows) < MOST_KEPT:
                self.rows.append(row)

    def told(self) -> str:
        """The commonest reasons, each with an example line."""
        reasons = Counter(row.reason for row in self.rows).most_common(MOST_REASONS)
        texts = []
        for reason, count in reasons:
            line = next(row.line for row in self.rows if row.reason == reason)
            texts.append(
                f"{reason} (line {line}{f', and {count - 1:,} more' if count > 1 else ''})"
            )
        others = self.count - sum(count for _, count in reasons)
        if others:
            texts.append(f"{others:,} for other reasons")
        return "; ".join(texts) or "none"

    def check(self, source: str, rows: int, used: int) -> None:
        """Refuse a table with too many of them."""
        if self.count > MOST_SET_ASIDE * rows or not used:
            raise DataFileError(
                f"{self.count:,} of the {rows:,} rows of {source} cannot be used, more than "
                f"{MOST_SET_ASIDE:.0%}: {self.told()}"
            )


class Rows:
    """Rows while they are read: each is used, or set aside with a reason."""

    def __init__(self, table: Parts, part: Part, aside: Aside | None = None) -> None:
        self.source, self.headless, self._separator = table.source, table.headless, table.separator
        self.aside = Aside() if aside is None else aside
        self.aside.add(part.broken)
        self.frame, self._lines = part.frame, part.lines
        self.count = len(self.frame) + len(part.broken)

    @classmethod
    def all_of(cls, table: Parts) -> Rows:
        """Every row of a table."""
        rows = cls(table, joined(list(table.parts())))
        if not len(rows.frame):
            raise DataFileError(f"{table.source} has no rows")
        return rows

    def without(self, bad: Flags, reason: Callable[[int], str]) -> None:
        """Set these rows aside; `reason` is asked for each by its place in the frame."""
        if not bad.any():
            return
        contents = _contents(self.frame[bad], self._separator)
        places = zip(np.flatnonzero(bad).tolist(), contents, strict=True)
        self.aside.add(
            SetAside(int(self._lines[place]), reason(place), content) for place, content in places
        )
        self.frame = self.frame[~bad].reset_index(drop=True)
        self._lines = self._lines[~bad]

    def check_enough(self) -> None:
        self.aside.check(self.source, self.count, len(self.frame))

    def column(self, name: str, parameter: str) -> pd.Series:
        """A column by the name that a parameter gave."""
        self._check_column(name, parameter)
        if f"{name}.2" in self.frame:
            raise DataFileError(f"{self.source} has two columns called {name!r}: rename one")
        return self.frame[name]

    def recognised(
        self, serving: Iterable[str], kinds: Mapping[str, str], drop: Sequence[str]
    ) -> dict[str, Recognised]:
        """The kind of each column, except those that have another role."""
        asked = {**kinds, **dict.fromkeys(drop, "drop")}
        for name in asked:
            self._check_column(name, "drop" if name in drop else "kinds")
        taken = set(serving)
        return {
            name: recognise(self.frame[name], asked.get(name))
            for name in self.frame.columns
            if name not in taken
        }

    def _check_column(self, name: str, parameter: str) -> None:
        if name not in self.frame:
            hint = suggestion(name, self.frame.columns)
            raise UnknownName(
                f"{self.source} has no column {name!r}{hint} ({argument(parameter)}){self.headless}"
            )

    def without_misfits(self, recognised: Mapping[str, Recognised]) -> None:
        """Set rows aside in which a number or a date cannot be read."""
        told: dict[int, str] = {}
        for name, found in recognised.items():
            if found.kind in ("number", "date"):
                values = self.frame[name]
                for place in np.flatnonzero(misfits(values, found)).tolist():
                    told.setdefault(place, f"{name}: {shown(values[place])} is not a {found.kind}")
        bad = np.zeros(len(self.frame), bool)
        bad[list(told)] = True
        self.without(bad, told.__getitem__)


def _contents(frame: pd.DataFrame, separator: str) -> list[str]:
    """The rows much as they stand in their file, with nothing where a value is missing."""
    columns = [categories(frame[name]).fillna("") for name in frame.columns]
    return [separator.join(row)[:SHOWN] for row in zip(*columns, strict=True)]


def described(
    recognised: Mapping[str, Recognised], encoder: Encoder, missing: Mapping[str, int]
) -> Iterable[ReadColumn]:
    """The columns that are features, or are not used; `missing` counts values not there."""
    for name, found in recognised.items():
        mine = [each for each in encoder.features if each.column == name]
        width = sum(each.width for each in mine)
        role = "feature" if width else "dropped"
        gaps = missing.get(name, 0) if width else 0
        parts = ", ".join(each.part for each in mine if each.part)
        reason = f"{found.reason}: {parts}" if parts else found.reason
        yield ReadColumn(name, role, found.kind, f"{reason}; {gaps:,} missing" if gaps else reason,
                         width)  # fmt: skip
    if encoder.has_constant:
        yield ReadColumn("(constant)", "feature", "number", "added: what an arm pays on average", 1)
