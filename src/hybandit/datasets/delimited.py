"""Reading text files: finds encoding, separator, and rows that do not fit."""

from __future__ import annotations

import codecs
import csv
import gzip
import io
import itertools
import re
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, TextIO

import numpy as np
import numpy.typing as npt
import pandas as pd

from hybandit.errors import DataFileError, argument
from hybandit.features.columns import LEADING_ZERO, POINT

SEPARATORS = (",", ";", "\t", "|")
CHUNK = 1 << 20
LOOKED_AT = 1000
LONGEST_FIELD = 1 << 20
# The name for fields after the last column of the header: no file has a column of this name.
BEYOND = "\0"
SHOWN = 200
QUOTE = '"'
# So many lines a value in quotes may have where it goes beyond a part of the file.
MOST_OPEN = 1000
OPEN_QUOTE = "a quote that is never closed"
# A number or a date, as it may stand in a row.
DATUM = rf"\s*(?:{POINT}|\d+,\d+|\d{{1,4}}[-/.]\d{{1,2}}[-/.]\d{{1,4}}(?:[T ].*)?)\s*"


@dataclass(frozen=True)
class SetAside:
    """A row that was not used: its line in the file (or number in a frame), and the reason."""

    line: int
    reason: str
    content: str = ""


@dataclass(frozen=True)
class Part:
    """Consecutive rows of a table, their lines (or numbers), and rows that do not fit it."""

    frame: pd.DataFrame
    lines: npt.NDArray[np.int64]
    broken: Sequence[SetAside] = ()


class DelimitedFile:
    """A text file with a header; separator and encoding are found unless given.

    `parts` reads it, as often as is wanted. Rows with more or fewer fields than the header are
    set aside.
    """

    def __init__(
        self, path: Path, separator: str | None = None, file_encoding: str | None = None
    ) -> None:
        self.path = path
        with self._told(file_encoding):
            self.file_encoding = file_encoding or _encoding_of(path)
            with _opened(path, self.file_encoding) as file:
                head = [line for _, line in zip(range(LOOKED_AT), file, strict=False)]
            first = "".join(head).lstrip()
            if not first:
                raise DataFileError(f"{path} is empty")
            if first.startswith(("{", "[")):
                raise DataFileError(
                    f"{path} looks like JSON: save it as CSV, TSV or Parquet, or call it .dsjson "
                    "if it is a log of Vowpal Wabbit"
                )
            self.separator = separator or separator_of(head)
            self.names = _header(path, head, self.separator)
            self._codes = codes_of(head, self.separator, self.names)

    def parts(self, rows: int, skipped: int = 0) -> Iterator[Part]:
        """About so many rows at a time, in order; the first parts may be skipped unread."""
        with self._told(), _opened(self.path, self.file_encoding) as file:
            # Blank lines may stand before the header.
            first = 2 + sum(1 for _ in itertools.takewhile(lambda line: not line.strip(), file))
            for start, lines in itertools.islice(_blocks(file, first, rows), skipped, None):
                yield self._part(start, lines)

    def _part(self, start: int, lines: list[str]) -> Part:
        if (frame := self._parsed(lines)) is not None and self._fits(frame, lines):
            return Part(frame.drop(columns=BEYOND), np.arange(start, start + len(lines)))
        fitting, numbers, broken = _sorted_out(lines, start, self.separator, len(self.names))
        found = self._parsed(fitting)
        assert found is not None
        return Part(found.drop(columns=BEYOND), np.array(numbers, np.int64), broken)

    def _parsed(self, lines: list[str]) -> pd.DataFrame | None:
        """The rows of these lines, if they can be read; what is too long goes beyond the names."""
        names = [*self.names, BEYOND]
        try:
            return pd.read_csv(
                io.StringIO("".join(lines)), sep=self.separator, header=None, names=names,
                low_memory=False, index_col=False, dtype=self._codes,
            )  # fmt: skip
        except pd.errors.EmptyDataError:
            return pd.DataFrame(columns=names)
        except (pd.errors.ParserError, pd.errors.ParserWarning):
            return None

    def _fits(self, frame: pd.DataFrame, lines: list[str]) -> bool:
        """Whether each line is a row with as many fields as the header."""
        if len(frame) != len(lines) or frame[BEYOND].notna().any():
            return False
        if not frame[self.names[-1]].isna().any():
            return True
        # A value is missing at the end of a row, or its sign is, too.
        signs = len(self.names) - 1
        return all(line.count(self.separator) == signs and QUOTE not in line for line in lines)

    @contextmanager
    def _told(self, file_encoding: str | None = None) -> Iterator[None]:
        """Errors of the system, in words."""
        path = self.path
        try:
            yield
        except LookupError as error:
            raise DataFileError(f"{path}: no encoding is called {file_encoding!r}") from error
        except UnicodeDecodeError as error:
            hint = f"give another with {argument('file_encoding')}"
            raise DataFileError(f"{path} is not {error.encoding} text: {hint}") from error
        except (OSError, EOFError, zlib.error, csv.Error, ValueError) as error:
            raise DataFileError(f"{path} cannot be read: {error}") from error


