"""Removal of old events, once the model that learned them is saved, and of what only they used."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import sqlalchemy as sql

from hybandit.loop.storage import stored_models
from hybandit.loop.storage.rows import PLACES, check, damage_of
from hybandit.loop.storage.tables import actions, events, journal, meta, pending, rewards
from hybandit.state import Array
from hybandit.validation.settings import is_whole

BASE = "base"
# How often events, and actions, have been removed.
FORGOTTEN, SWEPT = "forgotten", "swept"
# How many decisions of each action were removed that nothing had closed: of so many actions, those
# of which some were removed last, and under no name of all others together.
DROPPED, MOST_NAMES, OTHERS = "dropped", 10_000, ""
NOTE = sql.select(meta.c.value).where(meta.c.name == sql.bindparam("name"))
USED = (
    sql.select(events.c.number, events.c.actions)
    .where(events.c.number > sql.bindparam("after"))
    .order_by(events.c.number)
    .limit(sql.bindparam("most"))
)
# How many events are looked through at a time for the actions that they had.
LOOKED_AT, MOST = 500, 2**62

Run = Callable[..., Any]


def noted(connection: sql.Connection, name: str) -> Any:
    """A fact about the loop, or None."""
    text = connection.scalar(NOTE, {"name": name})
    with damage_of(f"the note {name!r}"):
        return None if text is None else json.loads(text)


def note(connection: sql.Connection, name: str, value: Any) -> None:
    """Keep a fact about the loop."""
    connection.execute(meta.delete().where(meta.c.name == name))
    connection.execute(meta.insert().values(name=name, value=json.dumps(value)))


def count(connection: sql.Connection, name: str) -> int:
    """A whole number among the facts, 0 if it is not there."""
    value = noted(connection, name)
    with damage_of(f"the note {name!r}"):
        check(value is None or (is_whole(value) and 0 <= value < 2**63), "a count")
    return value or 0


def base(connection: sql.Connection) -> int:
    """The position after which the journal begins."""
    return count(connection, BASE)


def set_base(
    connection: sql.Connection, position: int, count: int | None, content: bytes, at: float
) -> None:
    """Let the journal begin after a position, whose model is pinned (`stored_models.start_at`)."""
    if position > base(connection):
        stored_models.start_at(connection, position, count, content, at)
        note(connection, BASE, position)


def dropped(connection: sql.Connection) -> dict[str, int]:
    """How many decisions of each action were removed that nothing had closed."""
    found = noted(connection, DROPPED)
    with damage_of(f"the note {DROPPED!r}"):
        counts = {} if found is None else {str(name): found[name] for name in dict(found)}
        check(all(is_whole(value) and value >= 0 for value in counts.values()), "counts")
    return counts


def last_before(connection: sql.Connection, moment: float) -> int:
    """The last position up to which all entries are older than a moment."""
    query = sql.select(sql.func.min(journal.c.position)).where(journal.c.at >= moment)
    newer = connection.scalar(query)
    if newer is not None:
        return int(newer) - 1
    return connection.scalar(sql.select(sql.func.max(journal.c.position))) or base(connection)


def forget(read: Run, write: Run, moment: float, limit: int) -> Iterator[int]:
    """Delete entries up to the base with their events, then old events that nothing closes, and
    last the actions that no event has any more: in small steps, each in a transaction of its own.
    """
    gone = 0
    while deleted := write(_forget_entries, limit):
        gone += deleted
        yield deleted
    while old := read(_open_events, moment, limit):
        deleted = write(_forget_open, old)
        gone += deleted
        yield deleted
    if gone:
        for _ in _sweep(read, write, limit):
            yield 0


def _forget_entries(connection: sql.Connection, limit: int) -> int:
    first = sql.select(journal.c.position, journal.c.event)
    first = first.where(journal.c.position <= base(connection)).order_by(journal.c.position)
    lines = connection.execute(first.limit(limit)).all()
    positions = [line.position for line in lines]
    connection.execute(journal.delete().where(journal.c.position.in_(positions)))
    _delete_events(connection, [line.event for line in lines if line.event is not None])
    return len(lines)


def _open_events(connection: sql.Connection, moment: float, limit: int) -> list[int]:
    """Events before a moment that nothing closes, up to the first event that is newer.

    Without this end all events would be read to find the few that are old.
    """
    newer = sql.select(sql.func.min(events.c.number)).where(events.c.at >= moment)
    end = connection.scalar(newer)
    query = _unclosed().where(events.c.at < moment)
    if end is not None:
        query = query.where(events.c.number < end)
    return list(connection.scalars(query.order_by(events.c.number).limit(limit)))


def _forget_open(connection: sql.Connection, numbers: Sequence[int]) -> int:
    """Delete these, but for those that have closed since they were found."""
    still = list(connection.scalars(_unclosed().where(events.c.number.in_(numbers))))
    names = sql.select(actions.c.name, sql.func.count())
    names = names.join(events, events.c.action == actions.c.number)
    names = names.where(events.c.number.in_(still)).group_by(actions.c.name)
    gone = dropped(connection)
    others = gone.pop(OTHERS, 0)
    for name, removed in connection.execute(names):
        gone[name] = gone.pop(name, 0) + removed
    others += sum(gone.pop(name) for name in list(gone)[:-MOST_NAMES])
    note(connection, DROPPED, gone | ({OTHERS: others} if others else {}))
    _delete_events(connection, still)
    return len(still)


def _unclosed() -> sql.Select[Any]:
    return sql.select(events.c.number).where(
        ~sql.exists().where(pending.c.event == events.c.number),
        ~sql.exists().where(journal.c.event == events.c.number),
    )


def _delete_events(connection: sql.Connection, numbers: Sequence[int]) -> None:
    if numbers:
        connection.execute(rewards.delete().where(rewards.c.event.in_(numbers)))
        connection.execute(events.delete().where(events.c.number.in_(numbers)))
        note(connection, FORGOTTEN, count(connection, FORGOTTEN) + 1)


def _sweep(read: Run, write: Run, limit: int) -> Iterator[None]:
    """Delete actions that no event has; ends early if somebody else deletes events meanwhile."""
    query = sql.select(actions.c.number).order_by(actions.c.number)
    numbers = np.array(read(lambda connection: list(connection.scalars(query))), np.int64)
    forgotten, used = read(count, FORGOTTEN), np.zeros(len(numbers), bool)
    after, before = 0, -1
    while after != before:
        before = after
        after = read(_mark, numbers, used, after, LOOKED_AT)
        yield
    unused = np.flatnonzero(~used)
    for start in range(0, len(unused), limit):
        places = unused[start : start + limit]

        def work(connection: sql.Connection, places: Array = places, after: int = after) -> int:
            if count(connection, FORGOTTEN) != forgotten:
                return -1
            last: int = _mark(connection, numbers, used, after)
            gone = numbers[places[~used[places]]].tolist()
            connection.execute(actions.delete().where(actions.c.number.in_(gone)))
            note(connection, SWEPT, count(connection, SWEPT) + 1)
            return last

        after = write(work)
        if after < 0:
            return
        yield


def _mark(
    connection: sql.Connection, numbers: Array, used: Array, after: int, most: int = MOST
) -> int:
    """Note which actions the events after a number have; returns the last of these events."""
    found = connection.execute(USED, {"after": after, "most": most}).all()
    if not found:
        return after
    with damage_of(f"an event from {found[0].number} to {found[-1].number}"):
        had = np.unique(np.frombuffer(b"".join(row.actions for row in found), PLACES))
    places = np.searchsorted(numbers, had)
    inside = places < len(numbers)
    places, had = places[inside], had[inside]
    used[places[numbers[places] == had]] = True
    return int(found[-1].number)
