"""Queries about what has happened so far."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sql

from hybandit.loop import closings, forgetting, rows
from hybandit.loop.storage import LEARN, EventHistory, Outcome, Reward
from hybandit.loop.tables import actions, events, journal, pending, rewards, snapshots
from hybandit.validation.settings import is_finite

# Where `meta` tells who learns.
HOLDER = "holder"
OUTCOMES = (
    sql.select(
        journal.c.position, journal.c.reward, events.c.choice, events.c.preferred,
        events.c.probabilities, events.c.excluded,
    )
    .join(events, events.c.number == journal.c.event)
    .order_by(journal.c.position.desc())
    .limit(sql.bindparam("most"))
)  # fmt: skip


def event_histories(
    connection: sql.Connection, query: sql.Select[Any]
) -> list[tuple[int, EventHistory]]:
    """All that is known of the events that a query gives, each with its number."""
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
        (row.number, rows.history_of(row, known, come[row.number], closing_of.get(row.number)))
        for row in found
    ]


def outcomes(connection: sql.Connection, limit: int) -> list[Outcome]:
    """The events closed last, in order of closing."""
    found = connection.execute(OUTCOMES, {"most": limit}).all()
    return [rows.outcome_of(row) for row in reversed(found)]


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


def counts(connection: sql.Connection) -> dict[str, Any]:
    """How many of everything there are, and who learns."""

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
        count(snapshots).label("snapshots"),
    )
    told = dict(connection.execute(query).one()._mapping)
    told[HOLDER] = forgetting.noted(connection, HOLDER)
    with rows.damage_of(f"the note {HOLDER!r}"):
        rows.check(told[HOLDER] is None or set(told[HOLDER]) == {"host", "process", "since"}, "who")
    return told
