"""Loops in PostgreSQL: each is a schema; locks and leases are advisory locks."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Lock
from typing import Any
from urllib.parse import quote

import sqlalchemy as sql

from hybandit.errors import InvalidInput, StoreError, Unquoted, without_passwords
from hybandit.loop.process.forks import GATE
from hybandit.loop.storage.backends import Backend
from hybandit.loop.storage.tables import events, journal, metadata, pending, rewards

POSTGRESQL_RULE = (
    "postgresql://user:password@host:port/name, the port a number from 1 to 65535, and in a "
    "password %40 for @, %2F for / and %3A for :"
)
# Options of an address that messages show.
SHOWN = ("host", "port", "dbname", "user", "options")
# The two advisory locks of a loop, each with the schema's hash beside it.
WRITING, LEARNING = 0x68796277, 0x6879626C
# Connections of a pool that stay open, and more while many are busy.
CONNECTIONS, MORE = 5, 10
# Seconds between two questions whether anybody has written.
OFTEN = 0.05
# What PostgreSQL says of two transactions at once: the same key twice, or a deadlock.
REPEATABLE = ("23505", "40001", "40P01")
HERE = "hashtext(current_schema())"
# The newest of all that is written. A number may be given before another that is committed first,
# but who looks at all that is new is alone, and has waited for that one.
PULSE = sql.select(
    sql.select(sql.func.max(journal.c.position)).scalar_subquery(),
    sql.select(sql.func.max(events.c.number)).scalar_subquery(),
    sql.select(sql.func.max(rewards.c.number)).scalar_subquery(),
    sql.select(sql.func.min(pending.c.due)).scalar_subquery(),
)


class Pool:
    """The connections of one process to a database, for any number of loops.

    `close` closes those that are idle, and gives up the leases; they open again when they are
    used. A forked child gets its own.
    """

    def __init__(self, url: str) -> None:
        self.address = postgresql_address(url)
        self.url = shown(self.address)
        self._of_process: dict[int, tuple[sql.Engine, Session]] = {}

    @property
    def engine(self) -> sql.Engine:
        """For transactions."""
        return self._own()[0]

    @property
    def session(self) -> Session:
        """For what lasts."""
        return self._own()[1]

    def close(self) -> None:
        self.session.close()
        self.engine.dispose()

    def _own(self) -> tuple[sql.Engine, Session]:
        found = self._of_process.get(os.getpid())
        if found is not None:
            return found
        alive = {"keepalives_idle": 5, "keepalives_interval": 2, "keepalives_count": 3}
        alive["connect_timeout"] = 10
        engine = sql.create_engine(
            self.address, connect_args=alive, pool_pre_ping=True, pool_use_lifo=True,
            pool_size=CONNECTIONS, max_overflow=MORE,
        )  # fmt: skip
        lasting = sql.create_engine(
            self.address, connect_args=alive, poolclass=sql.NullPool, isolation_level="AUTOCOMMIT"
        )
        return self._of_process.setdefault(os.getpid(), (engine, Session(lasting)))


class Session:
    """One lasting connection: it holds the leases of all loops of a pool, and sees who writes."""

    def __init__(self, engine: sql.Engine) -> None:
        self._engine, self._lock = engine, Lock()
        self._connection: sql.Connection | None = None
        # Whose each lease is, by the hash of its schema: one session could take it twice.
        self._held: dict[int, object] = {}
        self._written, self._asked_at = "", -float("inf")

    def written(self) -> str:
        """Where the server's log of writes ends: as long as it does, nobody has written."""
        with self._lock:
            if time.monotonic() > self._asked_at + OFTEN:
                self._written = str(self._ask("pg_current_wal_insert_lsn()"))
                self._asked_at = time.monotonic()
            return self._written

    def take(self, schema: int, holder: object) -> bool:
        """Get or keep a lease."""
        self.written()
        with self._lock:
            if schema not in self._held and self._ask(
                f"pg_try_advisory_lock({LEARNING}, {schema})"
            ):
                self._held[schema] = holder
            return self._held.get(schema) is holder

    def release(self, schema: int | None, holder: object) -> None:
        """Give up a lease, if it is this holder's."""
        with self._lock:
            if schema is not None and self._held.get(schema) is holder:
                del self._held[schema]
                # When a connection closes, the server may still take a while to notice.
                with suppress(sql.exc.SQLAlchemyError):
                    self._ask(f"pg_advisory_unlock({LEARNING}, {schema})")

    def close(self) -> None:
        """Give up all."""
        with self._lock:
            if self._connection is not None:
                with suppress(sql.exc.SQLAlchemyError):
                    self._ask("pg_advisory_unlock_all()")
            self._leave()

    def _ask(self, what: str) -> Any:
        """The server's answer; if there is none, the connection and all its leases are gone."""
        try:
            if self._connection is None:
                self._connection = self._engine.connect()
            return self._connection.exec_driver_sql(f"SELECT {what}").scalar()
        except sql.exc.SQLAlchemyError:
            self._leave()
            raise

    def _leave(self) -> None:
        self._held.clear()
        self._asked_at = -float("inf")
        if self._connection is not None:
            connection, self._connection = self._connection, None
            connection.invalidate()
            connection.close()


