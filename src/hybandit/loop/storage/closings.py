"""How events close: the statements that write the journal, each in a transaction that writes."""

from __future__ import annotations

import math
from collections.abc import Sequence

import sqlalchemy as sql

from hybandit.errors import InvalidInput
from hybandit.loop.storage import rows, stored_models
from hybandit.loop.storage.contract import CHANGE, ROLLBACK, SWITCH, Closing, Entry
from hybandit.loop.storage.forgetting import base
from hybandit.loop.storage.statements import Statement
from hybandit.loop.storage.tables import events, journal, pending, rewards
from hybandit.state import LARGEST_INPUT
from hybandit.validation.settings import is_finite

HEAD = Statement(sql.select(sql.func.max(journal.c.position).label("position")))
DUE = (
    sql.select(pending.c.event)
    .join(events, events.c.number == pending.c.event)
    .where(pending.c.due < sql.bindparam("now"))
    .order_by(pending.c.due, pending.c.event)
    .limit(sql.bindparam("most"))
)
FIRST_DUE = sql.select(sql.func.min(pending.c.due))
NEW_LINE, NEW_EVENT_LINE = journal.insert(), Statement(journal.insert().inline())
IS_JUMP = journal.c.event.is_(None) & (journal.c.kind != CHANGE)


def head(connection: sql.Connection) -> int:
    """The last position of the journal, 0 if it is empty."""
    return HEAD(connection)[0].position or base(connection)


def write(
    connection: sql.Connection, closed: Sequence[tuple[int, float]], kind: str, at: float
) -> None:
    """Append events with their rewards to the journal."""
    start = head(connection) + 1
    lines = [
        {"position": start + place, "kind": kind, "at": at, "event": event, "reward": reward}
        for place, (event, reward) in enumerate(closed)
    ]
    NEW_EVENT_LINE.many(connection, lines)


def append(connection: sql.Connection, jump: Entry, content: bytes) -> int:
    """Append a jump with its model; returns its position."""
    last, oldest = head(connection), base(connection)
    if jump.kind == SWITCH:
        others = sql.select(sql.func.max(journal.c.position)).where(IS_JUMP)
        oldest = max(oldest, connection.scalar(others) or 0)
    has_target = jump.kind in (ROLLBACK, SWITCH)
    if has_target and (jump.target is None or not oldest <= jump.target <= last):
        raise InvalidInput("version", f"from {oldest} to {last}, the newest", jump.target)
    line = {"kind": jump.kind, "at": jump.at, "target": jump.target, "policy": jump.policy}
    connection.execute(NEW_LINE, {"position": last + 1, **line})
    stored_models.put(connection, last + 1, content, jump.at, pinned=True)
    return last + 1


def append_change(connection: sql.Connection, settings: str, at: float) -> int:
    """Append new values of settings; returns the position."""
    position = head(connection) + 1
    line = {"position": position, "kind": CHANGE, "at": at, "settings": settings}
    connection.execute(NEW_LINE, line)
    return position


def due(connection: sql.Connection, now: float, limit: int) -> list[int]:
    """Events whose window is over, earliest first."""
    return list(connection.scalars(DUE, {"now": now, "most": limit}))


def next_due(connection: sql.Connection) -> float:
    """When the next window ends; infinite if none is open."""
    first = connection.scalar(FIRST_DUE)
    with rows.damage_of("a window"):
        rows.check(first is None or is_finite(first), "its end")
    return math.inf if first is None else float(first)


def close_due(connection: sql.Connection, now: float, closing: Closing, limit: int) -> int:
    """Close events whose window is over; returns how many."""
    these = due(connection, now, limit)
    if these:
        values = _rewards_of(connection, these)
        closed = [(event, aggregated(values[event], closing)) for event in these]
        write(connection, closed, closing.kind, now)
        connection.execute(pending.delete().where(pending.c.event.in_(these)))
    return len(these)


def close_rewarded(connection: sql.Connection, event: int, closing: Closing, at: float) -> None:
    """Close an event by its first reward, if it has one; the others are late."""
    first = (
        sql.select(rewards.c.number, rewards.c.value)
        .where(rewards.c.event == event)
        .order_by(rewards.c.number)
        .limit(1)
    )
    row = connection.execute(first).first()
    if row is not None:
        write(connection, [(event, row.value)], closing.kind, at)
        others = rewards.update().where(rewards.c.event == event, rewards.c.number != row.number)
        connection.execute(others.values(late=True))


def aggregated(values: Sequence[float], closing: Closing) -> float:
    """The reward of an event, from those that came in its window.

    Examples
    --------
    >>> aggregated([1.0, 3.0], Closing(wait=60.0, aggregate="sum"))
    4.0
    >>> aggregated([], Closing(wait=60.0, default_reward=-0.5))
    -0.5
    """
    if not values:
        return closing.default_reward
    if closing.aggregate == "sum":
        return min(LARGEST_INPUT, max(-LARGEST_INPUT, sum(values)))
    return values[0] if closing.aggregate == "earliest" else values[-1]


def _rewards_of(connection: sql.Connection, these: Sequence[int]) -> dict[int, list[float]]:
    """The rewards of each event that were in time, in order."""
    values: dict[int, list[float]] = {event: [] for event in these}
    query = sql.select(rewards.c.event, rewards.c.value).where(
        rewards.c.event.in_(these), ~rewards.c.late
    )
    for event, value in connection.execute(query.order_by(rewards.c.at, rewards.c.number)):
        values[event].append(value)
    return values
