"""What a decision and a reward write, each within a transaction."""

from __future__ import annotations

from typing import Any, NamedTuple

import sqlalchemy as sql

from hybandit.errors import Conflict, UnknownEvent
from hybandit.loop.storage import closings, forgetting, rows
from hybandit.loop.storage.backends import Backend
from hybandit.loop.storage.contract import Closing, Event, Reward
from hybandit.loop.storage.statements import Statement
from hybandit.loop.storage.tables import events, journal, meta, pending, rewards
from hybandit.validation.settings import is_finite

# One row in any case, with how often actions have been removed.
EVENT_OR_NOT = Statement(
    sql.select(
        events,
        sql.select(meta.c.value)
        .where(meta.c.name == forgetting.SWEPT)
        .scalar_subquery()
        .label("swept"),
    ).select_from(
        sql.select(sql.literal(1)).subquery().outerjoin(events, events.c.id == sql.bindparam("id"))
    )
)
PLACE = Statement(
    sql.select(
        events.c.number,
        events.c.due,
        (~events.c.deferred | events.c.activated.is_not(None)).label("active"),
        journal.c.position.is_not(None).label("closed"),
    )
    .outerjoin(journal, journal.c.event == events.c.number)
    .where(events.c.id == sql.bindparam("id"))
)
KEYED = Statement(
    rewards.select().where(
        rewards.c.event == sql.bindparam("event"), rewards.c.key == sql.bindparam("key")
    )
)
NEW_EVENT = Statement(events.insert().returning(events.c.number))
NEW_PENDING, NEW_REWARD = (Statement(table.insert().inline()) for table in (pending, rewards))


class Put(NamedTuple):
    """A decision as it is stored, and what is now known of its actions."""

    event: Event
    numbers: dict[tuple[str, str], int]
    swept: Any


class RewardCall(NamedTuple):
    """A reward as it was reported."""

    event: str
    value: float
    at: float
    closing: Closing
    key: str | None

    @property
    def closes(self) -> bool:
        """Whether it closes its event, if the settings were always the same."""
        return self.closing.wait is None


def put_event(connection: sql.Connection, known: rows.KnownActions, event: Event) -> Put:
    """Store a decision, or find the one that the same call made before."""
    (row,) = EVENT_OR_NOT(connection, id=event.id)
    if row.number is not None:
        stored = rows.event_of(row, known.read(connection, [row]))
        if not stored.asks_the_same(event):
            rule = "an id of its own: this one was ranked with other content"
            raise Conflict("event", rule, event.id)
        return Put(stored, {}, row.swept)
    numbers = known.write(connection, event.actions, row.swept)
    written = NEW_EVENT(connection, **rows.row_of(event, list(numbers.values())))
    if event.due is not None:
        NEW_PENDING(connection, event=written[0].number, due=event.due)
    return Put(event, numbers, row.swept)


def put_reward(connection: sql.Connection, backend: Backend, call: RewardCall) -> Reward:
    """Store a reward, or find the one that the same call brought before."""
    found = known_event(connection, call.event)
    if call.key is not None:
        for again in KEYED(connection, event=found.number, key=call.key):
            if again.value != call.value:
                rule = f"a key of its own: this one came with the reward {again.value!r}"
                raise Conflict("key", rule, call.key)
            return rows.reward_of(again)
    if not call.closes and found.due is None and found.active and not found.closed:
        # It closes its event, whose window was none before `wait` was changed.
        backend.make_alone(connection)
        found = known_event(connection, call.event)
    late = found.closed or (found.due is not None and call.at > found.due)
    reward = Reward(call.value, call.at, late)
    NEW_REWARD(
        connection, event=found.number, value=call.value, at=call.at, late=late, key=call.key
    )
    if found.due is None and not late and found.active:
        closings.write(connection, [(found.number, call.value)], call.closing.kind, call.at)
    return reward


def known_event(connection: sql.Connection, event: str) -> Any:
    """What decides on the rewards of an event."""
    matching = PLACE(connection, id=event)
    if not matching:
        raise UnknownEvent("event", "the id of a decision of this loop", event)
    found = matching[0]
    with rows.damage_of(f"event {found.number}"):
        rows.check(found.due is None or is_finite(found.due), "its time")
    return found
