"""Where tables come from: files, folders and objects in memory, read a part at a time."""

from __future__ import annotations

import tempfile
import weakref
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from hybandit.datasets.arguments import check_source
from hybandit.datasets.delimited import DelimitedFile, Part, look_like_data, unique_names
from hybandit.errors import DataFileError, argument

# A pandas table, a path, or any object with Arrow's stream interface.
Source = Any
# The rows of a part.
ROWS = 65_536
# Kinds of columns are recognised in about so many rows.
LOOKED_AT = 100_000
# A sample of a long table is taken from so many places of it.
PLACES = 10
PARQUET = (".parquet", ".pq")
HEADLESS = "; the first line looks like data: the file needs a first line with the names of columns"


class Place(NamedTuple):
    """A place between two parts of a table: how many parts, rows and usable events are before."""

    parts: int
    rows: int
    events: int


START = Place(0, 0, 0)


class Parts(ABC):
    """A table that is read a part at a time, as often as is wanted.

    Attributes
    ----------
    source
        Its name for people.
    names
        Of its columns, no two alike.
    notes
        What a reader should know of how it is read.
    headless
        What a message about missing columns ends with if the file seems to have no header.
    """

    source: str
    names: list[str]
    separator = ","
    headless = ""

    def __init__(self) -> None:
        self.notes: list[str] = []

    @abstractmethod
    def parts(self, columns: Sequence[str] | None = None, place: Place = START) -> Iterator[Part]:
        """All rows from this place on in order, with these columns at least."""

    def sample(self) -> tuple[Part, bool]:
        """About 100,000 rows, and whether they are all."""
        found: list[Part] = []
        rows = 0
        for part in self.parts():
            if rows >= LOOKED_AT:
                return joined(found), False
            found.append(part)
            rows += len(part.frame)
        return joined(found), True


def parts_of(
    source: Source, separator: str | None = None, file_encoding: str | None = None
) -> Parts:
    """A table by what it is."""
    check_source("source", source)
    if isinstance(source, pd.DataFrame):
        return FrameParts(source)
    if not isinstance(source, (str, Path)) and hasattr(source, "__arrow_c_stream__"):
        return StreamParts(source)
    check_is_file(source)
    path = Path(source)
    files = parquet_files(path)
    return ParquetParts(path, files) if files else TextParts(path, separator, file_encoding)


