"""The differences between databases: connections, exclusive writing, and the lease."""

from __future__ import annotations

import os
import sqlite3
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager, suppress
from pathlib import Path
from typing import ClassVar
from urllib.parse import quote

import sqlalchemy as sql

from hybandit.atomic import atomic_write
from hybandit.errors import InvalidInput, StoreError, Unquoted, without_passwords
from hybandit.loop.forks import GATE
from hybandit.loop.tables import meta, metadata
from hybandit.validation import checks

# Seconds that a writer waits for writers of other processes, and between two attempts.
PATIENCE, STEP = 30.0, 5e-4
# How SQLite gives room back, and how many pages at a time.
INCREMENTAL, PAGES = 2, 50
POSTGRESQL_RULE = (
    "postgresql://user:password@host:port/name, the port a number from 1 to 65535, and in a "
    "password %40 for @, %2F for / and %3A for :"
)
# Options of an address that messages show.
SHOWN = ("host", "port", "dbname", "user", "options")
# The two advisory locks of a loop in PostgreSQL, each with the schema's hash beside it.
WRITING, LEARNING = 0x68796277, 0x6879626C


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
    readers
        An engine for transactions that only read.
    """

    schemes: ClassVar[tuple[str, ...]] = ()
    url: str
    readers: sql.Engine

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        BACKENDS.update(dict.fromkeys(cls.schemes, cls))

    @abstractmethod
    def __init__(self, url: str) -> None: ...

    @abstractmethod
    def begin(self) -> AbstractContextManager[sql.Connection]:
        """A transaction that may write; there is only one at a time across all processes."""

    @abstractmethod
    def take_lease(self) -> bool:
        """Get or keep the lease; it is free again when its holder's process ends, however."""

    @abstractmethod
    def release_lease(self) -> None:
        """Give up the lease."""

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
    known = ", ".join(f"{scheme}://..." for scheme in BACKENDS)
    if not isinstance(url, str) or not url or "\0" in url:
        raise InvalidInput("storage", f"a path, an address ({known}) or a Storage", url)
    scheme, found, _ = url.partition("://")
    if not found:
        return SQLite(f"sqlite:///{url}")
    if scheme not in BACKENDS:
        shown = Unquoted(f"{scheme}://...")
        raise InvalidInput("storage", f"a path, or an address: {known}", shown)
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
        self.readers = sql.create_engine(address, connect_args=arguments)
        self._writers = sql.create_engine(
            address, connect_args=arguments, pool_size=1, max_overflow=0
        )
        for engine in (self.readers, self._writers):
            sql.event.listen(engine, "connect", _configure)
        sql.event.listen(self.readers, "begin", _starter("BEGIN"))
        sql.event.listen(self._writers, "connect", _never_wait)
        sql.event.listen(self._writers, "begin", _begin_alone)

    @contextmanager
    def begin(self) -> Iterator[sql.Connection]:
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
            with closing(sqlite3.connect(f"{self._path.as_uri()}?mode=ro", uri=True)) as connection:
                rows = connection.execute("SELECT name FROM sqlite_master").fetchall()
        except sqlite3.Error as error:
            raise StoreError(f"{self.url} cannot be read as a loop: {error}") from error
        if rows and (meta.name,) not in rows:
            raise StoreError(f"{self.url} is a database of something else, not a loop")


def _pragma(connection: sql.Connection, name: str) -> int:
    return int(connection.exec_driver_sql(f"PRAGMA {name}").scalar() or 0)


def _configure(connection: sqlite3.Connection, _: object) -> None:
    connection.isolation_level = None
    # Of a new file only; before the next line, which makes it.
    connection.execute(f"PRAGMA auto_vacuum = {INCREMENTAL}")
    connection.execute(f"PRAGMA busy_timeout = {PATIENCE * 1000:.0f}")
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")


def _never_wait(connection: sqlite3.Connection, _: object) -> None:
    connection.execute("PRAGMA busy_timeout = 0")


def _begin_alone(connection: sql.Connection) -> None:
    """Wait for other writers in short steps: with SQLite's long ones some writers starve."""
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            connection.exec_driver_sql("BEGIN IMMEDIATE")
            return
        except sql.exc.OperationalError as error:
            if not _is_busy(error.orig) or time.monotonic() > deadline:
                raise
        time.sleep(STEP)