class PostgreSQL(Backend):
    """A schema of a PostgreSQL database; writers and the lease use advisory locks.

    A lock is released when the session that holds it ends, for whatever reason. Transactions that
    need not be alone share the lock of writers, so that their commits share the disk.

    Parameters
    ----------
    url
        The address; its options may name the schema.
    pool, schema
        Connections that several loops share, and which schema is meant.
    """

    schemes = ("postgresql", "postgres", "postgresql+psycopg")

    def __init__(self, url: str, pool: Pool | None = None, schema: str | None = None) -> None:
        try:
            import psycopg  # noqa: F401
        except ImportError:
            raise StoreError(
                "a loop in PostgreSQL needs psycopg: pip install 'psycopg[binary]'"
            ) from None
        self._owns = pool is None
        self._pool = Pool(url) if pool is None else pool
        self._schema = schema
        self.url = shown(postgresql_address(url))
        self._hash: int | None = None
        # Where the log of writes ended when the pulse was taken last.
        self._written, self._pulse = "", ()
        GATE.watch(self._pool)

    def secrets(self) -> tuple[str, ...]:
        return _secrets(self._pool.address)

    @contextmanager
    def begin(self, *, alone: bool = True) -> Iterator[sql.Connection]:
        with self._pool.engine.begin() as connection:
            self._enter(connection, "pg_advisory_xact_lock" + ("" if alone else "_shared"))
            yield connection

    def make_alone(self, connection: sql.Connection) -> None:
        connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({WRITING}, {HERE})")

    def may_repeat(self, error: Exception) -> bool:
        return getattr(getattr(error, "orig", None), "sqlstate", None) in REPEATABLE

    @contextmanager
    def read(self, *, alone: bool = False) -> Iterator[sql.Connection]:
        with self._pool.engine.connect() as connection:
            if alone or self._schema is not None:
                self._enter(connection, "pg_advisory_xact_lock" if alone else None)
            yield connection

    def pulse(self) -> object:
        written = self._pool.session.written()
        if written != self._written:
            with self.read() as connection:
                self._pulse = tuple(connection.execute(PULSE).one())
            self._written = written
        return self._pulse

    def take_lease(self) -> bool:
        if self._hash is None:
            with self.read() as connection:
                self._hash = int(connection.exec_driver_sql(f"SELECT {HERE}").scalar() or 0)
        return self._pool.session.take(self._hash, self)

    def release_lease(self) -> None:
        self._pool.session.release(self._hash, self)

    def size(self) -> int:
        names = ", ".join(f"('{name}')" for name in metadata.tables)
        statement = f"SELECT sum(pg_total_relation_size(name)) FROM (VALUES {names}) AS t (name)"
        with self.read() as connection:
            return int(connection.scalar(sql.text(statement)) or 0)

    def backup(self, path: Path) -> None:
        raise StoreError(
            f"a loop in PostgreSQL is copied by PostgreSQL: pg_dump '{self.url}' > {path}, "
            "with --schema=NAME if there are others"
        )

    def close(self) -> None:
        self.release_lease()
        if self._owns:
            self._pool.close()

    def _enter(self, connection: sql.Connection, lock: str | None) -> None:
        """Name the schema and take the lock of writers, both until the transaction ends."""
        asked = []
        if self._schema is not None:
            asked.append(f"set_config('search_path', '\"{self._schema}\"', true)")
        if lock is not None:
            here = HERE if self._schema is None else f"hashtext('{self._schema}')"
            asked.append(f"{lock}({WRITING}, {here})")
        connection.exec_driver_sql(f"SELECT {', '.join(asked)}")


def shown(address: sql.URL) -> str:
    """An address for people, without a password."""
    query = {name: value for name, value in address.query.items() if name in SHOWN}
    told = sql.URL.create(
        "postgresql", address.username, None, address.host, address.port, address.database, query
    )
    return told.render_as_string()


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
