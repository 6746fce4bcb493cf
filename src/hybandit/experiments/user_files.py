"""Users' own files in experiments, identified by their content and how they are read."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import astuple
from functools import lru_cache
from pathlib import Path
from typing import Any

from hybandit.datasets import EventLog, Log, Reading, StreamedLog, Table, open_log, read_labelled
from hybandit.datasets.dsjson import is_dsjson
from hybandit.datasets.labelled import REPEATS
from hybandit.datasets.sources import check_is_file, parquet_files
from hybandit.errors import DataFileError, InvalidInput
from hybandit.evaluation import StreamedItemLog
from hybandit.experiments.specs import Settings, canonical
from hybandit.reports import section

# Raised when the same file gives different contexts: earlier runs are then not used.
READING_VERSION = 4
# A log whose features take no more than this is kept in memory, where each policy finds it.
KEPT_BYTES = 1 << 28
_reading: ContextVar[Callable[[int], None] | None] = ContextVar("reading", default=None)


def file_settings(data: str, options: Settings) -> Settings:
    """The settings of a task for a file: its path, checksum, and how it is read."""
    check_is_file(data)
    path = Path(data).resolve()
    given = {key: value for key, value in options.items() if value}
    return {"data": str(path), "content": content_of(str(path)), "options": given}


def check_for_files(options: Settings, data: str = "data by name or a loop") -> None:
    """Refuse options that say how a table is read, where the data are none."""
    for name, value in options.items():
        if value:
            raise InvalidInput(name, f"left out: it is for files, not for {data}", value)


def file_identity(settings: Settings) -> Settings:
    """The identity of a file: its content, not its path or name."""
    return {
        **settings,
        "data": "file",
        "content": settings["content"] or content_of(settings["data"]),
        "reading_version": READING_VERSION,
    }


def content_of(path: str) -> str:
    """The sha256 of a file; of a folder of Parquet files, of all their checksums."""
    try:
        digests = []
        for each in parquet_files(Path(path)) or [Path(path)]:
            with each.open("rb") as file:
                digests.append(hashlib.file_digest(file, "sha256").hexdigest())
        if len(digests) == 1:
            return digests[0]
        return hashlib.sha256(" ".join(digests).encode()).hexdigest()
    except OSError as error:
        raise DataFileError(f"{path} cannot be read: {error}") from error


@contextmanager
def told_while_reading(tick: Callable[[int], None]) -> Iterator[None]:
    """Have `tick` called with the rows of a log on the first way through it."""
    token = _reading.set(tick)
    try:
        yield
    finally:
        _reading.reset(token)


def labelled(path: str, content: str | None, options: Settings) -> tuple[Table, Reading]:
    """A table from a file, whose content must have this checksum."""
    return _labelled(path, content, canonical(options))


def logged(
    path: str, content: str | None, options: Settings
) -> tuple[EventLog | StreamedLog, Reading]:
    """A log from a file, whose content must have this checksum."""
    return _logged(path, content, canonical(options))


def summary(reading: Reading) -> dict[str, Any]:
    """What was read, as JSON, for a report."""
    return {
        "title": f"What was read from {Path(reading.source).name}",
        "rows": [list(astuple(column)) for column in reading.columns],
        "note": "; ".join([reading.counted(), *reading.notes]),
    }


def set_aside(reading: Reading | None) -> list[str]:
    """A sentence about rows that were not used, if there are any."""
    if reading is None or not reading.aside.count:
        return []
    count = reading.aside.count
    rows = f"{count:,} rows were" if count > 1 else "1 row was"
    return [f"{rows} set aside, see set-aside.csv"]


def may_decide(reading: Reading | None, log: Log) -> list[str]:
    """A note on columns that repeat the arm: they may be codes of it, or have decided it."""
    if reading is None or log.has_propensities:
        return []
    reason = REPEATS.format("arm")
    names = [repr(column.name) for column in reading.columns if column.reason == reason]
    told = f"if {' or '.join(names)} decided the arm instead of repeating it"
    return [f"{told}, the log cannot judge other choices"] if names else []


def summary_table(told: dict[str, Any]) -> section.ReportTable:
    """A summary as a table of a report."""
    heads = [section.Column(head) for head in ("column", "role", "kind", "why")]
    columns = [*heads, section.Column("features", int)]
    return section.ReportTable("read", told["title"], columns, told["rows"], told["note"])


@lru_cache(maxsize=2)
def _labelled(path: str, content: str | None, options: str) -> tuple[Table, Reading]:
    _check_content(path, content)
    return read_labelled(path, **json.loads(options))


@lru_cache(maxsize=1)
def _logged(path: str, content: str | None, options: str) -> tuple[EventLog | StreamedLog, Reading]:
    _check_content(path, content)
    return kept(open_log(path, tick=_reading.get(), **json.loads(options)))


@lru_cache(maxsize=1)
def logged_choices(path: str, content: str | None) -> StreamedItemLog:
    """A .dsjson log, whose content must have this checksum."""
    _check_content(path, content)
    return StreamedItemLog(path, tick=_reading.get())


def opened(path: str, **options: Any) -> tuple[StreamedLog | StreamedItemLog, Reading | None]:
    """A log in a file, of arms or of items, and what was read of a table."""
    if is_dsjson(path):
        check_for_files({**options, "scaling": None}, "a .dsjson log")
        check_is_file(path)
        return StreamedItemLog(path, tick=_reading.get()), None
    log = open_log(path, tick=_reading.get(), **options)
    return log, log.reading


def kept(log: StreamedLog) -> tuple[EventLog | StreamedLog, Reading]:
    """A log in memory if it is short, and what was read."""
    return (log.in_memory() if log.bytes <= KEPT_BYTES else log), log.reading


def _check_content(path: str, content: str | None) -> None:
    if content is not None and content_of(path) != content:
        raise DataFileError(f"{path} has changed since the command started: start it again")
