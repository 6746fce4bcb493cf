"""Walking a policy through a log, where it knows only earlier events."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from hybandit.datasets import EventLog, Log
from hybandit.datasets.log import BATCH, batch_rows, spans
from hybandit.errors import Running
from hybandit.evaluation.item_log import ItemLog, Offer
from hybandit.policies import ArmPolicy, ItemPolicy, Policy
from hybandit.state import Flags, Floats

# all: from every event, after it was scored. matched: only where the policy chose the
# logged arm. nothing: the policy stays as it is.
LEARN = ("all", "matched", "nothing")
# Events between two calls of `tick`.
STEP = 1000
# Events that a policy which learns nothing is asked about at once.
TOGETHER = 4096
# A random stream of its own: a policy with the same seed must not get the same draws.
THINNING = 3

# The choice of the first item of each offer, whatever it is.
FIRST = "(first)"

Tick = Callable[[int], None]
# Of arms or of items: a log in memory, or a batch of any log.
Batch = EventLog | ItemLog
# For each event, a number for every choice: (events, n_arms), or an array for each offer.
Table = Floats | list[Floats]


class Placed(NamedTuple):
    """A decision among items, where an arm is a place in the offer."""

    arm: int
    probabilities: Floats


@dataclass(frozen=True)
class OfItems:
    """A policy of items that is asked as one of arms: they are the places in an offer."""

    policy: ItemPolicy

    def decide(self, offer: Offer) -> Placed:
        decision = self.policy.decide(offer.context, offer.items, ids=offer.names)
        return Placed(decision.index, decision.probabilities)

    def choose(self, offer: Offer) -> int:
        return self.policy.choose(offer.context, offer.items, ids=offer.names)

    def learn(self, offer: Offer, place: int, reward: float) -> None:
        self.policy.learn(offer.context, offer.items[place], reward, id=offer.names[place])


@dataclass(frozen=True)
class Always:
    """The policy that always makes the same choice, by its name, and never learns.

    Where an offer of items lacks it, it chooses as the log did. ``Always(FIRST)`` chooses the first
    of each offer.

    Examples
    --------
    >>> log = EventLog(np.array([0, 1]), np.ones(2), np.ones((2, 1)), names=("tea", "beer"))
    >>> Always("beer").chances(log)
    array([[0., 1.],
           [0., 1.]])
    """

    choice: str

    def chances(self, batch: Batch) -> Table:
        if isinstance(batch, EventLog):
            one = np.array([float(name == self.choice) for name in batch.choice_names])
            return np.broadcast_to(one, (len(batch), len(one)))
        if self.choice == FIRST:
            return [np.eye(1, len(names))[0] for names in batch.names]
        return [
            np.array([float(name == self.choice) for name in names])
            if self.choice in names
            else logged
            for names, logged in zip(batch.names, batch.propensities, strict=True)
        ]


@dataclass(frozen=True)
class Logged:
    """What made the log itself: its value is the mean reward."""


class Walk:
    """A policy on its way through a log: it is asked about every event before it learns it.

    Parameters
    ----------
    learn
        What it learns from, of `LEARN`.
    every
        After how many events it learns these: 1 for each at once.
    """

    def __init__(self, policy: Any, *, learn: str = "all", every: int = 1) -> None:
        self._policy = policy
        self._player = _player(policy)
        self._learn = "nothing" if isinstance(policy, (Always, Logged)) else learn
        self._every = every
        # How many events it has been asked about.
        self._done = 0

    @property
    def fixed(self) -> bool:
        """Whether nothing is learned on the way."""
        return self._learn == "nothing"

    def chances(self, batch: Batch, tick: Tick | None = None) -> Table:
        """The probability of every choice, for each event; then they are learned."""
        if isinstance(self._policy, Always):
            found = self._policy.chances(batch)
            _told(len(batch), tick)
            return found
        if self._every == 1 and self._learn != "nothing":
            return _table(batch, self._one_by_one(batch, tick))
        parts = []
        for part in spans(len(batch), TOGETHER if self._learn == "nothing" else self._every):
            with Running("round") as now:
                parts.append(self._together(batch.part(part), now))
            self._done += part.stop - part.start
            _told(part.stop - part.start, tick)
        if batch.of_items:
            return [row for part in parts for row in part]
        return np.concatenate(parts)

    def _one_by_one(self, batch: Batch, tick: Tick | None) -> Iterator[Floats]:
        player, learn_all = self._player, self._learn == "all"
        with Running("round") as now:
            now.whose = self._policy
            for context, arm, reward in events(batch, tick):
                self._done += 1
                now.call, now.number = "decide", self._done
                decision = player.decide(context)
                yield decision.probabilities
                if learn_all or decision.arm == arm:
                    now.call = "learn"
                    player.learn(context, arm, reward)
                now.call = ""

    def _together(self, part: Any, now: Running) -> Table:
        """Ask about all of these, then learn them."""
        now.whose, now.call = self._policy, "decide"
        now.number = f"{self._done + 1} or one of the {len(part) - 1} after it"
        if isinstance(self._policy, ArmPolicy) and self._learn != "matched":
            found: Table = self._policy.probabilities_many(part.features)
            if self._learn == "all":
                now.call = "learn_many"
                self._policy.learn_many(part.features, part.arms, part.rewards)
            return found
        decisions = list(map(self._player.decide, part.features))
        for event, decision in zip(events(part), decisions, strict=True):
            if self._learn == "all" or (self._learn == "matched" and decision.arm == event[1]):
                now.call = "learn"
                self._player.learn(*event)
        rows = [each.probabilities for each in decisions]
        return rows if part.of_items else np.array(rows)


@dataclass(frozen=True)
class Scores:
    """The output of a policy and a reward model for each event, before they learned it.

    Attributes
    ----------
    target
        The probability of the logged arm.
    predicted, expected
        The model's reward of the logged arm, and of the policy's choice on average.
    beyond
        The part of `expected` from arms of a weight above the threshold.
    lost
        The probability of arms that the log never played, or of items that it could not have.
    """

    target: Floats
    predicted: Floats
    expected: Floats
    beyond: Floats
    lost: Floats


def scores_of(
    batch: Batch,
    chances: Table,
    values: Table | None,
    *,
    never: Flags | None = None,
    threshold: float = np.inf,
) -> Scores:
    """What a policy's probabilities and a model's values say of each event.

    `never` marks the arms that the log never played; of items, those count that it could not
    have chosen.
    """
    if isinstance(batch, EventLog):
        assert isinstance(chances, np.ndarray)
        assert not isinstance(values, list)
        return _scores_of_arms(batch, chances, values, never, threshold)
    columns = np.zeros((5, len(batch)))
    every = batch.propensities
    for row, choice in enumerate(batch.choices.tolist()):
        columns[0, row] = chances[row][choice]
        columns[4, row] = chances[row][every[row] == 0.0].sum()
        if values is not None:
            large = chances[row] > threshold * every[row]
            columns[1, row] = values[row][choice]
            columns[2, row] = chances[row] @ values[row]
            columns[3, row] = chances[row][large] @ values[row][large]
    return Scores(*columns)


def _scores_of_arms(
    batch: EventLog, chances: Floats, values: Floats | None, never: Flags | None, threshold: float
) -> Scores:
    rows, none, every = np.arange(len(batch)), np.zeros(len(batch)), batch.every_propensity
    target = chances[rows, batch.arms]
    lost = none if never is None or not never.any() else chances[:, never].sum(axis=1)
    if values is None:
        return Scores(target, none, none, none, lost)
    products = chances * values
    beyond = none
    if every is not None and np.isfinite(threshold):
        beyond = np.where(chances > threshold * every, products, 0.0).sum(axis=1)
    return Scores(target, values[rows, batch.arms], products.sum(axis=1), beyond, lost)


def rows_of(log: Log, learn_every: int = 1) -> int:
    """How many events a batch holds: as many as a table has room for, in whole steps."""
    rows = BATCH if log.of_items else batch_rows(*log.sizes)
    return max(rows // learn_every, 1) * learn_every


class Replaying:
    """A policy that learns from matches alone: events where it chose the logged arm.

    One that is `frozen` learns nothing. Where propensities are known and differ, a match is
    kept with the probability ``least propensity / propensity`` (rejection sampling), so that kept
    ones are as if drawn uniformly. It stops after this many `matches`.
    """

    def __init__(
        self,
        policy: Any,
        log: Log,
        *,
        matches: int | None = None,
        frozen: bool = False,
        seed: int = 0,
    ) -> None:
        self._policy, self._player = policy, _player(policy)
        self._frozen = frozen
        self._left = len(log) if matches is None else matches
        least, most = log.facts.propensities
        self._least = least if log.has_propensities and most - least >= 1e-9 else None
        self._draws = np.random.default_rng([seed, THINNING])
        self._done = 0

    def matched(self, batch: Batch, tick: Tick | None = None) -> Flags:
        """Which events of the next batch match."""
        found = np.zeros(len(batch), bool)
        kept = None
        if self._least is not None:
            assert batch.logged_propensities is not None
            kept = self._draws.random(len(batch)) < self._least / batch.logged_propensities
        if isinstance(self._policy, Always):
            chances = scores_of(batch, self._policy.chances(batch), None).target
            found |= chances == 1.0
            if kept is not None:
                found &= kept
            found &= np.cumsum(found) <= self._left
            self._left -= int(found.sum())
            _told(len(batch), tick)
            return found
        with Running("round") as now:
            now.whose = self._policy
            for row, (context, arm, reward) in enumerate(events(batch, tick)):
                if not self._left:
                    break
                now.call, now.number = "choose", self._done + row + 1
                if self._player.choose(context) == arm and (kept is None or kept[row]):
                    found[row] = True
                    self._left -= 1
                    if not self._frozen:
                        now.call = "learn"
                        self._player.learn(context, arm, reward)
                now.call = ""
        self._done += len(batch)
        return found


def teach(policy: Policy, log: Log, *, tick: Tick | None = None) -> None:
    """Let a policy learn every event of a log, in order."""
    player, done = _player(policy), 0
    with Running("round") as now:
        now.whose = policy
        for batch in log.batches(rows_of(log)):
            for event in events(batch, tick):
                done += 1
                now.call, now.number = "learn", done
                player.learn(*event)
                now.call = ""


def events(batch: Batch, tick: Tick | None = None) -> Iterator[tuple[Any, int, float]]:
    """Contexts, arms and rewards in order; `tick` is called with the number of events done."""
    done = 0
    for event in zip(batch.features, batch.arms.tolist(), batch.rewards.tolist(), strict=True):
        yield event
        done += 1
        if tick is not None and done % STEP == 0:
            tick(STEP)
    if tick is not None:
        tick(done % STEP)


def _told(count: int, tick: Tick | None) -> None:
    if tick is not None:
        tick(count)


def _table(batch: Batch, rows: Any) -> Table:
    """Numbers for every choice of each event, in the form that fits the log."""
    if isinstance(batch, ItemLog):
        return list(rows)
    table = np.empty((len(batch), batch.n_arms))
    for place, row in enumerate(rows):
        table[place] = row
    return table


def _player(policy: Any) -> Any:
    """An object that takes the `features` of a log, whether it chooses arms or items."""
    return OfItems(policy) if isinstance(policy, ItemPolicy) else policy