class FrameParts(Parts):
    """A DataFrame of pandas."""

    def __init__(self, frame: pd.DataFrame) -> None:
        super().__init__()
        self.source = "a DataFrame"
        self._frame = frame.copy(deep=False)
        self.names = unique_names([str(name) for name in frame.columns])
        self._frame.columns = pd.Index(self.names)

    def parts(self, columns: Sequence[str] | None = None, place: Place = START) -> Iterator[Part]:
        for start in range(place.rows, len(self._frame), ROWS):
            yield self._part(start, start + ROWS)

    def sample(self) -> tuple[Part, bool]:
        count = len(self._frame)
        if count <= LOOKED_AT:
            return self._part(0, count), True
        starts = np.linspace(0, count - LOOKED_AT // PLACES, PLACES).astype(int).tolist()
        return joined([self._part(each, each + LOOKED_AT // PLACES) for each in starts]), False

    def _part(self, start: int, stop: int) -> Part:
        frame = self._frame.iloc[start:stop].reset_index(drop=True)
        return Part(frame, np.arange(start, start + len(frame)))


class TextParts(Parts):
    """A CSV or TSV file."""

    def __init__(self, path: Path, separator: str | None, file_encoding: str | None) -> None:
        super().__init__()
        self.source = str(path)
        self._file = DelimitedFile(path, separator, file_encoding)
        self.names, self.separator = self._file.names, self._file.separator
        if self._file.file_encoding == "latin-1" and file_encoding is None:
            self.notes.append(
                f"not UTF-8, so read as latin-1; if that is wrong, give {argument('file_encoding')}"
            )
        if look_like_data(self.names):
            self.headless = HEADLESS

    def parts(self, columns: Sequence[str] | None = None, place: Place = START) -> Iterator[Part]:
        return self._file.parts(ROWS, place.parts)


class ArrowParts(Parts):
    """Batches of Arrow."""

    # The number of the first row, as messages give it: that of a file is its line.
    first = 0

    def __init__(self, source: str, names: Sequence[str]) -> None:
        super().__init__()
        self.source, self.names = source, unique_names([str(name) for name in names])

    @abstractmethod
    def batches(self, columns: list[str] | None, skipped: int) -> Iterator[Any]:
        """Batches of Arrow after the first rows, with these columns or all."""

    def parts(self, columns: Sequence[str] | None = None, place: Place = START) -> Iterator[Part]:
        wanted = None if columns is None else [name for name in self.names if name in columns]
        start = self.first + place.rows
        for batch in self.batches(wanted, place.rows):
            yield self._part(batch, self.names if wanted is None else wanted, start)
            start += batch.num_rows

    def _part(self, batch: Any, names: Sequence[str], start: int) -> Part:
        frame: pd.DataFrame = batch.to_pandas(timestamp_as_object=False, date_as_object=False)
        frame.columns = pd.Index(names)
        return Part(frame, np.arange(start, start + len(frame)))


class ParquetParts(ArrowParts):
    """A Parquet file, or a folder of them in the order of their names."""

    first = 2

    def __init__(self, path: Path, files: Sequence[Path]) -> None:
        # The rows of each group, by file.
        self._files = {each: _groups_of(each) for each in files}
        with _parquet(files[0]) as file:
            names = list(file.schema_arrow.names)
        super().__init__(str(path), names)
        self._unique = self.names == names

    def parts(self, columns: Sequence[str] | None = None, place: Place = START) -> Iterator[Part]:
        # A name that occurs twice cannot be asked for.
        return super().parts(columns if self._unique else None, place)

    def batches(self, columns: list[str] | None, skipped: int) -> Iterator[Any]:
        for path, groups in self._files.items():
            ends = np.cumsum(groups)
            first = int(ends.searchsorted(skipped, "right"))
            within = skipped - sum(groups[:first])
            skipped = max(skipped - sum(groups), 0)
            if first == len(groups):
                continue
            with _parquet(path) as file, _as_parquet(path):
                wanted = range(first, len(groups))
                for batch in file.iter_batches(ROWS, row_groups=wanted, columns=columns):
                    if within < batch.num_rows:
                        yield batch.slice(within)
                    within = max(within - batch.num_rows, 0)

    def sample(self) -> tuple[Part, bool]:
        if sum(map(sum, self._files.values())) <= LOOKED_AT:
            return joined(list(self.parts())), True
        every = [(path, group) for path, rows in self._files.items() for group in range(len(rows))]
        places = sorted({*np.linspace(0, len(every) - 1, PLACES).astype(int).tolist()})
        found = []
        for path, group in (every[place] for place in places):
            with _parquet(path) as file, _as_parquet(path):
                rows = LOOKED_AT // len(places)
                batch = next(file.iter_batches(rows, row_groups=[group]))
                found.append(self._part(batch, self.names, self.first))
        return joined(found), False


class StreamParts(ArrowParts):
    """An object with Arrow's stream interface, such as a table of polars or a query of DuckDB.

    One that can be read only once is first written to a file of its own.
    """

    def __init__(self, given: Any) -> None:
        pyarrow = arrow()
        self._open: Callable[[], Any] = lambda: pyarrow.RecordBatchReader.from_stream(given)
        try:
            reader = self._open()
        except pyarrow.ArrowInvalid as error:
            raise DataFileError(f"a {type(given).__name__} is no table: {error}") from error
        super().__init__(f"a {type(given).__name__}", list(reader.schema.names))
        if isinstance(given, pyarrow.RecordBatchReader) or hasattr(given, "__next__"):
            self._keep(reader)

    def batches(self, columns: list[str] | None, skipped: int) -> Iterator[Any]:
        pyarrow = arrow()
        for batch in self._open():
            first = min(skipped, batch.num_rows)
            skipped -= first
            for start in range(first, batch.num_rows, ROWS):
                part = batch.slice(start, ROWS)
                if columns is not None:
                    part = pyarrow.RecordBatch.from_arrays(
                        [part.column(self.names.index(name)) for name in columns], columns
                    )
                yield part

    def _keep(self, reader: Any) -> None:
        pyarrow = arrow()
        # Open as long as this object lives, and gone with it.
        kept = tempfile.TemporaryFile(prefix="hybandit-")  # noqa: SIM115
        weakref.finalize(self, kept.close)
        with pyarrow.ipc.new_stream(kept, reader.schema) as writer:
            for batch in reader:
                writer.write_batch(batch)

        def again() -> Any:
            kept.seek(0)
            return pyarrow.ipc.open_stream(kept)

        self._open = again


def arrow() -> Any:
    """The package pyarrow."""
    import pyarrow
    import pyarrow.ipc

    return pyarrow


def joined(parts: Sequence[Part]) -> Part:
    """Several parts as one."""
    if len(parts) == 1:
        return parts[0]
    if not parts:
        return Part(pd.DataFrame(), np.empty(0, np.int64))
    return Part(
        pd.concat([part.frame for part in parts], ignore_index=True),
        np.concatenate([part.lines for part in parts]),
        [row for part in parts for row in part.broken],
    )


def is_file(data: str) -> bool:
    """Whether this names a file: the names of data sets have neither dots nor slashes.

    Examples
    --------
    >>> is_file("visits.csv"), is_file("digits")
    (True, False)
    """
    return any(sign in data for sign in "./\\")


def check_is_file(source: str | Path) -> None:
    """Refuse what is no file, and no folder of Parquet files, before it is read."""
    path = Path(source)
    if path.is_dir() and not parquet_files(path):
        raise DataFileError(f"{source} is a folder without Parquet files: name the file in it")
    if not path.exists():
        raise DataFileError(f"there is no file {source}")


def parquet_files(path: Path) -> list[Path]:
    """The Parquet files of a folder, or this one file if it is one."""
    if path.is_dir():
        inside = (each for each in path.rglob("*") if each.suffix.lower() in PARQUET)
        return sorted(each for each in inside if each.is_file())
    return [path] if path.suffix.lower() in PARQUET else []


def about_rows(data: str) -> int:
    """About how many rows a file or folder has, without reading it; 0 if that cannot be told."""
    path = Path(data)
    try:
        if files := parquet_files(path):
            return sum(sum(_groups_of(each)) for each in files)
        if not is_file(data) or not path.is_file():
            return 0
        with path.open("rb") as file:
            head = file.read(1 << 16)
        return path.stat().st_size * head.count(b"\n") // max(len(head), 1)
    except (OSError, DataFileError):
        return 0


def _parquet(path: Path) -> Any:
    """An open Parquet file. Buffered in advance, it would fill the memory."""
    import pyarrow.parquet

    with _as_parquet(path):
        return pyarrow.parquet.ParquetFile(path, pre_buffer=False)


@contextmanager
def _as_parquet(path: Path) -> Iterator[None]:
    """Errors of pyarrow, which have no common base but Exception, in words."""
    try:
        yield
    except Exception as error:
        raise DataFileError(f"{path} cannot be read as Parquet: {error}") from error


def _groups_of(path: Path) -> list[int]:
    """The rows of each group of a file."""
    with _parquet(path) as file:
        told = file.metadata
        return [int(told.row_group(group).num_rows) for group in range(told.num_row_groups)]
