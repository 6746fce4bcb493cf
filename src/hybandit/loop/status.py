"""The status of a running loop, and explanations of single events."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

import numpy as np

from hybandit.loop.settings import ONLINE
from hybandit.loop.storage import LOG, Entry, EventHistory, Outcome, Reward
from hybandit.state import Floats

# The number of recently closed events that the rates are computed from.
RECENT = 10_000
# The baseline is judged once it was shown in so many events, as counted by `_sample`.
FEW = 20


@dataclass(frozen=True)
class MeanInterval:
    """A mean with its 95 % interval; None where there is nothing to go by.

    Rewards that are all equal, as one alone is, have a mean but no interval.
    """

    mean: float | None
    low: float | None
    high: float | None


NOTHING = MeanInterval(None, None, None)


@dataclass(frozen=True)
class Status:
    """A loop at a glance.

    Attributes
    ----------
    version, here
        The newest version, and the one that this process ranks with; `lag` between them.
    late
        Rewards that were not learned: after the window or, without windows, after the first.
    waiting
        Events whose window is still open or, without windows, that have no reward yet.
    learner
        Host, process and start of the one who learns or did last; `leads`: it is this one.
    reward, baseline
        Mean reward of the last 10,000 closed events, and what the caller's first action
        would have earned on them, estimated from the probabilities.
    gain
        The difference of the two. No interval while the baseline was shown too rarely to judge.
    agreement
        How often what was served is what the model thought best.
    error
        What keeps the background thread from working, or None.
    """

    url: str
    mode: str
    policy: str
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
    reward: MeanInterval
    baseline: MeanInterval
    gain: MeanInterval
    agreement: float | None
    error: str | None

    @property
    def verdict(self) -> str:
        """Whether the loop earns more than the baseline, in a sentence."""
        if self.mode != ONLINE:
            return f"In mode {self.mode} the loop shows the baseline: there is nothing to compare."
        gain, early = self.gain, "Too early to tell whether the loop beats the baseline"
        if self.closed < FEW:
            return f"{early}: closed events so far: {self.closed}."
        if gain.mean is None or gain.low is None or gain.high is None:
            return f"{early}, which was shown too rarely so far."
        interval = f"95 % interval {gain.low:.4f} to {gain.high:.4f}"
        if gain.low <= 0.0 <= gain.high:
            return f"{early}: the difference is {gain.mean:.4f} per event, {interval}."
        compared = "better" if gain.mean > 0.0 else "worse"
        found = f"by {abs(gain.mean):.4f} per event"
        return f"The loop is {compared} than the baseline {found} (difference: {interval})."


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


def rates(
    outcomes: Sequence[Outcome],
) -> tuple[MeanInterval, MeanInterval, MeanInterval, float | None]:
    """Mean reward, that of the baseline action, their difference, and the share of agreement.

    The baseline's is estimated from the events in which it was served, each weighed by one
    over its probability, the weights made to sum to one.
    """
    if not outcomes:
        return NOTHING, NOTHING, NOTHING, None
    rewards = np.array([outcome.reward for outcome in outcomes])
    weights = np.array(
        [
            outcome.choice == outcome.baseline and 1.0 / outcome.probabilities[outcome.baseline]
            for outcome in outcomes
        ],
        np.float64,
    )
    agreement = np.mean([outcome.choice == outcome.preferred for outcome in outcomes])
    return (
        _rate(rewards, np.ones(len(rewards))),
        _rate(rewards, weights),
        _gain(rewards, weights),
        float(agreement),
    )


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
        return "closed, not learned: the mode was log-only"
    if undone:
        return f"learned in version {entry.position}, then undone by a later version"
    if entry.position > here:
        return f"closed as version {entry.position}; this process has learned up to {here}"
    return f"learned in version {entry.position}"


def _rate(rewards: Floats, weights: Floats) -> MeanInterval:
    if not weights.any():
        return NOTHING
    mean = _mean(rewards, weights)
    if np.ptp(rewards[weights > 0.0]) == 0.0:
        return MeanInterval(mean, None, None)
    return _around(mean, weights * (rewards - mean) / weights.sum())


def _gain(rewards: Floats, weights: Floats) -> MeanInterval:
    """The mean of the rewards minus their weighted mean, which depend on the same events."""
    if not weights.any():
        return NOTHING
    served, baseline = float(rewards.mean()), _mean(rewards, weights)
    if _sample(weights) < FEW:
        return MeanInterval(served - baseline, None, None)
    shares = (rewards - served) / len(rewards) - weights * (rewards - baseline) / weights.sum()
    # Rewards that are rare may all be missing: one more event could have had any that was seen.
    unseen = np.ptp(rewards) / _sample(weights)
    return _around(served - baseline, np.append(shares, unseen))


def _around(mean: float, shares: Floats) -> MeanInterval:
    """A mean with its interval, from what each event contributes to its error."""
    half = 1.96 * float(np.sqrt(shares @ shares))
    return MeanInterval(mean, mean - half, mean + half)


def _mean(rewards: Floats, weights: Floats) -> float:
    return float(weights @ rewards / weights.sum())


def _sample(weights: Floats) -> float:
    """How many events of equal weight would say as much."""
    return float(weights.sum() ** 2 / (weights @ weights))


def _moment(seconds: float) -> datetime:
    return datetime.fromtimestamp(seconds, UTC)
