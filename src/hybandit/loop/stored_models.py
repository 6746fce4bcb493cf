"""Models in the database: the statements that read, write and delete them, in pieces."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sqlalchemy as sql

from hybandit.loop.tables import parts, snapshots

# Bytes of a model that one transaction writes.
PIECE = 2**19


def positions(connection: sql.Connection) -> list[int]:
    """Positions that have a whole model, in order."""
    return list(connection.scalars(sql.select(snapshots.c.position).order_by("position")))


def read(connection: sql.Connection, position: int) -> bytes | None:
    """The model as it was written, or None if it is not there."""
    count = connection.scalar(sql.select(snapshots.c.parts).filter_by(position=position))
    query = sql.select(parts.c.content).filter_by(position=position).order_by(parts.c.part)
    found = list(connection.scalars(query))
    if count != len(found) or not all(isinstance(part, bytes) for part in found):
        return None
    return b"".join(found)


def begin(connection: sql.Connection, position: int) -> bool:
    """Make room for a model; returns whether there is none yet."""
    if connection.scalar(sql.select(snapshots.c.position).filter_by(position=position)):
        return False
    unfinished = parts.c.position.not_in(sql.select(snapshots.c.position))
    connection.execute(parts.delete().where(unfinished))
    return True


def pieces(position: int, content: bytes) -> list[dict[str, Any]]:
    """The rows of a model."""
    return [
        {"position": position, "part": part, "content": content[start : start + PIECE]}
        for part, start in enumerate(range(0, len(content), PIECE))
    ]


def put_pieces(connection: sql.Connection, rows: Sequence[dict[str, Any]]) -> None:
    connection.execute(parts.insert(), list(rows))


def finish(
    connection: sql.Connection, position: int, count: int, at: float, pinned: bool = False
) -> None:
    """Declare a model of so many pieces whole; a pinned one cannot be deleted."""
    header = {"position": position, "at": at, "parts": count, "pinned": pinned}
    connection.execute(snapshots.insert().values(header))


def put(
    connection: sql.Connection, position: int, content: bytes, at: float, *, pinned: bool
) -> None:
    """Write a whole model at once."""
    rows = pieces(position, content)
    put_pieces(connection, rows)
    finish(connection, position, len(rows), at, pinned)


def delete(connection: sql.Connection, unwanted: Sequence[int]) -> None:
    """Delete models, except those that are pinned."""
    these = snapshots.c.position.in_(list(unwanted)) & ~snapshots.c.pinned
    gone = list(connection.scalars(sql.select(snapshots.c.position).where(these)))
    for table in (snapshots, parts):
        connection.execute(table.delete().where(table.c.position.in_(gone)))


def replace_up_to(connection: sql.Connection, position: int, content: bytes, at: float) -> None:
    """Delete all models up to a position, pinned ones too, and pin this one there."""
    for table in (snapshots, parts):
        connection.execute(table.delete().where(table.c.position <= position))
    put(connection, position, content, at, pinned=True)
