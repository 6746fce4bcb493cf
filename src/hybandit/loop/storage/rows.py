"""Conversion of records to database rows and back; each action is stored once."""

from __future__ import annotations

import json
import operator
import sys
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from hashlib import blake2b
from typing import Any

import numpy as np
import sqlalchemy as sql

from hybandit.errors import StoreError
from hybandit.features.recent import RecentResults
from hybandit.features.records import canonical
from hybandit.loop.storage.contract import (
    CHANGE,
    ELSEWHERE,
    IMPORT,
    LEARN,
    LOG,
    MOST_ACTIONS,
    RESET,
    ROLLBACK,
    SWITCH,
    Arrival,
    ClosedEvent,
    Entry,
    Event,
    EventHistory,
    Reward,
    RewardNews,
    checked_name,
)
from hybandit.loop.storage.tables import actions
from hybandit.state import LARGEST_INPUT
from hybandit.validation.settings import is_finite, is_whole

# Bytes in the database: little-endian, whatever the machine.
PLACES, CHANCES = np.dtype("<u4"), np.dtype("<f8")
# The bytes of names and features whose numbers a process remembers, and what Python takes for each.
KEPT_BYTES, ENTRY_BYTES = 32 * 2**20, 200
JUMPS = (ROLLBACK, IMPORT, SWITCH, RESET)
# Times, in seconds, that are dates.
EARLIEST, LATEST = -62_000_000_000.0, 250_000_000_000.0
# The errors that reading what is not what was written may raise, some of our own among them.
DAMAGE = (
    ValueError, TypeError, KeyError, IndexError, AttributeError, OverflowError, RecursionError,
    StopIteration,
)  # fmt: skip
Actions = dict[int, tuple[str, str]]
Numbers = RecentResults[tuple[str, str], int]


class Damaged(StoreError):
    """Something in the database is not what was written there."""


class KnownActions:
    """The numbers of actions, each distinct name and features stored once.

    Numbers are remembered only after the transaction that wrote them, and until actions are
    removed from the database: `swept` is how often that has happened.
    """

    def __init__(self) -> None:
        self._numbers: Numbers = RecentResults(KEPT_BYTES, _bytes_of)
        self._swept: str | None = None

    def write(
        self,
        connection: sql.Connection,
        wanted: Collection[tuple[str, str]],
        swept: str | None = None,
    ) -> dict[tuple[str, str], int]:
        """The number of each action by name and features, in order; new ones are stored."""
        if swept != self._swept:
            # In this order: `keep` in another thread adds to what it has taken before it compares.
            self._swept = swept
            self._numbers = RecentResults(KEPT_BYTES, _bytes_of)
        numbers = {action: self._numbers.get(action) for action in wanted}
        if None in numbers.values():
            missing = {_digest(*action): action for action in wanted if numbers[action] is None}
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
        known = self._numbers
        if swept == self._swept:
            for action, number in numbers.items():
                if action not in known:
                    known.keep(action, number)

    @staticmethod
    def read(connection: sql.Connection, events: Iterable[Any]) -> Actions:
        """Name and features of all actions in rows of events, by number."""
        wanted: set[int] = set()
        for row in events:
            with damage_of(f"event {row.number}"):
                wanted.update(_unpacked(row.actions, PLACES))
        numbers = sorted(wanted)
        known: Actions = {}
        for start in range(0, len(numbers), 10_000):
            these = actions.c.number.in_(numbers[start : start + 10_000])
            for row in connection.execute(actions.select().where(these)):
                with damage_of(f"action {row.number}"):
                    known[row.number] = checked_name("name", row.name), _features(row.features)
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
        "baseline": event.baseline,
        "action": numbers[event.choice],
        "version": event.version,
        "seed": event.seed,
        "deferred": event.deferred,
        "activated": None,
        "due": event.due,
    }


def event_of(row: Any, known: Actions) -> Event:
    """The event in a row, with the actions that `known` holds."""
    with damage_of(f"event {row.number}"):
        chosen = [known[number] for number in _unpacked(row.actions, PLACES)]
        excluded, probabilities = _excluded(row), _probabilities(row)
        check(len(chosen) == len(probabilities), "its actions")
        event = Event(
            id=checked_name("event", row.id),
            at=_moment(row.at),
            context=_features(row.context),
            names=tuple(name for name, _ in chosen),
            features=tuple(features for _, features in chosen),
            excluded=excluded,
            probabilities=probabilities,
            choice=row.choice,
            preferred=row.preferred,
            baseline=_baseline(row, len(chosen), excluded),
            version=row.version,
            seed=row.seed,
            deferred=row.deferred,
            due=None if row.due is None else _moment(row.due),
        )
        _check_places(row, len(chosen), excluded)
        check(_is_version(row.version) and _is_count(row.seed), "its version and seed")
        if row.activated is not None:
            _moment(row.activated)
        return event


def reward_of(row: Any) -> Reward:
    with damage_of(f"reward {row.number}"):
        return Reward(_reward(row.value), _moment(row.at), row.late)


def entry_of(row: Any) -> Entry:
    """A line of the journal, joined with its event and the action that was chosen."""
    if row.event is None:
        return jump_of(row)
    with damage_of(f"entry {row.position} of the journal"):
        check(row.position > 0 and row.kind in (LEARN, LOG), "its kind")
        return Entry(
            row.position, row.kind, _moment(row.at), None, _features(row.context),
            checked_name("name", row.name), _features(row.features), _reward(row.reward),
        )  # fmt: skip


