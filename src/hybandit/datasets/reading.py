"""A report of what was read from a user's file, shown before it is used."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from hybandit.datasets.arguments import check_source
from hybandit.datasets.delimited import (
    SHOWN,
    SetAside,
    look_like_data,
    read_delimited,
    unique_names,
)
from hybandit.errors import DataFileError, UnknownName, argument
from hybandit.features import Encoder, Recognised, misfits, recognise
from hybandit.features.columns import categories, numbers, shown
from hybandit.names import suggestion
from hybandit.state import Flags

if TYPE_CHECKING:
    from rich.table import Table as RichTable

Source = str | Path | pd.DataFrame
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
HEADLESS = "; the first line looks like data: the file needs a first line with the names of columns"


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
        The others, each with its reason.
    encoder
        What turns such rows into vectors.
    """

    source: str
    columns: tuple[ReadColumn, ...]
    rows: int
    used: int
    set_aside: tuple[SetAside, ...]
    notes: tuple[str, ...]
    encoder: Encoder

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
        if self.set_aside:
            count = len(self.set_aside)
            rows = f"{count:,} row{'s' if count > 1 else ''}"
            text += f"; {rows} set aside: {most_frequent(self.set_aside)}"
        return text

    def write_set_aside(self, path: Path) -> None:
        """List the rows that were not used in a CSV file."""
        rows = [asdict(row) for row in self.set_aside]
        pd.DataFrame(rows, columns=["line", "reason", "content"]).to_csv(path, index=False)


def is_file(data: str) -> bool:
    """Whether this names a file: the names of data sets have neither dots nor slashes.

    Examples
    --------
    >>> is_file("visits.csv"), is_file("digits")
    (True, False)
    """
    return any(sign in data for sign in "./\\")


def check_is_file(source: str | Path) -> None:
    """Refuse what is no file, before it is read."""
    if Path(source).is_dir():
        raise DataFileError(f"{source} is a folder: name the file in it")
    if not Path(source).is_file():
        raise DataFileError(f"there is no file {source}")


class Rows:
    """Rows while they are read: each is used, or set aside with a reason."""

    def __init__(
        self, source: Source, separator: str | None = None, file_encoding: str | None = None
    ) -> None:
        self.notes: list[str] = []
        self.set_aside: list[SetAside] = []
        # What a message about missing columns ends with if the file seems to have no header.
        self.headless = ""
        self._separator = ","
        check_source("source", source)
        if isinstance(source, pd.DataFrame):
            self.source, self.frame, lines = "a DataFrame", source.copy(deep=False), None
            self.frame.columns = unique_names([str(name) for name in source.columns])
            first = 0
        else:
            self.source = str(source)
            check_is_file(source)
            self.frame, lines = self._read(Path(source), separator, file_encoding)
            first = 2
        self._lines = np.arange(first, first + len(self.frame)) if lines is None else lines
        self.count = len(self.frame) + len(self.set_aside)
        self.frame = self.frame.reset_index(drop=True)
        if not len(self.frame):
            raise DataFileError(f"{self.source} has no rows")

    def _read(
        self, path: Path, separator: str | None, file_encoding: str | None
    ) -> tuple[pd.DataFrame, np.ndarray | None]:
        if path.suffix.lower() in (".parquet", ".pq"):
            return read_parquet(path), None
        found = read_delimited(path, separator, file_encoding)
        if found.file_encoding == "latin-1" and file_encoding is None:
            self.notes.append(
                f"not UTF-8, so read as latin-1; if that is wrong, give {argument('file_encoding')}"
            )
        self._separator = found.separator
        self.set_aside += found.broken
        if look_like_data(list(found.frame.columns)):
            self.headless = HEADLESS
        return found.frame, None if found.lines is None else np.array(found.lines)

    def without(self, bad: Flags, reason: Callable[[int], str]) -> None:
        """Set these rows aside; `reason` is asked for each by its place in the frame."""
        if not bad.any():
            return
        contents = _contents(self.frame[bad], self._separator)
        for place, content in zip(np.flatnonzero(bad).tolist(), contents, strict=True):
            self.set_aside.append(SetAside(int(self._lines[place]), reason(place), content))
        self.frame = self.frame[~bad].reset_index(drop=True)
        self._lines = self._lines[~bad]

    def check_enough(self) -> None:
        count = len(self.set_aside)
        if count > MOST_SET_ASIDE * self.count or not len(self.frame):
            raise DataFileError(
                f"{count:,} of the {self.count:,} rows of {self.source} cannot be used, more than "
                f"{MOST_SET_ASIDE:.0%}: {most_frequent(self.set_aside)}"
            )

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


def read_parquet(path: Path) -> pd.DataFrame:
    try:
        import pyarrow  # type: ignore[import-not-found, unused-ignore]  # noqa: F401
    except ImportError:
        raise DataFileError(
            f"{path} is Parquet, which needs pyarrow: pip install pyarrow"
        ) from None
    try:
        frame = pd.read_parquet(path)
    except Exception as error:  # Pyarrow's errors have no common base but this.
        raise DataFileError(f"{path} cannot be read as Parquet: {error}") from error
    frame.columns = unique_names([str(name) for name in frame.columns])
    return frame


def _contents(frame: pd.DataFrame, separator: str) -> list[str]:
    """The rows much as they stand in their file, with nothing where a value is missing."""
    columns = [categories(frame[name]).fillna("") for name in frame.columns]
    return [separator.join(row)[:SHOWN] for row in zip(*columns, strict=True)]


def most_frequent(rows: Sequence[SetAside]) -> str:
    """The commonest reason, with an example line."""
    if not rows:
        return "none"
    reason, count = Counter(row.reason for row in rows).most_common(1)[0]
    line = next(row.line for row in rows if row.reason == reason)
    return f"{reason} (line {line}{f', and {count - 1:,} more' if count > 1 else ''})"


def described(
    recognised: Mapping[str, Recognised], encoder: Encoder, frame: pd.DataFrame
) -> Iterable[ReadColumn]:
    """The columns that are features, or are not used."""
    for name, found in recognised.items():
        width = sum(each.width for each in encoder.features if each.column == name)
        role = "feature" if width else "dropped"
        gaps = _missing(frame[name], found) if width and name in frame else 0
        reason = f"{found.reason}; {gaps:,} missing" if gaps else found.reason
        yield ReadColumn(name, role, found.kind, reason, width)
    if encoder.has_constant:
        yield ReadColumn("(constant)", "feature", "number", "added: what an arm pays on average", 1)


def _missing(column: pd.Series, found: Recognised) -> int:
    """How many values are not there, or say so, as '?' does."""
    gaps = np.isnan(numbers(column, found.style)[0]) if found.kind == "number" else column.isna()
    return int(gaps.sum())
