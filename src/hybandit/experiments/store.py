"""Results in one SQLite file: a finished run is there whole, or not at all."""

from __future__ import annotations

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
from hybandit.experiments.tasks import Task

VERSION = 1
APPLICATION = 0x48594241  # "HYBA"
TABLES = """
CREATE TABLE runs (
    key TEXT PRIMARY KEY,
    task TEXT NOT NULL,
    result TEXT NOT NULL,
    machine TEXT NOT NULL,
    hybandit TEXT NOT NULL,
    finished TEXT NOT NULL
) STRICT;
CREATE TABLE notes (name TEXT PRIMARY KEY, content TEXT NOT NULL) STRICT;
"""


@dataclass(frozen=True)
class Run:
    """What one task gave.

    `rewards` and `regrets` are cumulative, at the rounds listed in `at`; `regrets` is
    empty where nobody can know them. `extra` holds what only some worlds measure.
    """

    rounds: int
    reward: float
    regret: float | None
    seconds: float
    at: list[int] = field(default_factory=list)
    rewards: list[float] = field(default_factory=list)
    regrets: list[float] = field(default_factory=list)
    extra: dict[str, Any] = field(default_factory=dict)


class Store:
    """The runs of any number of experiments, each under its task's key.

    One process writes; every run is one transaction, so a killed process leaves a valid
    file and the next one goes on where it stopped. Any number may read meanwhile.

    Examples
    --------
    >>> import tempfile
    >>> from hybandit.experiments import PolicySpec, World
    >>> task = Task(World("classification"), PolicySpec("ucb"), seed=0)
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
        row = (task.key, task.text, json.dumps(vars(run)), machine, __version__, now)
        with self._opened() as connection:
            connection.execute("INSERT OR IGNORE INTO runs VALUES (?, ?, ?, ?, ?, ?)", row)

    def get(self, task: Task) -> Run | None:
        """The run of this task, if it has finished."""
        return self.get_many([task]).get(task.key)

    def get_many(self, tasks: Iterable[Task]) -> dict[str, Run]:
        """The finished runs of these tasks, by key."""
        wanted = {task.key for task in tasks}
        with self._opened() as connection:
            rows = connection.execute("SELECT key, result FROM runs").fetchall()
        return {key: Run(**json.loads(result)) for key, result in rows if key in wanted}

    def tasks(self) -> list[Task]:
        """Every task that has finished, in order of finishing."""
        with self._opened() as connection:
            rows = connection.execute("SELECT task FROM runs ORDER BY finished, rowid").fetchall()
        return [Task.from_text(text) for (text,) in rows]

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
        return None if row is None else json.loads(row[0])

    @contextmanager
    def _opened(self) -> Iterator[sqlite3.Connection]:
        """A connection for one transaction; what SQLite refuses becomes a StoreError."""
        try:
            with closing(self._open()) as connection, connection:
                yield connection
        except sqlite3.Error as error:
            raise StoreError(f"{self.path} cannot be used as a store: {error}") from error

    def _open(self) -> sqlite3.Connection:
        return sqlite3.connect(self.path, timeout=30.0)

    def _prepare(self) -> None:
        with self._opened() as connection:
            (application,) = connection.execute("PRAGMA application_id").fetchone()
            (version,) = connection.execute("PRAGMA user_version").fetchone()
            if application == 0 and version == 0 and self._is_empty(connection):
                connection.executescript(
                    f"PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {VERSION};"
                    f"BEGIN; {TABLES} COMMIT;"
                )
            elif application != APPLICATION:
                raise StoreError(f"{self.path} is not a store of hybandit")
            elif version > VERSION:
                raise StoreError(
                    f"{self.path} has store format {version}; this hybandit reads up to "
                    f"{VERSION}: update it"
                )

    @staticmethod
    def _is_empty(connection: sqlite3.Connection) -> bool:
        (count,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        return bool(count == 0)
