"""The differences between databases: connections, exclusive writing, and the lease."""

from __future__ import annotations

import itertools
import os
import sqlite3
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from pathlib import Path
from typing import ClassVar

import sqlalchemy as sql

from hybandit.atomic import atomic_write
from hybandit.errors import InvalidInput, StoreError, Unquoted, without_passwords
from hybandit.loop.process.forks import GATE
from hybandit.loop.storage.tables import meta
from hybandit.validation import checks

# Seconds that a writer waits for writers of other processes, and between two attempts.
PATIENCE, STEP = 30.0, 5e-4
# What connections are numbered by.
NUMBERS = itertools.count()
# How SQLite gives room back, and how many pages at a time.
INCREMENTAL, PAGES = 2, 50


class Backend(ABC):
    """One kind of SQL database. A subclass is registered by its `schemes`.

    A subclass says how to connect, how one transaction at a time may write, and how one process
    at a time holds the lease; tables and statements are the same for all (`Database`).

    Attributes
    ----------
    schemes
        How addresses of this database begin, as in ``scheme://...``.
    url
        The address for people, without a password.
    """

    schemes: ClassVar[tuple[str, ...]] = ()
    url: str

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        BACKENDS.update(dict.fromkeys(cls.schemes, cls))

    @abstractmethod
    def __init__(self, url: str) -> None: ...

    @abstractmethod
    def begin(self, *, alone: bool = True) -> AbstractContextManager[sql.Connection]:
        """A transaction that may write; there is only one at a time across all processes.

        If it need not be alone, others that need not be may run beside it.
        """

    def make_alone(self, connection: sql.Connection) -> None:  # noqa: B027
        """From here on this transaction is alone; what it has read must be read again."""

    def may_repeat(self, error: Exception) -> bool:
        """Whether a transaction failed only because of another that ran beside it."""
        return False

    @abstractmethod
    def read(self, *, alone: bool = False) -> AbstractContextManager[sql.Connection]:
        """A transaction that only reads; alone, if no other may be half way meanwhile."""

    @abstractmethod
    def take_lease(self) -> bool:
        """Get or keep the lease; it is free again when its holder's process ends, however."""

    @abstractmethod
    def release_lease(self) -> None:
        """Give up the lease."""

    @abstractmethod
    def pulse(self) -> object:
        """What differs from what it was as soon as anybody has written something."""

    @abstractmethod
    def size(self) -> int:
        """Bytes that the database takes."""

    def secrets(self) -> tuple[str, ...]:
        """What no message may show."""
        return ()

    def give_back(self, connection: sql.Connection) -> bool:
        """Return some unused room to the disk; whether there is more. Not all databases can."""
        return False

    @abstractmethod
    def backup(self, path: Path) -> None:
        """Write a copy of the loop to a new file, or refuse and say who can."""

    @abstractmethod
    def close(self) -> None:
        """Release the lease, then all connections; they open again when they are used."""

    def check(self) -> None:  # noqa: B027
        """Raise StoreError if the database is no longer the one that was opened."""


BACKENDS: dict[str, type[Backend]] = {}


def backend(url: str | os.PathLike[str]) -> Backend:
    """The backend for a path or an address."""
    if isinstance(url, os.PathLike):
        return SQLite(f"sqlite:///{checks.path(url, 'storage')}")
    import hybandit.loop.storage.postgresql  # noqa: F401  # It registers itself.

    known = ", ".join(f"{scheme}://..." for scheme in BACKENDS)
    if not isinstance(url, str) or not url or "\0" in url:
        raise InvalidInput("storage", f"a path, an address ({known}) or a Storage", url)
    scheme, found, _ = url.partition("://")
    shown = without_passwords(url)
    if not found and shown != url and not url.startswith(("/", ".")):
        # A mistyped address, which would become the name of a file, password and all.
        raise InvalidInput("storage", f"a path, or an address: {known}", Unquoted(shown))
    if not found:
        return SQLite(f"sqlite:///{url}")
    if scheme not in BACKENDS:
        other = Unquoted(f"{scheme}://...")
        raise InvalidInput("storage", f"a path, or an address: {known}", other)
    return BACKENDS[scheme](url)


