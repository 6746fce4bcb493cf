"""The records of a loop, and the contract of its storage."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple, Protocol, runtime_checkable

from hybandit.errors import InvalidInput, StoreError

LEARN, LOG = "learn", "log"
ROLLBACK, IMPORT, SWITCH, RESET = "rollback", "import", "switch", "reset"
CHANGE = "change"
# The version of a decision that another system made.
ELSEWHERE = -1
LONGEST_NAME, MOST_ACTIONS = 256, 10_000
NO_FEATURES = "{}"
UNSTORABLE = re.compile("[\0\ud800-\udfff]")


@dataclass(frozen=True)
class Event:
    """One decision, as it is stored.

    `context` and `features` are JSON text, equal text for equal content. `excluded` are
    places in `names`, and so is `baseline`: what would be served without a loop. `preferred` is
    what the model would have served, which differs from `choice` where the mode serves the
    baseline. `version` is that of the model, or `ELSEWHERE`: the event is of an old log. `due` is
    when the event closes, None if only a reward closes it or it waits for `activate`.
    """

    id: str
    at: float
    context: str
    names: tuple[str, ...]
    features: tuple[str, ...]
    excluded: tuple[int, ...]
    probabilities: tuple[float, ...]
    choice: int
    preferred: int
    baseline: int
    version: int
    seed: int
    deferred: bool
    due: float | None

    @property
    def actions(self) -> list[tuple[str, str]]:
        """Name and features of each."""
        return list(zip(self.names, self.features, strict=True))

    def asks_the_same(self, other: Event) -> bool:
        """Whether two calls of `rank` had the same content, whatever the answers."""
        return (
            self.context == other.context
            and self.names == other.names
            and self.features == other.features
            and self.excluded == other.excluded
            and self.baseline == other.baseline
            and self.deferred == other.deferred
        )


@dataclass(frozen=True)
class Reward:
    """A reward as it came; a late one was not counted."""

    value: float
    at: float
    late: bool


@dataclass(frozen=True)
class Entry:
    """One line of the journal.

    `learn` and `log` close an event, whose context, chosen action and aggregated reward
    they bring; `log` is not learned. `change` has new values of settings, as JSON, and no effect
    on the model. The others are jumps: `rollback` goes back to the model at `target`, `import`
    takes the one kept at `position`, a model of `policy`. So do `reset`, where that model has
    learned nothing, and `switch`, where it is what `policy` has learned of the whole journal up
    to `target`.
    """

    position: int
    kind: str
    at: float
    target: int | None = None
    context: str = "{}"
    name: str = ""
    features: str = "{}"
    reward: float = 0.0
    policy: str | None = None
    settings: str | None = None


@dataclass(frozen=True)
class EventHistory:
    """All that is known of an event: the decision, when it was activated, rewarded, closed.

    `number` counts the events of a loop in order of arrival, with gaps.
    """

    event: Event
    activated: float | None
    due: float | None
    rewards: tuple[Reward, ...]
    closing: Entry | None
    number: int = 0


@dataclass
class Marks:
    """The last event, reward and position of the journal that was counted."""

    event: int = 0
    reward: int = 0
    position: int = 0


class Arrival(NamedTuple):
    """A new decision: its number, when it was made, the action, and whether it is of an old log."""

    number: int
    at: float
    name: str
    imported: bool = False


class RewardNews(NamedTuple):
    """A new reward: its number, whether it was late, and how long after the decision it came.

    `imported`: it is of an old log.
    """

    number: int
    late: bool
    delay: float
    imported: bool = False


class ClosedEvent(NamedTuple):
    """A new line of the journal. `name` is None if it closes no event.

    `served`: the baseline was, which had this `chance`; `agreed`: what the model preferred was;
    `imported`: the event is of an old log.
    """

    position: int
    kind: str
    at: float
    name: str | None
    reward: float = 0.0
    served: bool = False
    chance: float = 1.0
    agreed: bool = False
    imported: bool = False
    settings: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True)
class News:
    """What is new in the database, each kind in its order.

    `base` is where the journal begins; `dropped` are all decisions of each action that were
    forgotten before anything closed them.
    """

    base: int
    dropped: dict[str, int]
    arrivals: list[Arrival]
    rewards: list[RewardNews]
    closed: list[ClosedEvent]


@dataclass(frozen=True)
class Closing:
    """When events close and what reward they then have: the settings that `rank` and `reward` need.

    `wait` in seconds, None if the first reward closes an event. `kind` is `learn` or `log`.
    """

    wait: float | None = None
    aggregate: str = "earliest"
    default_reward: float = 0.0
    kind: str = LEARN


def checked_name(parameter: str, name: Any) -> str:
    """Text that any database can store."""
    if not isinstance(name, str) or not 0 < len(name) <= LONGEST_NAME:
        raise InvalidInput(parameter, f"text of 1 to {LONGEST_NAME} characters", name)
    if UNSTORABLE.search(name):
        raise InvalidInput(parameter, "text without NUL and lone surrogates", name)
    return str(name)


@runtime_checkable
class Storage(Protocol):
    """A loop's database. A class of your own extends this, or has all of its methods.

    Consistency, for every storage:

    - Each method that writes is one transaction, durable when it returns; several calls
      at once may share one. A call that raises has written nothing.
    - Transactions that write come one after another, in all processes: what one has
      read stays true until it is done. So the journal's positions are 1, 2, 3, ...
      without gaps, and whoever sees position n sees all before it, unchanged, for ever.
    - An event closes at most once. If it has no `due`, the first reward closes it in the
      reward's own transaction; otherwise `close_due` closes it after its window, which
      starts at `rank`, or at `activate` if deferred. A deferred event cannot close before.
    - A reward whose event is closed, or whose window is over, is kept and is late.
    - An event's id, and a reward's key beside its event, name one call: the same again
      changes nothing.
    - Snapshots can be deleted at any time, but for those that the journal itself refers
      to (`pinned`). One that is not whole is not there.
    - What is older than the loop keeps can be forgotten up to a position, the base, whose
      model is pinned: the journal then begins after it.
    - The lease is held by at most one storage object at a time, and is free again before
      its holder's `close` returns, and soon after it dies. Nothing above depends on it: it
      only saves work.
    """

    url: str

    def reopened(self) -> Storage:
        """Another storage object for the same database, for a forked child; refused by default."""
        raise StoreError(
            f"the loop {self.url} was opened before this process was forked, with a storage that "
            "cannot be opened again: open the loop in the child"
        )

    def settings(self, defaults: dict[str, Any], given: dict[str, Any]) -> dict[str, Any]:
        """The settings stored with the loop, if those given agree; a new one stores both.

        Nothing is stored if there are none.
        """

    def change(self, settings: dict[str, Any], at: float) -> int:
        """Store new values of some settings, and write them into the journal; its position."""

    def add_event(self, event: Event) -> Event:
        """Store a decision; returns the stored one if the same call was made before."""

    async def add_event_soon(self, event: Event) -> Event:
        """`add_event` for asyncio, by default in a thread."""
        return await asyncio.to_thread(self.add_event, event)

    def add_reward(
        self, event: str, value: float, at: float, closing: Closing, key: str | None = None
    ) -> Reward:
        """Store a reward, and close the event if the first reward closes it."""

    async def add_reward_soon(
        self, event: str, value: float, at: float, closing: Closing, key: str | None = None
    ) -> Reward:
        """`add_reward` for asyncio, by default in a thread."""
        return await asyncio.to_thread(self.add_reward, event, value, at, closing, key)

    def add_rewarded(
        self, rewarded: Sequence[tuple[Event, float]], at: float, closing: Closing, key: str
    ) -> None:
        """Store decisions without a window, each closed by its reward, in one transaction.

        Those that were stored so before change nothing.
        """

    def activate(self, event: str, at: float, closing: Closing) -> None:
        """Let a deferred event close; once more changes nothing."""

    def close_due(self, now: float, closing: Closing, limit: int) -> int:
        """Close up to `limit` events whose window is over, earliest first; returns how many."""

    def next_due(self) -> float:
        """When the next window ends; infinite if none is open."""

    def pulse(self) -> object:
        """What differs from what it was as soon as anybody has written something; quick."""

    def append(
        self,
        kind: str,
        at: float,
        content: bytes,
        *,
        target: int | None = None,
        policy: str | None = None,
    ) -> int:
        """Write a jump with its model at the end of the journal; its position.

        A `target` must be in the journal, and that of a `switch` not before any other jump.
        """

    def head(self) -> int:
        """The last position of the journal, 0 if it is empty."""

    def entries(self, after: int, limit: int) -> list[Entry]:
        """The journal after a position, in order."""

    def jumps(self) -> list[Entry]:
        """All jumps, in order."""

    def snapshots(self) -> list[int]:
        """Positions that have a whole snapshot, in order."""

    def read_snapshot(self, position: int) -> bytes | None:
        """The model as it was written, or None if it is not there."""

    def write_snapshot(self, position: int, content: bytes, at: float) -> None:
        """Keep a model, in pieces, so that nobody waits long for the database."""

    def delete_snapshots(self, positions: Sequence[int]) -> None:
        """Forget models; those that the journal refers to stay."""

    def base(self) -> int:
        """Where the journal begins: 0, or the position up to which it has been forgotten."""

    def last_before(self, moment: float) -> int:
        """The last position up to which all entries are older than a moment."""

    def set_base(self, position: int, content: bytes, at: float) -> None:
        """Let the journal begin after a position, whose model is kept from now on."""

    def forget(self, moment: float, limit: int) -> Iterator[int]:
        """Delete entries up to the base with their events, events older than a moment that nothing
        closes, and actions that no event has any more: in steps of at most `limit` each, so that
        nobody waits long. Gives how many entries and events went in each step; may be left early.
        """

    def take_lease(self, at: float) -> bool:
        """Get or keep the lease; returns False if another storage holds it."""

    def release_lease(self) -> None:
        """Give up the lease."""

    def event_history(self, event: str) -> EventHistory | None:
        """All that is known of one event."""

    def event_histories(
        self, after: int = 0, limit: int | None = None, action: str | None = None
    ) -> Iterator[EventHistory]:
        """All that is known of the events after a number, in order of arrival.

        At most `limit`, and only those for which `action` was chosen, if they are given.
        """

    def news(self, after: Marks, limit: int) -> News:
        """Up to `limit` of each kind after those, as they were at one moment."""

    def tally(self) -> str | None:
        """What `keep_tally` has stored last."""

    def keep_tally(self, text: str) -> None:
        """Store counts, so that nobody has to count from the start."""

    def curve(self, points: int) -> list[tuple[int, float]]:
        """The journal in so many equal stretches: the last position and mean reward of each."""

    def counts(self) -> dict[str, int]:
        """How many rows of each kind there are; this may take long."""

    def facts(self, now: float) -> dict[str, Any]:
        """The `holder` of the lease, how many `snapshots`, `bytes` and `overdue` events there are.

        An event is overdue if its window was over before `now` and nobody has closed it.
        """

    def backup(self, path: Path) -> None:
        """Write a copy to a new file that opens as a loop, or refuse and say who can."""

    def close(self) -> None:
        """Leave the database."""
