"""Queries about what has happened so far."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import sqlalchemy as sql

from hybandit.loop.storage import closings, forgetting, rows
from hybandit.loop.storage.contract import LEARN, Entry, EventHistory, Marks, News, Reward
from hybandit.loop.storage.tables import actions, events, journal, pending, rewards, snapshots
from hybandit.validation.settings import is_finite

# Where `meta` tells who learns.
HOLDER = "holder"


def _after(query: sql.Select[Any], number: sql.Column[int]) -> sql.Select[Any]:
    """Up to `most` rows whose number is larger than `after`, in order."""
    return (
        query.where(number > sql.bindparam("after")).order_by(number).limit(sql.bindparam("most"))
    )


def _lines(*columns: Any) -> sql.Select[Any]:
    """Lines of the journal, with their events and actions, if they have any."""
    query = (
        sql.select(*columns)
        .outerjoin(events, events.c.number == journal.c.event)
        .outerjoin(actions, actions.c.number == events.c.action)
    )
    return _after(query, journal.c.position)


ENTRIES = _lines(journal, events.c.context, actions.c.name, actions.c.features)
CLOSED = _lines(
    journal.c.position, journal.c.kind, journal.c.at, journal.c.event, journal.c.reward,
    journal.c.settings, events.c.choice, events.c.preferred, events.c.baseline,
    events.c.probabilities, events.c.excluded, events.c.version, actions.c.name,
)  # fmt: skip
ARRIVALS = _after(
    sql.select(events.c.number, events.c.at, events.c.version, actions.c.name)
    .join(actions, actions.c.number == events.c.action),
    events.c.number,
)  # fmt: skip
REWARDS = _after(
    sql.select(
        rewards.c.number, rewards.c.at, rewards.c.late, events.c.version,
        sql.func.coalesce(events.c.activated, events.c.at).label("began"),
    ).join(events, events.c.number == rewards.c.event),
    rewards.c.number,
)  # fmt: skip


def entries(connection: sql.Connection, after: int, limit: int) -> list[Entry]:
    """The journal after a position, in order."""
    return list(map(rows.entry_of, _rows_of(connection, ENTRIES, after, limit)))


def jumps(connection: sql.Connection) -> list[Entry]:
    """All jumps, in order."""
    query = journal.select().where(closings.IS_JUMP).order_by(journal.c.position)
    return list(map(rows.jump_of, connection.execute(query)))


def page_of_events(after: int, limit: int, action: str | None) -> sql.Select[Any]:
    """Up to `limit` events after a number, in order, where this action was chosen, or any."""
    query = events.select().where(events.c.number > after)
    if action is not None:
        named = sql.select(actions.c.number).where(actions.c.name == action)
        query = query.where(events.c.action.in_(named))
    return query.order_by(events.c.number).limit(limit)


def event_histories(connection: sql.Connection, query: sql.Select[Any]) -> list[EventHistory]:
    """All that is known of the events that a query gives."""
    found = connection.execute(query).all()
    if not found:
        return []
    numbers = [row.number for row in found]
    known = rows.KnownActions.read(connection, found)
    come: dict[int, list[Reward]] = {number: [] for number in numbers}
    of_these = rewards.select().where(rewards.c.event.in_(numbers)).order_by(rewards.c.number)
    for row in connection.execute(of_these):
        come[row.event].append(rows.reward_of(row))
    closed = connection.execute(journal.select().where(journal.c.event.in_(numbers)))
    closing_of = {row.event: row for row in closed}
    return [
        rows.history_of(row, known, come[row.number], closing_of.get(row.number)) for row in found
    ]


def news(connection: sql.Connection, after: Marks, limit: int) -> News:
    """What is new after these, as it is at one moment."""
    rows_of = partial(_rows_of, connection, limit=limit)
    base = forgetting.base(connection)
    return News(
        base,
        forgetting.dropped(connection),
        list(map(rows.arrival_of, rows_of(ARRIVALS, after.event))),
        list(map(rows.reward_news_of, rows_of(REWARDS, after.reward))),
        list(map(rows.closed_of, rows_of(CLOSED, max(after.position, base)))),
    )


def _rows_of(
    connection: sql.Connection, query: sql.Select[Any], after: int, limit: int
) -> Sequence[Any]:
    return connection.execute(query, {"after": after, "most": limit}).all()


def curve(connection: sql.Connection, points: int) -> list[tuple[int, float]]:
    """The journal in so many equal stretches: the last position and mean reward of each."""
    first = forgetting.base(connection) + 1
    length = max(1, closings.head(connection) + 1 - first)
    stretch = ((journal.c.position - first) * points) // length
    query = (
        sql.select(sql.func.max(journal.c.position), sql.func.avg(journal.c.reward))
        .where(journal.c.event.is_not(None))
        .group_by(stretch)
        .order_by(sql.func.max(journal.c.position))
    )
    found = [(int(last), mean) for last, mean in connection.execute(query)]
    with rows.damage_of("a reward"):
        rows.check(all(is_finite(mean) for _, mean in found), "its value")
    return found


def counts(connection: sql.Connection) -> dict[str, int]:
    """How many rows of each kind there are."""

    def count(table: sql.Table, *where: sql.ColumnElement[bool]) -> sql.ScalarSelect[int]:
        return sql.select(sql.func.count()).select_from(table).where(*where).scalar_subquery()

    query = sql.select(
        count(events).label("events"),
        count(rewards).label("rewards"),
        count(rewards, rewards.c.late).label("late"),
        count(journal, journal.c.event.is_not(None)).label("closed"),
        count(journal, journal.c.kind == LEARN).label("learned"),
        count(pending).label("waiting"),
        count(actions).label("actions"),
    )
    return dict(connection.execute(query).one()._mapping)


def facts(connection: sql.Connection, now: float) -> dict[str, Any]:
    """Who learns, how many models are stored, and how many events are overdue."""
    overdue = sql.select(sql.func.count()).select_from(pending).where(pending.c.due < now)
    told = {
        HOLDER: forgetting.noted(connection, HOLDER),
        "snapshots": connection.scalar(sql.select(sql.func.count()).select_from(snapshots)),
        "overdue": connection.scalar(overdue),
    }
    with rows.damage_of(f"the note {HOLDER!r}"):
        rows.check(told[HOLDER] is None or set(told[HOLDER]) == {"host", "process", "since"}, "who")
    return told
