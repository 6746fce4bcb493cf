"""Reading text files: finds encoding, separator, and rows that do not fit."""

from __future__ import annotations

import codecs
import csv
import gzip
import io
import re
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, TextIO

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
# A number or a date, as it may stand in a row.
DATUM = rf"\s*(?:{POINT}|\d+,\d+|\d{{1,4}}[-/.]\d{{1,2}}[-/.]\d{{1,4}}(?:[T ].*)?)\s*"


@dataclass(frozen=True)
class SetAside:
    """A row that was not used: its line in the file (or number in a frame), and the reason."""

    line: int
    reason: str
    content: str = ""


@dataclass(frozen=True)
class Delimited:
    """The contents of a text file."""

    frame: pd.DataFrame
    lines: list[int] | None
    broken: list[SetAside]
    file_encoding: str
    separator: str


def read_delimited(
    path: Path, separator: str | None = None, file_encoding: str | None = None
) -> Delimited:
    """The rows of a text file with a header; separator and encoding are found unless given.

    Rows with more or fewer fields than the header are set aside. `lines` are the lines of the
    other rows, None where they follow one another from the second.
    """
    try:
        encoding = file_encoding or _encoding_of(path)
        with _opened(path, encoding) as file:
            head = [line for _, line in zip(range(LOOKED_AT), file, strict=False)]
        first = "".join(head).lstrip()
        if not first:
            raise DataFileError(f"{path} is empty")
        if first.startswith(("{", "[")):
            raise DataFileError(f"{path} looks like JSON: save it as CSV, TSV or Parquet")
        sign = separator or separator_of(head)
        names = _header(path, head, sign)
        codes = codes_of(head, sign, names)
        frame = _parsed(path, encoding, sign, names, codes)
        if frame is not None:
            return Delimited(frame, None, [], encoding, sign)
        rows, lines, broken = _sorted_out(path, encoding, sign, len(names))
        frame = pd.read_csv(rows, sep=sign, header=None, names=names, low_memory=False, dtype=codes)
        return Delimited(frame, lines, broken, encoding, sign)
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
        rows = [row for row in csv.reader(head, delimiter=sign) if row]
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
    first = next(row for row in csv.reader(head, delimiter=sign) if row)
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
    rows = [row for row in csv.reader(lines, delimiter=sign) if row][1:]
    return {
        name: str
        for place, name in enumerate(names)
        if any(re.fullmatch(LEADING_ZERO, row[place]) for row in rows if place < len(row))
    }


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _parsed(
    path: Path, encoding: str, sign: str, names: list[str], codes: dict[str, type[str]]
) -> pd.DataFrame | None:
    """All rows at once, or None where some may have too many or too few fields."""
    skipped = 0
    try:
        with _opened(path, encoding) as file:
            for line in file:  # Blank lines before the header.
                if line.strip():
                    break
                skipped += 1
        with _raw(path) as raw:
            frame = pd.read_csv(
                raw, sep=sign, encoding=encoding, header=None, names=[*names, BEYOND],
                skiprows=skipped + 1, low_memory=False, index_col=False, dtype=codes,
            )  # fmt: skip
    except pd.errors.EmptyDataError:
        return pd.DataFrame(columns=names)
    except (pd.errors.ParserError, pd.errors.ParserWarning):
        return None
    long = frame.pop(BEYOND).notna().any()
    return None if long or frame[names[-1]].isna().any() else frame


def _sorted_out(
    path: Path, encoding: str, sign: str, width: int
) -> tuple[TextIO, list[int], list[SetAside]]:
    """The rows that fit the header, with their lines, and the rows that do not."""
    fitting, lines, broken = io.StringIO(), [], []
    writer = csv.writer(fitting, delimiter=sign)
    csv.field_size_limit(LONGEST_FIELD)
    with _opened(path, encoding) as file:
        reader = csv.reader(file, delimiter=sign)
        next(row for row in reader if row)
        line = reader.line_num
        for row in reader:
            start, line = line + 1, reader.line_num
            if len(row) == width:
                writer.writerow(row)
                lines.append(start)
            elif row:
                fields = "1 field" if len(row) == 1 else f"{len(row)} fields"
                reason = f"{fields} where the header has {width}"
                content = sign.join(row)[:SHOWN]
                # A quote that is never closed swallows lines: each of them is lost.
                broken += [SetAside(each, reason, content) for each in range(start, line + 1)]
    fitting.seek(0)
    return fitting, lines, broken
