"""The status of a running loop, and explanations of single events."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

import numpy as np

from hybandit.loop.storage import LOG, Entry, Life, Outcome, Reward
from hybandit.state import Floats

# The number of recently closed events that the rates are computed from.
RECENT = 10_000


@dataclass(frozen=True)
class Rate:
    """A mean with its 95 % interval; None where there is nothing to go by."""

    mean: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True)
class Status:
    """A loop at a glance.

    Attributes
    ----------
    version, here
        The newest version, and the one that this process ranks with; `lag` between them.
    waiting
        Events whose window is still open.
    learner
        Host, process and start of the one who learns or did last; `leads`: it is this one.
    reward, baseline
        Mean reward of the last 10,000 closed events, and what the caller's first action
        would have earned on them, estimated from the probabilities.
    agreement
        How often what was served is what the model thought best.
    error
        What keeps the background thread from working, or None.
    """

    url: str
    mode: str
    version: int
    here: int
    lag: int
    events: int
    rewards: int
    late: int
    closed: int
    learned: int
    waiting: int
    actions: int
    snapshots: int
    bytes: int
    learner: dict[str, object] | None
    leads: bool
    reward: Rate
    baseline: Rate
    agreement: float | None
    error: str | None


@dataclass(frozen=True)
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


def rates(outcomes: Sequence[Outcome]) -> tuple[Rate, Rate, float | None]:
    """Mean reward, that of the baseline action, and the share of agreement.

    The baseline's is estimated from the events in which it was served, each weighed by one
    over its probability, the weights made to sum to one.
    """
    if not outcomes:
        return Rate(None, None, None), Rate(None, None, None), None
    rewards = np.array([outcome.reward for outcome in outcomes])
    weights = np.array(
        [
            outcome.choice == outcome.baseline and 1.0 / outcome.probabilities[outcome.baseline]
            for outcome in outcomes
        ],
        np.float64,
    )
    agreement = np.mean([outcome.choice == outcome.preferred for outcome in outcomes])
    return _rate(rewards, np.ones(len(rewards))), _rate(rewards, weights), float(agreement)


def explanation(life: Life, *, now: float, here: int, undone: bool) -> Explanation:
    """What is known of an event, and the reason why it is not learned, if it is not."""
    event, entry = life.event, life.closing
    learned = entry is not None and entry.kind != LOG and entry.position <= here
    return Explanation(
        event=event.id,
        action=event.names[event.choice],
        probability=event.probabilities[event.choice],
        ranked=_moment(event.at),
        activated=None if life.activated is None else _moment(life.activated),
        rewards=life.rewards,
        closed=None if entry is None else _moment(entry.at),
        reward=None if entry is None else entry.reward,
        learned=entry.position if entry is not None and learned else None,
        why=_why(life, now=now, here=here, undone=undone),
    )


def _why(life: Life, *, now: float, here: int, undone: bool) -> str:
    if life.closing is not None:
        return _why_closed(life.closing, here, undone)
    if life.event.deferred and life.activated is None:
        return "deferred: it cannot close before activate(event)"
    if life.due is None:
        return "no reward yet: the first one closes it"
    if life.due >= now:
        return f"its window is open until {_moment(life.due).isoformat(timespec='seconds')}"
    return "its window is over; it closes when a learner comes by"


def _why_closed(entry: Entry, here: int, undone: bool) -> str:
    if entry.kind == LOG:
        return "closed, not learned: the mode was log-only"
    if undone:
        return f"learned in version {entry.position}, then rolled back"
    if entry.position > here:
        return f"closed as version {entry.position}; this process has learned up to {here}"
    return f"learned in version {entry.position}"


def _rate(rewards: Floats, weights: Floats) -> Rate:
    total = weights.sum()
    if total == 0.0:
        return Rate(None, None, None)
    mean = float(weights @ rewards / total)
    half = 1.96 * float(np.sqrt((weights**2) @ (rewards - mean) ** 2)) / float(total)
    return Rate(mean, mean - half, mean + half)


def _moment(seconds: float) -> datetime:
    return datetime.fromtimestamp(seconds, UTC)
