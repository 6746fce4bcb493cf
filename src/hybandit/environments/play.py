"""Playing a policy in an environment."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

import numpy as np

from hybandit.environments.rounds import (
    Environment,
    ItemEnvironment,
    ItemRound,
    Round,
    check_round,
    is_of_items,
)
from hybandit.errors import Running
from hybandit.estimators.item_table import ItemId
from hybandit.state import Floats

Turn = TypeVar("Turn", bound=Round)


@dataclass(frozen=True)
class Outcome:
    """The rewards of a run, round by round; `regrets` is empty if they are unknown.

    `seconds` are of the processor, not of the clock on the wall: see `seconds_since`.
    """

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
    """Any policy of arms, or any other object with these two methods."""

    def choose(self, context: Floats, /) -> int: ...
    def learn(self, context: Floats, arm: int, reward: float, /) -> None: ...


class ItemPlayer(Protocol):
    """Any policy of items, or any other object with these two methods."""

    def choose(self, context: Floats, items: Floats, /, *, ids: Sequence[ItemId]) -> int: ...
    def learn(self, context: Floats, item: Floats, reward: float, /, *, id: ItemId) -> None: ...


def play(policy: Player, environment: Environment) -> Outcome:
    """Play a policy once through an environment: choose, learn, and add up rewards.

    `seconds` are those that this process computed, in the policy and the environment together.
    What fails in either is a `hybandit.PolicyError` that names the call and the round.

    Examples
    --------
    >>> import hybandit
    >>> from hybandit.environments import Classification
    >>> environment = Classification(np.eye(3), np.arange(3), seed=0)
    >>> outcome = play(hybandit.StackedHybrid(3, 3, seed=0), environment)
    >>> len(outcome.rewards)
    3
    """

    def choose(turn: Round) -> int:
        return policy.choose(turn.context)

    def learn(turn: Round, arm: int, reward: float) -> None:
        policy.learn(turn.context, arm, reward)

    return _played(policy, environment, choose, learn)


def play_items(policy: ItemPlayer, environment: ItemEnvironment) -> Outcome:
    """As `play`, for items. A delayed reward is learned before the first choice after it comes.

    A reward that has not come by the last round counts, but is never learned.

    Examples
    --------
    >>> from hybandit.environments import ItemWorld
    >>> from hybandit.policies import ItemHybrid
    >>> world = ItemWorld("bilinear", n_items=20, rounds=100, seed=0)
    >>> outcome = play_items(ItemHybrid(10, 10, seed=0), world)
    >>> len(outcome.rewards)
    100
    """
    waiting: dict[int, list[Callable[[], None]]] = defaultdict(list)
    rounds = 0

    def choose(turn: ItemRound) -> int:
        nonlocal rounds
        for lesson in waiting.pop(rounds, ()):
            lesson()
        rounds += 1
        return policy.choose(turn.context, turn.items, ids=turn.ids)

    def learn(turn: ItemRound, index: int, reward: float) -> None:
        def lesson() -> None:
            policy.learn(turn.context, turn.items[index], reward, id=turn.ids[index])

        if turn.delay:
            waiting[rounds + turn.delay].append(lesson)
        else:
            lesson()

    return _played(policy, environment, choose, learn)


def _played(
    policy: object,
    environment: Iterable[Turn],
    choose: Callable[[Turn], int],
    learn: Callable[[Turn, int, float], None],
) -> Outcome:
    rewards, regrets = [], []
    start = time.process_time()
    with Running("round") as now:
        now.whose, now.call = environment, "__iter__"
        for number, turn in enumerate(environment, start=1):
            if number == 1:
                check_round(turn, of_items=is_of_items(environment))
            now.whose, now.call, now.number = policy, "choose", number
            arm = choose(turn)
            now.whose, now.call = turn, "reward"
            reward = turn.reward(arm)
            if reward is not None:
                now.whose, now.call = policy, "learn"
                learn(turn, arm, reward)
                rewards.append(reward)
                now.whose, now.call = turn, "expected"
                expected = turn.expected(arm)
                if turn.best is not None and expected is not None:
                    regrets.append(turn.best - expected)
            now.whose, now.call = environment, "__iter__"
    return Outcome(np.array(rewards), np.array(regrets), seconds_since(start))


def seconds_since(start: float) -> float:
    """CPU seconds of this process since `start`, a `time.process_time()`; never zero.

    Other programs on the machine do not count, other threads of this process do.
    """
    tick = time.get_clock_info("process_time").resolution
    return max(time.process_time() - start, tick)
