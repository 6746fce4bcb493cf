"""The status of a running loop, and explanations of single events."""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import UTC, datetime

from hybandit.loop.storage.contract import LOG, ROLLBACK, Entry, EventHistory, Reward
from hybandit.notebook import card

# If only rewards close events, and more than half of so many have none, that is told.
MANY = 200
# What share of the rewards may be late without a word.
FEW_LATE = 0.01
DAY = 86_400.0
# Up to so many seconds, times are told in units of so many, with that name.
TIMES = (
    (120.0, 1.0, "s"), (7200.0, 60.0, "min"), (172_800.0, 3600.0, "h"), (math.inf, DAY, "days")
)  # fmt: skip


@dataclass(frozen=True)
class MeanInterval:
    """A mean with its 95 % interval; None where there is nothing to go by.

    Rewards that are all equal, as one alone is, have a mean but no interval.
    """

    mean: float | None
    low: float | None
    high: float | None

    def __str__(self) -> str:
        if self.mean is None:
            return "-"
        if self.low is None or self.high is None:
            return f"{self.mean:.4f}"
        return f"{self.mean:.4f} [{self.low:.4f}, {self.high:.4f}]"

    @classmethod
    def of(cls, count: int, total: float, squares: float) -> MeanInterval:
        """From a number of values, their sum, and the sum of their squares.

        Examples
        --------
        >>> MeanInterval.of(2, 1.0, 1.0).mean, MeanInterval.of(1, 1.0, 1.0)
        (0.5, MeanInterval(mean=1.0, low=None, high=None))
        """
        if not count:
            return NOTHING
        mean = total / count
        variance = max(0.0, squares / count - mean**2)
        if variance <= 1e-12 * mean**2:
            return cls(mean, None, None)
        half = 1.96 * math.sqrt(variance / count)
        return cls(mean, mean - half, mean + half)


NOTHING = MeanInterval(None, None, None)


@dataclass(frozen=True, repr=False)
class Status:
    """A loop at a glance.

    Attributes
    ----------
    version, here
        The newest version, and the one that this process ranks with; `lag` between them.
    catching_up
        Whether this process, which has just opened the loop, still learns its journal.
    events, closed, learned, rewards
        How many there have been, also of what is no longer kept. While there is an error, entries
        that this process has not learned are not counted as learned.
    imported
        Events of old logs that were learned besides (`Loop.learn_from`), which no other count, mean
        or verdict includes: this loop has not decided them.
    late
        Rewards that were not learned: after the window or, without windows, after the first.
    waiting
        Events that nothing has closed yet; `overdue` are those whose window is over.
    actions
        How many names of actions there are, of the 10,000 shown last.
    learner
        Host, process and start of the one who learns or did last; `leads`: it is this one.
    reward
        Mean reward of all closed events.
    baseline
        What the baseline would have earned in those where there was a choice, as estimated from
        the probabilities.
    gain, verdict
        How much more the loop earns than the baseline per event, with an interval that holds at
        all times at once, and the same in a sentence: see `Loop.verdict`.
    agreement
        How often what was served is what the model thought best.
    notes
        What somebody should know of this loop, in sentences; the first is the error, if there is
        one.
    error
        What keeps the background thread from learning, or None.
    """

    url: str
    mode: str
    policy: str
    version: int
    here: int
    lag: int
    catching_up: bool
    events: int
    rewards: int
    late: int
    closed: int
    learned: int
    waiting: int
    overdue: int
    imported: int
    actions: int
    snapshots: int
    bytes: int
    learner: dict[str, object] | None
    leads: bool
    reward: MeanInterval
    baseline: MeanInterval
    gain: MeanInterval
    verdict: str
    agreement: float | None
    notes: tuple[str, ...]
    error: str | None

    @property
    def model(self) -> str:
        """How far the model of this process is, in words."""
        if self.error is not None and self.lag:
            return f"version {self.here:,}, stopped {self.lag:,} entries before the newest"
        if self.catching_up:
            return f"catching up: {self.lag:,} of {self.version:,} entries to go"
        behind = f", {self.lag:,} behind" if self.lag else ""
        return f"version {self.here:,}{behind}"

    def __repr__(self) -> str:
        counts = f"{self.events:,} events, {self.closed:,} closed"
        error = f", error: {self.error}" if self.error else ""
        return f"Status({self.url}: {counts}, mean reward {self.reward}, {self.model}{error})"

    def _repr_html_(self) -> str:
        told = [self.verdict, *(f"Watch out: {note}." for note in self.notes)]
        facts = [
            ("events", f"{self.events:,}, {self.closed:,} closed, {self.waiting:,} waiting"),
            ("rewards", f"{self.rewards:,}, {self.late:,} of them not learned"),
            ("mean reward", self.reward),
            ("baseline", self.baseline),
            ("actions", f"{self.actions:,}"),
            ("policy", f"{self.policy}, {self.mode}"),
            ("model", self.model),
            ("size on disk", f"{self.bytes / 1e6:,.1f} MB"),
        ]
        return card(f"The loop {self.url}", facts, told=told)


