"""Many decisions with their rewards in one transaction: what a log of another system brings."""

from __future__ import annotations

from collections.abc import Sequence

import sqlalchemy as sql

from hybandit.errors import Conflict
from hybandit.loop.storage import closings, rows
from hybandit.loop.storage.contract import Closing, Event
from hybandit.loop.storage.forgetting import NOTE, SWEPT
from hybandit.loop.storage.tables import events, rewards

Rewarded = tuple[Event, float]
NEW_EVENTS = events.insert().returning(events.c.number, sort_by_parameter_order=True)
NEW_REWARDS = rewards.insert()


def put(
    connection: sql.Connection,
    known: rows.KnownActions,
    given: Sequence[Rewarded],
    at: float,
    closing: Closing,
    key: str,
) -> tuple[dict[tuple[str, str], int], str | None]:
    """Store decisions and close each by its reward; those that are stored are left out.

    Refuses before it writes. Returns the numbers of actions, and how often some were removed.
    """
    seen = _stored(connection, [event.id for event, _ in given], key)
    new: list[Rewarded] = []
    for event, reward in given:
        if event.id in seen:
            _check_the_same(seen[event.id], event, reward)
        else:
            seen[event.id] = event, reward
            new.append((event, reward))
    swept = connection.scalar(NOTE, {"name": SWEPT})
    if not new:
        return {}, swept
    wanted = dict.fromkeys(action for event, _ in new for action in event.actions)
    actions = known.write(connection, wanted, swept)
    made = [rows.row_of(event, [actions[each] for each in event.actions]) for event, _ in new]
    numbers = connection.scalars(NEW_EVENTS, made).all()
    paid = [reward for _, reward in new]
    lines = [
        {"event": number, "value": reward, "at": at, "late": False, "key": key}
        for number, reward in zip(numbers, paid, strict=True)
    ]
    connection.execute(NEW_REWARDS, lines)
    closings.write(connection, list(zip(numbers, paid, strict=True)), closing.kind, at)
    return actions, swept


def _stored(
    connection: sql.Connection, ids: Sequence[str], key: str
) -> dict[str, tuple[Event, float | None]]:
    """The events among these that are stored, with the reward that came with this key."""
    query = (
        sql.select(events, rewards.c.value)
        .outerjoin(rewards, (rewards.c.event == events.c.number) & (rewards.c.key == key))
        .where(events.c.id.in_(ids))
    )
    found = connection.execute(query).all()
    actions = rows.KnownActions.read(connection, found)
    return {row.id: (rows.event_of(row, actions), row.value) for row in found}


def _check_the_same(stored: tuple[Event, float | None], event: Event, reward: float) -> None:
    if not stored[0].asks_the_same(event):
        rule = "an id of its own: this one was ranked with other content"
        raise Conflict("event", rule, event.id)
    if stored[1] != reward:
        was = "without a reward" if stored[1] is None else f"with the reward {stored[1]!r}"
        raise Conflict("event", f"an id of its own: this one is stored {was}", event.id)