class SQLite(Backend):
    """A file in write-ahead mode, synchronised at every commit.

    The lease is an exclusive transaction that stays open on an empty database beside it,
    ``<file>-lease``: the operating system ends it when the process dies, however it dies.
    """

    schemes = ("sqlite", "sqlite+pysqlite")

    def __init__(self, url: str) -> None:
        start, name = url.partition("://")[2][:1], url.partition("://")[2][1:]
        if start != "/" or name in ("", ":memory:"):
            shown = Unquoted(without_passwords(url))
            raise InvalidInput("storage", "a file, sqlite:///path: other processes need it", shown)
        path = checks.path(name, "storage")
        self.url = without_passwords(str(path))
        self._path = path.absolute()
        if GATE.has_inherited(self.url):
            raise StoreError(
                f"the loop {self.url} was in use when this process was forked, and SQLite cannot "
                "open a file in such a child: open the loop after the fork, not before"
            )
        self._lease: sqlite3.Connection | None = None
        self._identity: tuple[int, int] | None = None
        self._writing: sql.Connection | None = None
        self._check()
        address = sql.URL.create("sqlite", database=str(self._path))
        arguments = {"check_same_thread": False}
        # The one used last is taken first, so that the pulse mostly comes from the same.
        self.readers = sql.create_engine(address, connect_args=arguments, pool_use_lifo=True)
        self._writers = sql.create_engine(
            address, connect_args=arguments, pool_size=1, max_overflow=0
        )
        for engine in (self.readers, self._writers):
            sql.event.listen(engine, "connect", _configure)
        sql.event.listen(self.readers, "begin", _starter("BEGIN"))
        sql.event.listen(self._writers, "connect", _never_wait)
        sql.event.listen(self._writers, "begin", _begin_alone)

    def read(self, *, alone: bool = False) -> AbstractContextManager[sql.Connection]:
        """A transaction reads what was committed before it began, whoever writes."""
        self.check()
        return self.readers.connect()

    @contextmanager
    def begin(self, *, alone: bool = True) -> Iterator[sql.Connection]:
        """One connection stays open for all transactions: opening one is slow."""
        self.check()
        if self._writing is None:
            self._writing = self._writers.connect()
        try:
            with self._writing.begin():
                yield self._writing
        except BaseException:
            self._end_writing()
            raise
        if self._identity is None:
            self._identity = self._found()
        self.check()

    def check(self) -> None:
        """Refuse a file that is no longer the one that was opened, by its device and inode."""
        if self._identity is not None and self._found() != self._identity:
            raise StoreError(
                f"the file of the loop {self.url} was deleted or replaced while it was open, so "
                "nothing is read from it or written to it any more: close this loop, and open "
                "the file that is to be used"
            )

    def take_lease(self) -> bool:
        if self._lease is not None:
            return True
        beside = self._path.with_name(f"{self._path.name}-lease")
        connection = sqlite3.connect(
            beside, timeout=0.0, isolation_level=None, check_same_thread=False
        )
        try:
            connection.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError:
            connection.close()
            return False
        self._lease = connection
        return True

    def release_lease(self) -> None:
        if self._lease is not None:
            self._lease.close()
            self._lease = None

    def pulse(self) -> object:
        """SQLite tells a connection by a number when another has written.

        It is the same again for a new connection, so connections are numbered, too.
        """
        self.check()
        connection = self.readers.raw_connection()
        try:
            told = connection.cursor().execute("PRAGMA data_version").fetchone()
            return connection.info.setdefault("number", next(NUMBERS)), told
        finally:
            connection.close()

    def size(self) -> int:
        files = (self._path, self._path.with_name(f"{self._path.name}-wal"))
        return sum(file.stat().st_size for file in files if file.exists())

    def backup(self, path: Path) -> None:
        with (
            atomic_write(path) as file,
            closing(sqlite3.connect(self._path.as_uri(), uri=True)) as source,
            closing(sqlite3.connect(file.name, isolation_level=None)) as copy,
        ):
            # The copy needs no journal of its own: it is complete, or removed.
            copy.execute("PRAGMA journal_mode = OFF")
            copy.execute("PRAGMA synchronous = OFF")
            source.backup(copy)

    def give_back(self, connection: sql.Connection) -> bool:
        """Files made before schema 2 keep their room until ``VACUUM``."""
        before = _pragma(connection, "freelist_count")
        if not before or _pragma(connection, "auto_vacuum") != INCREMENTAL:
            return False
        for _ in range(PAGES):
            # Python takes one step of each statement that returns nothing: that is one page.
            connection.exec_driver_sql("PRAGMA incremental_vacuum(1)")
        return 0 < _pragma(connection, "freelist_count") < before

    def close(self) -> None:
        self.release_lease()
        self._end_writing()
        self._writers.dispose()
        self.readers.dispose()

    def _found(self) -> tuple[int, int] | None:
        try:
            found = os.stat(self._path)
        except OSError:
            return None
        return found.st_dev, found.st_ino

    def _end_writing(self) -> None:
        if self._writing is not None:
            writing, self._writing = self._writing, None
            writing.close()

    def _check(self) -> None:
        """Refuse what is not a loop before anything in it changes."""
        if not self._path.parent.is_dir():
            folder = without_passwords(str(self._path.parent))
            raise StoreError(f"there is no folder {folder} for the loop {self.url}")
        try:
            if not self._path.exists() or not self._path.stat().st_size:
                return
        except OSError as error:  # Its name is too long, or its folder cannot be looked into.
            raise StoreError(f"{self.url} cannot be a loop: {error.strerror}") from error
        try:
            address = f"{self._path.as_uri()}?mode=ro"
            with closing(sqlite3.connect(address, timeout=PATIENCE, uri=True)) as connection:
                rows = connection.execute("SELECT name FROM sqlite_master").fetchall()
        except sqlite3.Error as error:
            raise StoreError(f"{self.url} cannot be read as a loop: {error}") from error
        if rows and (meta.name,) not in rows:
            raise StoreError(f"{self.url} is a database of something else, not a loop")


