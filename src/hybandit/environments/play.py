"""A policy in an environment, from the first round to the last."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from hybandit.environments.rounds import Environment
from hybandit.state import Floats


@dataclass(frozen=True)
class Outcome:
    """What a run earned, round by round; `regrets` is empty where nobody can know them."""

    rewards: Floats
    regrets: Floats
    seconds: float

    @property
    def reward(self) -> float:
        return float(self.rewards.sum())

    @property
    def regret(self) -> float:
        return float(self.regrets.sum())


class Player(Protocol):
    """What can be played: any `Policy`, or anything with these two verbs."""

    def choose(self, context: Floats, /) -> int: ...
    def learn(self, context: Floats, arm: int, reward: float, /) -> None: ...


def play(
    policy: Player, environment: Environment, tick: Callable[[], None] | None = None
) -> Outcome:
    """Choose, learn, and count, once through the environment.

    `tick` is called after every round that counted. `seconds` is the time spent in the
    policy and the environment together.

    Examples
    --------
    >>> import hybandit
    >>> from hybandit.environments import Classification
    >>> environment = Classification(np.eye(3), np.arange(3), seed=0)
    >>> outcome = play(hybandit.StackedHybrid(3, 3, seed=0), environment)
    >>> len(outcome.rewards)
    3
    """
    rewards, regrets = [], []
    start = time.perf_counter()
    for turn in environment:
        arm = policy.choose(turn.context)
        reward = turn.reward(arm)
        if reward is None:
            continue
        policy.learn(turn.context, arm, reward)
        rewards.append(reward)
        expected = turn.expected(arm)
        if turn.best is not None and expected is not None:
            regrets.append(turn.best - expected)
        if tick is not None:
            tick()
    seconds = time.perf_counter() - start
    return Outcome(np.array(rewards), np.array(regrets), seconds)