@dataclass(frozen=True, repr=False)
class Explanation:
    """The history of an event: ranked, activated, rewarded, closed; and why it is not learned."""

    event: str
    action: str
    probability: float
    ranked: datetime
    activated: datetime | None
    rewards: tuple[Reward, ...]
    closed: datetime | None
    reward: float | None
    learned: int | None
    why: str

    def __repr__(self) -> str:
        chosen = f"{self.action!r} with probability {self.probability:.4g}"
        return f"Explanation({self.event!r}: {chosen}; {self.why})"

    def _repr_html_(self) -> str:
        return card(f"Event {self.event}", [(name, told) for name, told in self.lines()])

    def lines(self, *, has_window: bool | None = None) -> list[list[str]]:
        """The history in order, each part with its name.

        `has_window`, where it is known, tells why a reward was not learned.
        """
        late = f" ({not_learned(has_window)})"
        rewards = [f"{each.value:g}{late if each.late else ''}" for each in self.rewards]
        return [
            ["action", f"{self.action}, probability {self.probability:.4f}"],
            ["ranked", _time(self.ranked)],
            *([["activated", _time(self.activated)]] if self.activated else []),
            ["rewards", ", ".join(rewards) or "-"],
            ["closed", _time(self.closed)],
            ["reward learned", "-" if self.reward is None else f"{self.reward:g}"],
            ["why", self.why],
        ]


@dataclass(frozen=True)
class StoredModel:
    """A version whose model is stored.

    `kind` is ``snapshot``, or what made this version: ``rollback`` to `target`, ``switch`` to
    `policy`, ``reset`` or ``import``, `at` that time.
    """

    version: int
    kind: str
    at: datetime | None = None
    target: int | None = None
    policy: str | None = None

    @classmethod
    def of(cls, jump: Entry) -> StoredModel:
        target = jump.target if jump.kind == ROLLBACK else None
        return cls(jump.position, jump.kind, _moment(jump.at), target, jump.policy)


def not_learned(has_window: bool | None) -> str:
    """What is said of a reward that was not learned."""
    return {True: "too late", False: "after the first", None: "not learned"}[has_window]


def _time(moment: datetime | None) -> str:
    return "-" if moment is None else f"{moment:%Y-%m-%d %H:%M:%S} UTC"


def silence(waiting: int, events: int) -> str | None:
    """What to say where only rewards close events, and many decisions have none."""
    if events < MANY or 2 * waiting <= events:
        return None
    return (
        f"{waiting:,} of {events:,} decisions have no reward, and with wait=None they are never "
        "learned. If no reward means 0, tell the loop how long one may take, such as "
        "change(wait='10 min'): it then learns all decisions that follow"
    )


def stopped(error: object) -> str:
    """What to say where nothing is learned."""
    return f"learning has stopped: {error}"


def lateness(late: int, rewards: int, wait: float, patience: float) -> str | None:
    """What to say of rewards after the window, if 99 % of all came within `patience` seconds."""
    if late <= FEW_LATE * rewards:
        return None
    return (
        f"{late / rewards:.1%} of the rewards came after their window of {time_told(wait)} and "
        f"were not learned: wait='{time_told(patience)}' would have been in time for 99 %"
    )


def turned(at: float, ago: int) -> str:
    """What to say of a change of tastes, so many learned events ago.

    Examples
    --------
    >>> turned(1.7e9, 1234)[:55]
    'what people choose seems to have changed on 2023-11-14,'
    """
    return (
        f"what people choose seems to have changed on {_moment(at):%Y-%m-%d}, {ago:,} learned "
        "events ago: what was learned since then tells better what they choose now"
    )


def time_told(seconds: float) -> str:
    """A time as `wait` takes it, rounded up to a tenth of its unit.

    Examples
    --------
    >>> time_told(600.0), time_told(7201.0), time_told(2.5), time_told(2e6)
    ('10 min', '2.1 h', '2.5 s', '23.2 days')
    """
    unit, name = next((unit, name) for most, unit, name in TIMES if seconds <= most)
    # Rounded first: 1.1 / 0.1 is a little more than 11.
    tenths = math.ceil(round(10.0 * seconds / unit, 6))
    return f"{tenths / 10.0:g} {name}"


def explanation(history: EventHistory, *, now: float, here: int, undone: bool) -> Explanation:
    """What is known of an event, and the reason why it is not learned, if it is not."""
    event, entry = history.event, history.closing
    learned = entry is not None and entry.kind != LOG and entry.position <= here
    return Explanation(
        event=event.id,
        action=event.names[event.choice],
        probability=event.probabilities[event.choice],
        ranked=_moment(event.at),
        activated=None if history.activated is None else _moment(history.activated),
        rewards=history.rewards,
        closed=None if entry is None else _moment(entry.at),
        reward=None if entry is None else entry.reward,
        learned=entry.position if entry is not None and learned else None,
        why=_why(history, now=now, here=here, undone=undone),
    )


def _why(history: EventHistory, *, now: float, here: int, undone: bool) -> str:
    if history.closing is not None:
        return _why_closed(history.closing, here, undone)
    if history.event.deferred and history.activated is None:
        return "deferred: it cannot close before activate(event)"
    if history.due is None:
        return "no reward yet: the first one closes it"
    if history.due >= now:
        return f"its window is open until {_moment(history.due).isoformat(timespec='seconds')}"
    return "its window is over; it closes when a learner comes by"


def _why_closed(entry: Entry, here: int, undone: bool) -> str:
    if entry.kind == LOG:
        return "closed, not learned: the mode was log-only, or learning was paused"
    if undone:
        return f"learned in version {entry.position}, then undone by a later version"
    if entry.position > here:
        return f"closed as version {entry.position}; this process has learned up to {here}"
    return f"learned in version {entry.position}"


def _moment(seconds: float) -> datetime:
    return datetime.fromtimestamp(seconds, UTC)
