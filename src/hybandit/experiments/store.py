"""The result store: one SQLite file in which every run is complete or absent."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from hybandit._version import __version__
from hybandit.errors import StoreError
from hybandit.experiments.runs import Run
from hybandit.experiments.tasks import Task

VERSION = 1
APPLICATION = 0x48594241  # "HYBA"
# How long another process may take to make or write the store, in seconds.
PATIENCE = 30.0
TABLES = (
    """CREATE TABLE IF NOT EXISTS runs (
        key TEXT PRIMARY KEY,
        question TEXT NOT NULL,
        task TEXT NOT NULL,
        result TEXT NOT NULL,
        machine TEXT NOT NULL,
        hybandit TEXT NOT NULL,
        finished TEXT NOT NULL,
        checksum TEXT NOT NULL
    ) STRICT""",
    "CREATE TABLE IF NOT EXISTS notes (name TEXT PRIMARY KEY, content TEXT NOT NULL) STRICT",
)
COLUMNS = "key, question, task, result, machine, hybandit, finished, checksum"


@dataclass
class Found:
    """What a store contains for some tasks."""

    runs: dict[str, Run] = field(default_factory=dict)
    # Tasks whose row does not agree with its checksum.
    damaged: list[Task] = field(default_factory=list)
    # How many runs of the same questions are of other results versions.
    outdated: int = 0


class Store:
    """The runs of any number of experiments, each under its task's key.

    Every run is one transaction, so a killed process leaves a valid file and the next one
    goes on where it stopped. Several processes may write and read at once: each waits for
    the other. Every row has a checksum of its content.

    Examples
    --------
    >>> import tempfile
    >>> from hybandit.experiments import EnvironmentSpec, PolicySpec
    >>> task = Task(EnvironmentSpec("synthetic", {"kind": "linear"}), PolicySpec("ucb"), seed=0)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     store = Store(Path(folder) / "results.sqlite")
    ...     store.add(task, Run(rounds=1, reward=1.0, regret=0.0, seconds=0.1), machine="here")
    ...     store.get(task).reward
    1.0
    """

    def __init__(self, path: Path, *, must_exist: bool = False) -> None:
        self.path = Path(path)
        if must_exist and not self.path.is_file():
            raise StoreError(f"there is no store {self.path}")
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StoreError(f"{self.path} cannot be used as a store: {error}") from error
        self._prepare()

    def add(self, task: Task, run: Run, *, machine: str) -> None:
        """Write one finished run, in one transaction; a run already there is kept."""
        now = datetime.now(UTC).isoformat(timespec="seconds")
        result = json.dumps(vars(run))
        row = (task.key, task.question_key, task.text, result, machine, __version__, now)
        with self._opened() as connection:
            connection.execute(
                f"INSERT OR IGNORE INTO runs ({COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                (*row, _checksum(row)),
            )

    def get(self, task: Task) -> Run | None:
        """The run of this task, if it has finished."""
        return self.get_many([task]).get(task.key)

    def get_many(self, tasks: Iterable[Task]) -> dict[str, Run]:
        """The finished, undamaged runs of these tasks, by key."""
        return self.find(tasks).runs

    def find(self, tasks: Iterable[Task]) -> Found:
        """The runs of these tasks; damaged and outdated ones are listed separately."""
        wanted = {task.key: task for task in tasks}
        questions = {task.question_key for task in wanted.values()}
        found = Found()
        for row in self._rows():
            key, question, result = row[0], row[1], row[3]
            if key in wanted:
                if _checksum(row[:-1]) == row[-1]:
                    found.runs[key] = Run(**json.loads(result))
                else:
                    found.damaged.append(wanted[key])
            elif question in questions:
                found.outdated += 1
        return found

    def remove(self, tasks: Iterable[Task]) -> None:
        """Take runs out, such as damaged ones, so that they are run again."""
        with self._opened() as connection:
            connection.executemany(
                "DELETE FROM runs WHERE key = ?", [(task.key,) for task in tasks]
            )

    def tasks(self) -> list[Task]:
        """Every task whose row is undamaged, in order of finishing.

        Each keeps the key of its row, so that `get` gives its run even if what the task names, such
        as a file, has changed since.
        """
        sound = (row for row in self._rows() if _checksum(row[:-1]) == row[-1])
        return [Task.stored(text, key, question) for key, question, text, *_ in sound]

    def provenance(self) -> list[tuple[str, str, str, str, int]]:
        """Machine, version, first and last finish and number of runs, for each machine."""
        with self._opened() as connection:
            return connection.execute(
                "SELECT machine, hybandit, min(finished), max(finished), count(*) FROM runs "
                "GROUP BY machine, hybandit ORDER BY min(finished)"
            ).fetchall()

    def note(self, name: str, content: Any) -> None:
        """Keep a fact about the store, such as what was asked of it."""
        with self._opened() as connection:
            connection.execute(
                "INSERT OR REPLACE INTO notes VALUES (?, ?)", (name, json.dumps(content))
            )

    def noted(self, name: str) -> Any:
        """A fact kept by `note`, or None."""
        with self._opened() as connection:
            row = connection.execute("SELECT content FROM notes WHERE name = ?", (name,)).fetchone()
        try:
            return None if row is None else json.loads(row[0])
        except json.JSONDecodeError as error:
            raise StoreError(
                f"the note {name!r} in {self.path} is damaged: run the command that made the "
                "store again, which writes it anew"
            ) from error

    def _rows(self) -> list[tuple[str, ...]]:
        with self._opened() as connection:
            return connection.execute(
                f"SELECT {COLUMNS} FROM runs ORDER BY finished, rowid"
            ).fetchall()

    @contextmanager
    def _opened(self) -> Iterator[sqlite3.Connection]:
        """A connection for one transaction; what SQLite refuses becomes a StoreError."""
        try:
            with closing(self._open()) as connection, connection:
                yield connection
        except sqlite3.Error as error:
            raise StoreError(f"{self.path} cannot be used as a store: {error}") from error
        except UnicodeDecodeError as error:
            raise StoreError(f"{self.path} is damaged, move it away: {error}") from error

    def _open(self) -> sqlite3.Connection:
        return sqlite3.connect(self.path, timeout=PATIENCE)

    def _prepare(self) -> None:
        """Check what the file is; make it or finish it in one transaction."""
        with self._opened() as connection:
            # One look at all: without it another process could change some of it in between.
            connection.execute("BEGIN")
            if self._is_ready(connection):
                return
        with self._opened() as connection:
            # Others who come at the same time wait here, and then find it ready.
            connection.execute("BEGIN IMMEDIATE")
            if self._is_ready(connection):
                return
            for table in TABLES:
                connection.execute(table)
            connection.execute(f"PRAGMA application_id = {APPLICATION}")
            connection.execute(f"PRAGMA user_version = {VERSION}")

    def _is_ready(self, connection: sqlite3.Connection) -> bool:
        """Whether all is there; refuses files that are not ours, or newer."""
        application = _number(connection, "application_id")
        version = _number(connection, "user_version")
        tables = _tables(connection)
        if application != APPLICATION and (application or version or tables):
            raise StoreError(f"{self.path} is not a store of hybandit")
        if version > VERSION:
            raise StoreError(
                f"{self.path} has store format {version}; this hybandit reads up to "
                f"{VERSION}: update it"
            )
        return version == VERSION and {"runs", "notes"} <= tables


def _number(connection: sqlite3.Connection, pragma: str) -> int:
    (value,) = connection.execute(f"PRAGMA {pragma}").fetchone()
    return int(value)


def _tables(connection: sqlite3.Connection) -> set[str]:
    rows = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
    return {name for (name,) in rows}


def _checksum(row: tuple[str, ...]) -> str:
    return hashlib.sha256(json.dumps(row).encode()).hexdigest()
