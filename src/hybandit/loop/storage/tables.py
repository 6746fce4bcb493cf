"""The tables of a loop, one schema for all databases, and how older ones become it."""

from __future__ import annotations

from collections.abc import Callable

import sqlalchemy as sql
from sqlalchemy import BigInteger, Boolean, Column, Float, Integer, LargeBinary, Table, Text

from hybandit.errors import StoreError

VERSION = 3
SCHEMA = "schema"
metadata = sql.MetaData()


class Bytes(LargeBinary):
    """Bytes as they are: SQLAlchemy turns a whole number in their place into so many zeros."""

    def result_processor(self, dialect: sql.Dialect, coltype: object) -> None:
        return None


# SQLite numbers rows by itself only in a column of this very type.
Number = BigInteger().with_variant(Integer, "sqlite")

meta = Table(
    "loop_meta",
    metadata,
    Column("name", Text, primary_key=True),
    Column("value", Text, nullable=False),
)
actions = Table(
    "loop_actions",
    metadata,
    Column("number", Number, primary_key=True),
    Column("digest", Bytes, nullable=False, unique=True),
    Column("name", Text, nullable=False),
    Column("features", Text, nullable=False),
)
events = Table(
    "loop_events",
    metadata,
    Column("number", Number, primary_key=True),
    Column("id", Text, nullable=False, unique=True),
    Column("at", Float(53), nullable=False),
    Column("context", Text, nullable=False),
    Column("actions", Bytes, nullable=False),
    Column("probabilities", Bytes, nullable=False),
    Column("excluded", Text),
    Column("choice", Integer, nullable=False),
    Column("preferred", Integer, nullable=False),
    Column("action", BigInteger, nullable=False),
    Column("version", BigInteger, nullable=False),
    Column("seed", BigInteger, nullable=False),
    Column("deferred", Boolean, nullable=False),
    Column("activated", Float(53)),
    Column("due", Float(53)),
    Column("baseline", Integer),
)
pending = Table(
    "loop_pending",
    metadata,
    Column("event", BigInteger, primary_key=True, autoincrement=False),
    Column("due", Float(53), nullable=False, index=True),
)
rewards = Table(
    "loop_rewards",
    metadata,
    Column("number", Number, primary_key=True),
    Column("event", BigInteger, nullable=False, index=True),
    Column("value", Float(53), nullable=False),
    Column("at", Float(53), nullable=False),
    Column("late", Boolean, nullable=False),
    Column("key", Text),
)
KEYS = sql.Index("ix_loop_rewards_key", rewards.c.event, rewards.c.key, unique=True)
journal = Table(
    "loop_journal",
    metadata,
    Column("position", Number, primary_key=True, autoincrement=False),
    Column("kind", Text, nullable=False),
    Column("at", Float(53), nullable=False),
    Column("event", BigInteger, unique=True),
    Column("reward", Float(53)),
    Column("target", BigInteger),
    Column("policy", Text),
    Column("settings", Text),
)
snapshots = Table(
    "loop_snapshots",
    metadata,
    Column("position", Number, primary_key=True, autoincrement=False),
    Column("at", Float(53), nullable=False),
    Column("parts", Integer, nullable=False),
    Column("pinned", Boolean, nullable=False),
)
parts = Table(
    "loop_snapshot_parts",
    metadata,
    Column("position", BigInteger, primary_key=True, autoincrement=False),
    Column("part", Integer, primary_key=True, autoincrement=False),
    Column("content", Bytes, nullable=False),
)


def _second(connection: sql.Connection) -> None:
    """A reward's key becomes unique within its event; entries get a policy and settings."""
    for column in (journal.c.policy, journal.c.settings):
        if column.name not in _columns(connection, journal):
            connection.exec_driver_sql(f"ALTER TABLE {journal.name} ADD COLUMN {column.name} TEXT")
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql(
            f"ALTER TABLE {rewards.name} DROP CONSTRAINT {rewards.name}_key_key"
        )
        KEYS.create(connection)
        return
    connection.exec_driver_sql(f"ALTER TABLE {rewards.name} RENAME TO loop_rewards_1")
    connection.exec_driver_sql("DROP INDEX ix_loop_rewards_event")
    rewards.create(connection)
    copied = ", ".join(column.name for column in rewards.columns)
    connection.exec_driver_sql(
        f"INSERT INTO {rewards.name} ({copied}) SELECT {copied} FROM loop_rewards_1"
    )
    connection.exec_driver_sql("DROP TABLE loop_rewards_1")


def _third(connection: sql.Connection) -> None:
    """An event tells its baseline; where it does not, it is the first that could be chosen."""
    if events.c.baseline.name not in _columns(connection, events):
        connection.exec_driver_sql(f"ALTER TABLE {events.name} ADD COLUMN baseline INTEGER")


# From each older schema to the next.
MIGRATIONS: dict[int, Callable[[sql.Connection], None]] = {1: _second, 2: _third}


def prepare(connection: sql.Connection, url: str) -> None:
    """Make the tables, or bring older ones up to date, all of it or nothing; refuse newer ones."""
    if not sql.inspect(connection).has_table(meta.name):
        metadata.create_all(connection)
        connection.execute(meta.insert().values(name=SCHEMA, value=str(VERSION)))
        return
    told = connection.scalar(sql.select(meta.c.value).where(meta.c.name == SCHEMA))
    if not isinstance(told, str) or not told.isdecimal() or not 1 <= len(told) <= 9:
        raise StoreError(f"the loop {url} is damaged: its schema is {told!r}")
    found = int(told)
    if found > VERSION:
        raise StoreError(
            f"the loop {url} has schema {found}; this hybandit knows up to {VERSION}: update it"
        )
    for version in range(found, VERSION):
        if version not in MIGRATIONS:
            raise StoreError(f"the loop {url} is damaged: there is no schema {found}")
        MIGRATIONS[version](connection)
    if found < VERSION:
        newer = meta.update().where(meta.c.name == SCHEMA).values(value=str(VERSION))
        connection.execute(newer)
    _check(connection, url)


def _check(connection: sql.Connection, url: str) -> None:
    """Refuse tables that are not there, or lack a column."""
    for table in metadata.sorted_tables:
        there = _columns(connection, table)
        lacking = [column.name for column in table.columns if column.name not in there]
        if lacking:
            raise StoreError(f"the loop {url} is damaged: {table.name} lacks {', '.join(lacking)}")


def _columns(connection: sql.Connection, table: Table) -> set[str]:
    inspector = sql.inspect(connection)
    if not inspector.has_table(table.name):
        return set()
    return {column["name"] for column in inspector.get_columns(table.name)}