def jump_of(row: Any) -> Entry:
    """A line of the journal that closes no event. It may go back, never forth."""
    with damage_of(f"entry {row.position} of the journal"):
        check(row.position > 0 and row.kind in (*JUMPS, CHANGE), "its kind")
        if row.kind in (ROLLBACK, SWITCH):
            check(_is_count(row.target) and row.target < row.position, "its target")
        if row.kind in JUMPS and row.kind != ROLLBACK:
            checked_name("policy", row.policy)
        return Entry(
            row.position, row.kind, _moment(row.at), row.target, policy=row.policy,
            settings=row.settings,
        )  # fmt: skip


def history_of(row: Any, known: Actions, rewards: Sequence[Reward], closing: Any) -> EventHistory:
    event = event_of(row, known)
    entry = None
    if closing is not None:
        with damage_of(f"entry {closing.position} of the journal"):
            check(closing.position > 0 and closing.kind in (LEARN, LOG), "its kind")
            name, features = event.names[event.choice], event.features[event.choice]
            entry = Entry(
                closing.position, closing.kind, _moment(closing.at), None, event.context, name,
                features, _reward(closing.reward),
            )  # fmt: skip
    return EventHistory(event, row.activated, row.due, tuple(rewards), entry, row.number)


def arrival_of(row: Any) -> Arrival:
    with damage_of(f"event {row.number}"):
        name = checked_name("name", row.name)
        return Arrival(row.number, _moment(row.at), name, row.version == ELSEWHERE)


def reward_news_of(row: Any) -> RewardNews:
    """A reward, with the time at which its window began."""
    with damage_of(f"reward {row.number}"):
        delay = _moment(row.at) - _moment(row.began)
        return RewardNews(row.number, bool(row.late), delay, row.version == ELSEWHERE)


def closed_of(row: Any) -> ClosedEvent:
    """A line of the journal, joined with its event and the name of the action."""
    with damage_of(f"entry {row.position} of the journal"):
        at = _moment(row.at)
        if row.event is None:
            settings = {} if row.settings is None else json.loads(row.settings)
            check(isinstance(settings, dict), "its settings")
            return ClosedEvent(row.position, row.kind, at, None, settings=settings)
        excluded, probabilities = _excluded(row), _probabilities(row)
        _check_places(row, len(probabilities), excluded)
        baseline = _baseline(row, len(probabilities), excluded)
        return ClosedEvent(
            row.position, row.kind, at, checked_name("name", row.name), _reward(row.reward),
            row.choice == baseline, probabilities[baseline], row.choice == row.preferred,
            row.version == ELSEWHERE,
        )  # fmt: skip


@contextmanager
def damage_of(place: str) -> Iterator[None]:
    """Tell where something cannot be what was stored."""
    try:
        yield
    except DAMAGE as error:
        raise Damaged(f"{place} is not what was written ({error})") from None


def check(holds: bool, what: str) -> None:
    if not holds:
        raise ValueError(what)


def _check_places(row: Any, count: int, excluded: tuple[int, ...]) -> None:
    for place in (row.choice, row.preferred):
        check(is_whole(place) and 0 <= place < count, "its choice")
    check(row.choice not in excluded, "its choice")


def _baseline(row: Any, count: int, excluded: tuple[int, ...]) -> int:
    """The place of the baseline; without one, that of the first action that may be chosen."""
    if row.baseline is None:
        out = set(excluded)
        return next(place for place in range(count) if place not in out)
    there = is_whole(row.baseline) and 0 <= row.baseline < count
    check(there and row.baseline not in excluded, "its baseline")
    return int(row.baseline)


def _excluded(row: Any) -> tuple[int, ...]:
    """Places of actions, in order, less than all of them."""
    places = json.loads(row.excluded) if row.excluded else []
    count = len(row.probabilities) // CHANCES.itemsize
    check(isinstance(places, list), "its exclusions")
    rising = all(map(is_whole, places)) and all(map(operator.lt, [-1, *places], [*places, count]))
    check(rising and len(places) < count, "its exclusions")
    return tuple(places)


def _probabilities(row: Any) -> tuple[float, ...]:
    chances = np.frombuffer(row.probabilities, CHANCES)
    # A NaN fails each comparison.
    holds = 0 < len(chances) <= MOST_ACTIONS and chances.min() >= 0.0 and chances.max() <= 1.0
    check(bool(holds) and chances[row.choice] > 0.0, "its probabilities")
    return tuple(chances.tolist())


def _features(text: str) -> str:
    check(canonical("features", json.loads(text)) == text, "its features")
    return text


def _moment(at: Any) -> float:
    check(is_finite(at) and EARLIEST <= at <= LATEST, "its time")
    return float(at)


def _reward(value: Any) -> float:
    check(is_finite(value) and abs(value) <= LARGEST_INPUT, "its reward")
    return float(value)


def _is_version(value: Any) -> bool:
    return _is_count(value) or value == ELSEWHERE


def _is_count(value: Any) -> bool:
    return is_whole(value) and 0 <= value < 2**63


def _unpacked(content: bytes, kind: np.dtype[Any]) -> list[Any]:
    unpacked: list[Any] = np.frombuffer(content, kind).tolist()
    return unpacked


def _bytes_of(action: tuple[str, str], number: int) -> int:
    return sum(map(sys.getsizeof, action)) + ENTRY_BYTES


def _digest(name: str, features: str) -> bytes:
    return blake2b(f"{name}\0{features}".encode(), digest_size=16).digest()


def _find(connection: sql.Connection, digests: Iterable[bytes]) -> dict[bytes, int]:
    query = sql.select(actions.c.digest, actions.c.number).where(
        actions.c.digest.in_(list(digests))
    )
    return {bytes(row.digest): row.number for row in connection.execute(query)}