def read_lines(lines: list[str], separator: str | None, source: str) -> pd.DataFrame:
    """The rows of lines with a header, such as those of a stream; nothing is set aside."""
    sign = separator or separator_of(lines[:LOOKED_AT])
    names = next(csv.reader(lines[:1], delimiter=sign))
    try:
        codes = codes_of(lines, sign, names)
        rows = pd.read_csv(io.StringIO("".join(lines)), sep=sign, dtype=codes)
    except ValueError as error:
        raise DataFileError(f"{source} cannot be read as CSV: {error}") from error
    if rows.empty:
        raise DataFileError(
            f"{source} has no rows after its first line, {lines[0].strip()!r}: give JSON objects, "
            "one per line, or CSV with a header"
        )
    return rows


@contextmanager
def _raw(path: Path) -> Iterator[BinaryIO]:
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rb") as file:
        yield file  # type: ignore[misc]


@contextmanager
def _opened(path: Path, encoding: str) -> Iterator[TextIO]:
    with _raw(path) as raw:
        yield io.TextIOWrapper(raw, encoding=encoding, newline="")


def _encoding_of(path: Path) -> str:
    """UTF-8 with or without a mark, UTF-16 with one, else latin-1, which fits any bytes."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    with _raw(path) as file:
        start = file.read(CHUNK)
        if start.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
            return "utf-16"
        if b"\0" in start:
            raise DataFileError(
                f"{path} is not a text file: save it as CSV, or call it .parquet if it is that"
            )
        try:
            block = start
            while block:
                decoder.decode(block)
                block = file.read(CHUNK)
            decoder.decode(b"", final=True)
        except UnicodeDecodeError:
            return "latin-1"
    return "utf-8-sig" if start.startswith(codecs.BOM_UTF8) else "utf-8"


def separator_of(head: list[str]) -> str:
    """The separator that splits most rows into as many fields as the header has."""

    def fit(sign: str) -> tuple[float, int]:
        rows = list(_read(head, sign))
        width = len(rows[0])
        agree = sum(len(row) == width for row in rows) / len(rows)
        return (agree if width > 1 else 0.0), width

    # A sign that splits nearly all rows alike beats one that splits all, but into fewer.
    return max(SEPARATORS, key=lambda sign: (fit(sign)[0] > 0.5, fit(sign)[1] * fit(sign)[0]))


def unique_names(given: list[str]) -> list[str]:
    """Names, each once: a second ``a`` becomes ``a.2``, a blank one ``column 3``.

    Examples
    --------
    >>> unique_names(["a", "", "a"])
    ['a', 'column 2', 'a.2']
    """
    names: list[str] = []
    for place, text in enumerate(given, start=1):
        name = unique = text.strip() or f"column {place}"
        count = 2
        while unique in names:
            unique, count = f"{name}.{count}", count + 1
        names.append(unique)
    return names


def _header(path: Path, head: list[str], sign: str) -> list[str]:
    first = next(_read(head, sign), [])
    if not first:
        raise DataFileError(f"{path}: line 1 cannot be read: a field is too long")
    if all(_is_number(name) for name in first):
        raise DataFileError(
            f"{path} needs a first row with the names of its columns; it has {', '.join(first[:5])}"
        )
    return unique_names(first)


def look_like_data(names: list[str]) -> bool:
    """Whether most of these names are numbers or dates, as where a file has no header.

    Examples
    --------
    >>> look_like_data(["02.05.2025", "1073", "yes"]), look_like_data(["day", "2024", "age"])
    (True, False)
    """
    return sum(re.fullmatch(DATUM, name) is not None for name in names) > len(names) / 2


def codes_of(lines: list[str], sign: str, names: list[str]) -> dict[str, type[str]]:
    """Columns to read as text: codes such as 01067 would lose their zero as numbers."""
    rows = list(_read(lines, sign))[1:]
    return {
        name: str
        for place, name in enumerate(names)
        if any(re.fullmatch(LEADING_ZERO, row[place]) for row in rows if place < len(row))
    }


def _read(lines: list[str], sign: str) -> Iterator[list[str]]:
    """Rows that are not empty, up to one that cannot be read, as after a stray quote."""
    with suppress(csv.Error):
        yield from filter(None, csv.reader(lines, delimiter=sign))


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _blocks(file: Iterable[str], first: int, rows: int) -> Iterator[tuple[int, list[str]]]:
    """Lines, so many at a time and more where a quote is open, with the number of the first."""
    lines = iter(file)
    while block := list(itertools.islice(lines, rows)):
        quotes = sum(line.count(QUOTE) for line in block)
        more = 0
        while quotes % 2 and more < MOST_OPEN and (line := next(lines, None)) is not None:
            block.append(line)
            quotes += line.count(QUOTE)
            more += 1
        yield first, block
        first += len(block)


def _sorted_out(
    lines: list[str], first: int, sign: str, width: int
) -> tuple[list[str], list[int], list[SetAside]]:
    """The rows that fit the header, as lines, with their numbers, and the rows that do not."""
    fitting: list[str] = []
    numbers: list[int] = []
    broken: list[SetAside] = []
    csv.field_size_limit(LONGEST_FIELD)
    place = 0
    while place < len(lines):
        for row, low, high in _rows_from(lines, place, sign):
            if row is not None and len(row) == width:
                fitting.append(_line(row, sign))
                numbers.append(first + low)
            elif row is None or high > low + 1:
                # A quote that is never closed would swallow the lines after it.
                told = lines[low].rstrip("\r\n")[:SHOWN]
                broken.append(SetAside(first + low, OPEN_QUOTE, told))
                place = low + 1
                break
            elif row:
                fields = "1 field" if len(row) == 1 else f"{len(row)} fields"
                reason = f"{fields} where the header has {width}"
                broken.append(SetAside(first + low, reason, sign.join(row)[:SHOWN]))
        else:
            break
    return fitting, numbers, broken


def _rows_from(
    lines: list[str], place: int, sign: str
) -> Iterator[tuple[list[str] | None, int, int]]:
    """Rows from this line on, each with its first line and the line after; None at an error."""
    reader = csv.reader(itertools.islice(lines, place, None), delimiter=sign)
    low = place
    while True:
        try:
            row = next(reader)
        except StopIteration:
            return
        except csv.Error:
            yield None, low, low + 1
            return
        yield row, low, place + reader.line_num
        low = place + reader.line_num


def _line(row: list[str], sign: str) -> str:
    text = io.StringIO()
    csv.writer(text, delimiter=sign).writerow(row)
    return text.getvalue()
