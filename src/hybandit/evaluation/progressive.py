"""Walking a policy through a log, where it knows only earlier events."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from hybandit.datasets import EventLog
from hybandit.evaluation.models import RewardModel
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
        The probability of arms that the log never played.
    """

    target: Floats
    predicted: Floats
    expected: Floats
    beyond: Floats
    lost: Floats


def score(
    policy: Deciding,
    log: EventLog,
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
    never = np.bincount(log.arms, minlength=log.n_arms) == 0
    each = log.propensities if _of_every_arm(log) else None
    some_never = bool(never.any())
    shared = log.features.ndim == 2
    events = zip(log.features, log.arms.tolist(), log.rewards.tolist(), strict=True)
    for row, (context, arm, reward) in enumerate(events):
        decision = policy.decide(context)
        chances = decision.probabilities
        target[row] = chances[arm]
        if some_never:
            lost[row] = chances[never].sum()
        if model is not None:
            contexts = context[None] if shared else context
            values = model.values(contexts)
            predicted[row] = values[arm]
            expected[row] = chances @ values
            if each is not None:
                large = chances > threshold * each[row]
                beyond[row] = chances[large] @ values[large]
            model.learn(contexts, arm, reward)
        if learn == "all" or (learn == "matched" and decision.arm == arm):
            policy.learn(context, arm, reward)
        if tick is not None and (row + 1) % STEP == 0:
            tick(STEP)
    if tick is not None:
        tick(count % STEP)
    return Scores(target, predicted, expected, beyond, lost)


def replay_matches(
    policy: Choosing,
    log: EventLog,
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
    matched = np.zeros(len(log), bool)
    kept = _kept(log, seed)
    left = len(log) if matches is None else matches
    events = zip(log.features, log.arms.tolist(), log.rewards.tolist(), strict=True)
    for row, (context, arm, reward) in enumerate(events):
        if not left:
            break
        if policy.choose(context) == arm and (kept is None or kept[row]):
            matched[row] = True
            left -= 1
            if not frozen:
                policy.learn(context, arm, reward)
        if tick is not None and (row + 1) % STEP == 0:
            tick(STEP)
    if tick is not None:
        tick(len(log) % STEP)
    return matched


def logged_propensities(log: EventLog) -> Floats | None:
    """The probability of each logged arm, or None if the log does not contain it."""
    if log.propensities is None or not _of_every_arm(log):
        return log.propensities
    return np.take_along_axis(log.propensities, log.arms[:, None], axis=1)[:, 0]


def _of_every_arm(log: EventLog) -> bool:
    return log.propensities is not None and log.propensities.ndim == 2


def _kept(log: EventLog, seed: int) -> Flags | None:
    chances = logged_propensities(log)
    if chances is None:
        return None
    least = chances.min()
    if chances.max() - least < 1e-9:
        return None
    draws = np.random.default_rng([seed, THINNING]).random(len(log))
    kept: Flags = draws < least / chances
    return kept
