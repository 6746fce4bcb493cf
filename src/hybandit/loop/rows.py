"""Conversion of records to database rows and back; each action is stored once."""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from hashlib import blake2b
from typing import Any

import numpy as np
import sqlalchemy as sql

from hybandit.loop.storage import Entry, Event, EventHistory, Outcome, Reward
from hybandit.loop.tables import actions

# Bytes in the database: little-endian, whatever the machine.
PLACES, CHANCES = np.dtype("<u4"), np.dtype("<f8")
KEPT = 50_000
Actions = dict[int, tuple[str, str]]


class KnownActions:
    """The numbers of actions, each distinct name and features stored once.

    Numbers are remembered only after the transaction that wrote them, and until actions are
    removed from the database: `swept` is how often that has happened.
    """

    def __init__(self) -> None:
        self._numbers: OrderedDict[tuple[str, str], int] = OrderedDict()
        self._swept: str | None = None

    def write(
        self, connection: sql.Connection, event: Event, swept: str | None = None
    ) -> dict[tuple[str, str], int]:
        """The number of each action of an event, in order; new ones are stored."""
        if swept != self._swept:
            self._numbers, self._swept = OrderedDict(), swept
        wanted = list(zip(event.names, event.features, strict=True))
        numbers = {action: self._numbers.get(action) for action in wanted}
        missing = {_digest(*action): action for action in wanted if numbers[action] is None}
        if missing:
            found = _find(connection, missing)
            new = [
                {"digest": digest, "name": name, "features": features}
                for digest, (name, features) in missing.items()
                if digest not in found
            ]
            if new:
                connection.execute(actions.insert(), new)
                found = _find(connection, missing)
            numbers.update({missing[digest]: number for digest, number in found.items()})
        return numbers  # type: ignore[return-value]

    def keep(self, numbers: dict[tuple[str, str], int], swept: str | None = None) -> None:
        """Remember what has been written, unless actions have been removed since."""
        if swept != self._swept:
            return
        self._numbers.update(numbers)
        while len(self._numbers) > KEPT:
            self._numbers.popitem(last=False)

    @staticmethod
    def read(connection: sql.Connection, events: Iterable[Any]) -> Actions:
        """Name and features of all actions in rows of events, by number."""
        wanted = sorted({number for row in events for number in _unpacked(row.actions, PLACES)})
        known: Actions = {}
        for start in range(0, len(wanted), 10_000):
            these = actions.c.number.in_(wanted[start : start + 10_000])
            for row in connection.execute(actions.select().where(these)):
                known[row.number] = (row.name, row.features)
        return known


def row_of(event: Event, numbers: Sequence[int]) -> dict[str, Any]:
    """The event's row; `numbers` are those of its actions."""
    return {
        "id": event.id,
        "at": event.at,
        "context": event.context,
        "actions": np.array(numbers, PLACES).tobytes(),
        "probabilities": np.array(event.probabilities, CHANCES).tobytes(),
        "excluded": json.dumps(event.excluded) if event.excluded else None,
        "choice": event.choice,
        "preferred": event.preferred,
        "action": numbers[event.choice],
        "version": event.version,
        "seed": event.seed,
        "deferred": event.deferred,
        "activated": None,
        "due": event.due,
    }


def event_of(row: Any, known: Actions) -> Event:
    """The event in a row, with the actions that `known` holds."""
    chosen = [known[number] for number in _unpacked(row.actions, PLACES)]
    return Event(
        id=row.id,
        at=row.at,
        context=row.context,
        names=tuple(name for name, _ in chosen),
        features=tuple(features for _, features in chosen),
        excluded=_excluded(row.excluded),
        probabilities=tuple(_unpacked(row.probabilities, CHANCES)),
        choice=row.choice,
        preferred=row.preferred,
        version=row.version,
        seed=row.seed,
        deferred=row.deferred,
        due=row.due,
    )


def reward_of(row: Any) -> Reward:
    return Reward(row.value, row.at, row.late)


def entry_of(row: Any) -> Entry:
    """A line of the journal, joined with its event and the action that was chosen."""
    if row.event is None:
        return jump_of(row)
    return Entry(
        row.position, row.kind, row.at, None, row.context, row.name, row.features, row.reward
    )


def jump_of(row: Any) -> Entry:
    return Entry(
        row.position, row.kind, row.at, row.target, policy=row.policy, settings=row.settings
    )


def history_of(row: Any, known: Actions, rewards: Sequence[Reward], closing: Any) -> EventHistory:
    event = event_of(row, known)
    entry = None
    if closing is not None:
        name, features = event.names[event.choice], event.features[event.choice]
        entry = Entry(
            closing.position, closing.kind, closing.at, None, event.context, name, features,
            closing.reward,
        )  # fmt: skip
    return EventHistory(event, row.activated, row.due, tuple(rewards), entry)


def outcome_of(row: Any) -> Outcome:
    excluded = _excluded(row.excluded)
    probabilities = _unpacked(row.probabilities, CHANCES)
    baseline = next(place for place in range(len(probabilities)) if place not in excluded)
    return Outcome(row.reward, row.choice, row.preferred, baseline, tuple(probabilities))


def _excluded(text: str | None) -> tuple[int, ...]:
    return tuple(json.loads(text)) if text else ()


def _unpacked(content: bytes, kind: np.dtype[Any]) -> list[Any]:
    unpacked: list[Any] = np.frombuffer(content, kind).tolist()
    return unpacked


def _digest(name: str, features: str) -> bytes:
    return blake2b(f"{name}\0{features}".encode(), digest_size=16).digest()


def _find(connection: sql.Connection, digests: Iterable[bytes]) -> dict[bytes, int]:
    query = sql.select(actions.c.digest, actions.c.number).where(
        actions.c.digest.in_(list(digests))
    )
    return {bytes(row.digest): row.number for row in connection.execute(query)}
