"""The tables of a loop, one schema for all databases, and its version."""

from __future__ import annotations

import sqlalchemy as sql
from sqlalchemy import BigInteger, Boolean, Column, Float, Integer, LargeBinary, Table, Text

from hybandit.errors import StoreError

VERSION = 1
SCHEMA = "schema"
metadata = sql.MetaData()
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
    Column("digest", LargeBinary, nullable=False, unique=True),
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
    Column("actions", LargeBinary, nullable=False),
    Column("probabilities", LargeBinary, nullable=False),
    Column("excluded", Text),
    Column("choice", Integer, nullable=False),
    Column("preferred", Integer, nullable=False),
    Column("action", BigInteger, nullable=False),
    Column("version", BigInteger, nullable=False),
    Column("seed", BigInteger, nullable=False),
    Column("deferred", Boolean, nullable=False),
    Column("activated", Float(53)),
    Column("due", Float(53)),
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
    Column("key", Text, unique=True),
)
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
    Column("content", LargeBinary, nullable=False),
)


def prepare(connection: sql.Connection, url: str) -> None:
    """Make the tables, if there are none yet; refuse those of a newer schema."""
    if not sql.inspect(connection).has_table(meta.name):
        metadata.create_all(connection)
        connection.execute(meta.insert().values(name=SCHEMA, value=str(VERSION)))
        return
    found = int(connection.scalar(sql.select(meta.c.value).where(meta.c.name == SCHEMA)) or 0)
    if found > VERSION:
        raise StoreError(
            f"the loop {url} has schema {found}; this hybandit knows up to {VERSION}: update it"
        )