def _pragma(connection: sql.Connection, name: str) -> int:
    return int(connection.exec_driver_sql(f"PRAGMA {name}").scalar() or 0)


def _configure(connection: sqlite3.Connection, _: object) -> None:
    connection.isolation_level = None
    connection.execute(f"PRAGMA busy_timeout = {PATIENCE * 1000:.0f}")
    # Of a new file only; before the next line, which makes it.
    _when_free(connection.execute, f"PRAGMA auto_vacuum = {INCREMENTAL}")
    _when_free(connection.execute, "PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")


def _never_wait(connection: sqlite3.Connection, _: object) -> None:
    connection.execute("PRAGMA busy_timeout = 0")


def _begin_alone(connection: sql.Connection) -> None:
    """Wait for other writers in short steps: with SQLite's long ones some writers starve."""
    _when_free(connection.exec_driver_sql, "BEGIN IMMEDIATE")


def _when_free(execute: Callable[[str], object], statement: str) -> None:
    """Execute a statement, again and again while another process has the file, up to `PATIENCE`.

    SQLite's own timeout does not wait for all of that: not for the repair of what a killed process
    left, nor where it fears a deadlock.
    """
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            execute(statement)
            return
        except (sql.exc.OperationalError, sqlite3.OperationalError) as error:
            if not _is_busy(getattr(error, "orig", error)) or time.monotonic() > deadline:
                raise
        time.sleep(STEP)


def _is_busy(error: BaseException | None) -> bool:
    """Whether another process writes, or repairs what a killed one left."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_BUSY


def _starter(statement: str) -> Callable[[sql.Connection], None]:
    def start(connection: sql.Connection) -> None:
        connection.exec_driver_sql(statement)

    return start
