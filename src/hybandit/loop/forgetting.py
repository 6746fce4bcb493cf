"""Removal of old events, once the model that learned them is saved."""

from __future__ import annotations

import json
from typing import Any

import sqlalchemy as sql

from hybandit.loop.tables import events, journal, meta, pending, rewards

BASE = "base"
NOTE = sql.select(meta.c.value).where(meta.c.name == sql.bindparam("name"))


def noted(connection: sql.Connection, name: str) -> Any:
    """A fact about the loop, or None."""
    text = connection.scalar(NOTE, {"name": name})
    return None if text is None else json.loads(text)


def note(connection: sql.Connection, name: str, value: Any) -> None:
    """Keep a fact about the loop."""
    connection.execute(meta.delete().where(meta.c.name == name))
    connection.execute(meta.insert().values(name=name, value=json.dumps(value)))


def base(connection: sql.Connection) -> int:
    """The position after which the journal begins."""
    return noted(connection, BASE) or 0


def last_before(connection: sql.Connection, moment: float) -> int:
    """The last position up to which all entries are older than a moment."""
    query = sql.select(sql.func.min(journal.c.position)).where(journal.c.at >= moment)
    newer = connection.scalar(query)
    if newer is not None:
        return int(newer) - 1
    return connection.scalar(sql.select(sql.func.max(journal.c.position))) or base(connection)


def forget(connection: sql.Connection, moment: float, limit: int) -> int:
    """Delete entries up to the base with their events, and old events that nothing closes."""
    first = sql.select(journal.c.position, journal.c.event)
    first = first.where(journal.c.position <= base(connection)).order_by(journal.c.position)
    lines = connection.execute(first.limit(limit)).all()
    numbers = [line.event for line in lines if line.event is not None]
    connection.execute(
        journal.delete().where(journal.c.position.in_([line.position for line in lines]))
    )
    open_still = (
        sql.select(events.c.number)
        .where(
            events.c.at < moment,
            events.c.number.not_in(sql.select(pending.c.event)),
            ~sql.exists().where(journal.c.event == events.c.number),
            events.c.number.not_in(numbers),
        )
        .order_by(events.c.number)
        .limit(limit)
    )
    numbers += list(connection.scalars(open_still))
    connection.execute(rewards.delete().where(rewards.c.event.in_(numbers)))
    connection.execute(events.delete().where(events.c.number.in_(numbers)))
    return max(len(lines), len(numbers))