def _is_busy(error: BaseException | None) -> bool:
    """Whether another process writes, or repairs what a killed one left."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_BUSY


def _starter(statement: str) -> Callable[[sql.Connection], None]:
    def start(connection: sql.Connection) -> None:
        connection.exec_driver_sql(statement)

    return start


class PostgreSQL(Backend):
    """A schema of a PostgreSQL database; writers and the lease use advisory locks.

    A lock is released when the session that holds it ends, for whatever reason.
    """

    schemes = ("postgresql", "postgres", "postgresql+psycopg")

    def __init__(self, url: str) -> None:
        try:
            import psycopg  # noqa: F401
        except ImportError:
            raise StoreError(
                "a loop in PostgreSQL needs psycopg: pip install 'psycopg[binary]'"
            ) from None
        address = postgresql_address(url)
        shown = {name: value for name, value in address.query.items() if name in SHOWN}
        told = sql.URL.create(
            "postgresql",
            address.username,
            None,
            address.host,
            address.port,
            address.database,
            shown,
        )
        self.url = told.render_as_string()
        alive = {"keepalives_idle": 5, "keepalives_interval": 2, "keepalives_count": 3}
        alive["connect_timeout"] = 10
        self.readers = sql.create_engine(address, connect_args=alive, pool_pre_ping=True)
        self._writers = sql.create_engine(
            address, connect_args=alive, pool_pre_ping=True, pool_size=1, max_overflow=0
        )
        sql.event.listen(self._writers, "begin", _starter(_locking("pg_advisory_xact_lock")))
        self._leases = sql.create_engine(
            address, connect_args=alive, poolclass=sql.NullPool, isolation_level="AUTOCOMMIT"
        )
        self._lease: sql.Connection | None = None

    def secrets(self) -> tuple[str, ...]:
        return _secrets(self.readers.url)

    def begin(self) -> AbstractContextManager[sql.Connection]:
        return self._writers.begin()

    def take_lease(self) -> bool:
        if self._lease is not None and self._holds(self._lease):
            return True
        self.release_lease()
        connection = self._leases.connect()
        try:
            statement = sql.text(_locking("pg_try_advisory_lock", LEARNING))
            if connection.scalar(statement):
                self._lease = connection
                return True
        except sql.exc.SQLAlchemyError:
            connection.close()
            raise
        connection.close()
        return False

    def release_lease(self) -> None:
        if self._lease is not None:
            lease, self._lease = self._lease, None
            # When the connection closes, the server may still take a while to notice.
            with suppress(sql.exc.SQLAlchemyError):
                lease.exec_driver_sql("SELECT pg_advisory_unlock_all()")
            lease.invalidate()
            lease.close()

    def size(self) -> int:
        names = ", ".join(f"('{name}')" for name in metadata.tables)
        statement = f"SELECT sum(pg_total_relation_size(name)) FROM (VALUES {names}) AS t (name)"
        with self.readers.connect() as connection:
            return int(connection.scalar(sql.text(statement)) or 0)

    def backup(self, path: Path) -> None:
        raise StoreError(
            f"a loop in PostgreSQL is copied by PostgreSQL: pg_dump '{self.url}' > {path}, "
            "with --schema=NAME if there are others"
        )

    def close(self) -> None:
        self.release_lease()
        for engine in (self._leases, self._writers, self.readers):
            engine.dispose()

    @staticmethod
    def _holds(connection: sql.Connection) -> bool:
        try:
            connection.exec_driver_sql("SELECT 1")
        except sql.exc.SQLAlchemyError:
            return False
        return True


def postgresql_address(url: str) -> sql.URL:
    """An address in the form of SQLAlchemy; a password among the options goes to its place."""
    try:
        address = sql.make_url(url)
        query = dict(address.query)
        given = query.pop("password", address.password)
        password = given[-1] if isinstance(given, tuple) else given
        port = 5432 if address.port is None else address.port
        if 0 < port < 2**16 and "@" not in (address.host or ""):
            return address.set(drivername="postgresql+psycopg", password=password, query=query)
    except (ValueError, sql.exc.ArgumentError):
        pass
    raise InvalidInput("storage", POSTGRESQL_RULE, Unquoted(without_passwords(url))) from None


def _secrets(address: sql.URL) -> tuple[str, ...]:
    """The passwords in an address, also as they are written there."""
    values = [str(address.password or "")]
    values += [str(value) for name, value in address.query.items() if "pass" in name]
    return tuple({form for value in values for form in (value, quote(value, "")) if form})


def _locking(function: str, lock: int = WRITING) -> str:
    return f"SELECT {function}({lock}, hashtext(current_schema()))"
