"""Models in the database: the statements that read, write and delete them, in pieces."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import sqlalchemy as sql

from hybandit.loop.storage.tables import parts, snapshots

# Bytes of a model that one transaction writes, and how many such pieces one deletes.
PIECE, FEW = 2**19, 8
Run = Callable[..., Any]


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


def write(content: bytes, position: int, read: Run, write: Run) -> int | None:
    """Write the pieces of a model, each in a transaction: how many; None if one is there."""
    if position in read(positions):
        return None
    clear(write)
    rows = pieces(position, content)
    for row in rows:
        write(put_pieces, [row])
    return len(rows)


def clear(write: Run) -> None:
    """Remove pieces of models that are not there, a few in a transaction."""
    while write(_clear_some):
        pass


def _clear_some(connection: sql.Connection) -> int:
    left = parts.c.position.not_in(sql.select(snapshots.c.position))
    query = sql.select(parts.c.position, parts.c.part).where(left).limit(FEW)
    found = connection.execute(query).all()
    for position, part in found:
        connection.execute(parts.delete().filter_by(position=position, part=part))
    return len(found)


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
    """Delete models, except those that are pinned; `clear` removes their pieces."""
    these = snapshots.c.position.in_(list(unwanted)) & ~snapshots.c.pinned
    connection.execute(snapshots.delete().where(these))


def start_at(
    connection: sql.Connection, position: int, count: int | None, content: bytes, at: float
) -> None:
    """Pin the model at a position, of which `count` pieces are written, and delete those before.

    If None are, one was there: it stays if it is the same. `clear` removes the pieces.
    """
    connection.execute(snapshots.delete().where(snapshots.c.position < position))
    if count is not None:
        finish(connection, position, count, at, pinned=True)
    elif read(connection, position) == content:
        connection.execute(snapshots.update().filter_by(position=position).values(pinned=True))
    else:
        for table in (snapshots, parts):
            connection.execute(table.delete().filter_by(position=position))
        put(connection, position, content, at, pinned=True)
