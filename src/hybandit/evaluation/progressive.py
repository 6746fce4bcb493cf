"""Walking a policy through a log, where it knows only earlier events."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np

from hybandit.datasets import EventLog
from hybandit.evaluation.item_log import ItemLog, Offer
from hybandit.evaluation.models import RewardModel
from hybandit.policies import ItemPolicy, Policy
from hybandit.state import Flags, Floats
from hybandit.validation.settings import one_of

# all: from every event, after it was scored. matched: only where the policy chose the
# logged arm. nothing: the policy stays as it is.
LEARN = ("all", "matched", "nothing")
# Events between two calls of `tick`.
STEP = 1000
# A random stream of its own: a policy with the same seed must not get the same draws.
THINNING = 3

Tick = Callable[[int], None]
Log = EventLog | ItemLog


class Decided(Protocol):
    """The result of `ArmPolicy.decide`."""

    @property
    def arm(self) -> int: ...
    @property
    def probabilities(self) -> Floats: ...


class Deciding(Protocol):
    """Any policy of arms, or any other object with these two methods."""

    def decide(self, context: Any, /) -> Decided: ...
    def learn(self, context: Any, arm: int, reward: float, /) -> None: ...


class Choosing(Protocol):
    """An object that can be replayed."""

    def choose(self, context: Any, /) -> int: ...
    def learn(self, context: Any, arm: int, reward: float, /) -> None: ...


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


def score(
    policy: Deciding | ItemPolicy,
    log: Log,
    *,
    learn: str = "all",
    model: RewardModel | None = None,
    threshold: float = np.inf,
    tick: Tick | None = None,
) -> Scores:
    """Walk through the log in order; policy and model learn each event after scoring it.

    Parameters
    ----------
    learn
        What the policy learns from: ``all`` events, ``matched`` ones, where its own choice
        was the logged arm, or ``nothing``. The model learns from all.
    model
        Without one, `predicted` and `expected` are 0.
    threshold
        For `beyond`, which needs the propensity of every arm and is 0 without.
    tick
        Called with the number of events done since the last call.

    Examples
    --------
    >>> import hybandit
    >>> log = EventLog(np.array([0, 1]), np.array([1.0, 0.0]), np.ones((2, 1)))
    >>> score(hybandit.LinUCB(2, 1, seed=0), log).target
    array([0.5, 0. ])
    """
    one_of(*LEARN).check("learn", learn)
    count = len(log)
    target, predicted, expected, beyond, lost = (np.zeros(count) for _ in range(5))
    player = _player(policy)
    every, unlogged = log.every_propensity, log.unlogged
    for row, (context, arm, reward) in enumerate(walk(log, tick)):
        decision = player.decide(context)
        chances = decision.probabilities
        target[row] = chances[arm]
        lost[row] = chances[unlogged[row]].sum()
        if model is not None:
            values = model.values(context)
            predicted[row] = values[arm]
            expected[row] = chances @ values
            if every is not None:
                large = chances > threshold * every[row]
                beyond[row] = chances[large] @ values[large]
            model.learn(context, arm, reward)
        if learn == "all" or (learn == "matched" and decision.arm == arm):
            player.learn(context, arm, reward)
    return Scores(target, predicted, expected, beyond, lost)


def replay_matches(
    policy: Choosing | ItemPolicy,
    log: Log,
    *,
    matches: int | None = None,
    frozen: bool = False,
    seed: int = 0,
    tick: Tick | None = None,
) -> Flags:
    """Which events match: the policy, learning from matches alone, chose the logged arm.

    One that is `frozen` learns nothing.

    Where propensities are known and differ, a match is kept with the probability ``least
    propensity / propensity`` (rejection sampling), so that kept ones are as if drawn
    uniformly. The walk stops after this many `matches`.

    Examples
    --------
    >>> import hybandit
    >>> log = EventLog(np.array([0, 0, 1]), np.array([0.0, 1.0, 1.0]), np.ones((3, 1)))
    >>> replay_matches(hybandit.LinUCB(2, 1, ties="first"), log)
    array([ True, False,  True])
    """
    player = _player(policy)
    matched = np.zeros(len(log), bool)
    kept = _kept(log, seed)
    left = len(log) if matches is None else matches
    for row, (context, arm, reward) in enumerate(walk(log, tick)):
        if not left:
            break
        if player.choose(context) == arm and (kept is None or kept[row]):
            matched[row] = True
            left -= 1
            if not frozen:
                player.learn(context, arm, reward)
    return matched


def teach(policy: Policy, log: Log, *, tick: Tick | None = None) -> None:
    """Let a policy learn every event of a log, in order."""
    player = _player(policy)
    for event in walk(log, tick):
        player.learn(*event)


def walk(log: Log, tick: Tick | None = None) -> Iterator[tuple[Any, int, float]]:
    """Contexts, arms and rewards in order; `tick` is called with the number of events done."""
    done = 0
    for event in zip(log.features, log.arms.tolist(), log.rewards.tolist(), strict=True):
        yield event
        done += 1
        if tick is not None and done % STEP == 0:
            tick(STEP)
    if tick is not None:
        tick(done % STEP)


def _player(policy: Any) -> Any:
    """An object that takes the `features` of a log, whether it chooses arms or items."""
    return OfItems(policy) if isinstance(policy, ItemPolicy) else policy


def _kept(log: Log, seed: int) -> Flags | None:
    chances = log.logged_propensities
    if chances is None:
        return None
    least = chances.min()
    if chances.max() - least < 1e-9:
        return None
    draws = np.random.default_rng([seed, THINNING]).random(len(log))
    kept: Flags = draws < least / chances
    return kept
