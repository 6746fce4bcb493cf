"""Replay in which a policy also learns from choices that it did not make, which replay forbids."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, Protocol, runtime_checkable

from hybandit.environments import Replay, play
from hybandit.environments.rounds import LoggedRound
from hybandit.errors import InvalidInput
from hybandit.experiments.environments import ReplayTask
from hybandit.experiments.players import find_player
from hybandit.experiments.runs import Run
from hybandit.experiments.specs import PolicySpec
from hybandit.state import Floats


@runtime_checkable
class Listener(Protocol):
    """Whoever learns from events that were not chosen."""

    def overhear(self, contexts: Floats, arm: int, reward: float, /) -> None: ...


class OverheardRound:
    """A logged round whose reward is told to the listener where it does not match."""

    best: None = None

    def __init__(self, turn: LoggedRound, listener: Listener) -> None:
        self.turn, self.listener, self.context = turn, listener, turn.context

    def reward(self, arm: int) -> float | None:
        found = self.turn.reward(arm)
        if found is None:
            self.listener.overhear(self.context, self.turn.logged_arm, self.turn.logged_reward)
        return found

    def expected(self, arm: int) -> None:
        return None


class OverheardReplay:
    """Matches count as in `Replay`; the listener also learns from every other event.

    Examples
    --------
    >>> import numpy as np
    >>> from hybandit.paper.players.references import ReferenceHybrid
    >>> log = Replay(np.array([0, 1]), np.array([1.0, 0.5]), np.zeros((2, 2, 1)), matches=5)
    >>> player = ReferenceHybrid(2, 1)
    >>> [turn.reward(1) for turn in OverheardReplay(log, player)], player.logs[0].size
    ([None, 0.5], 1)
    """

    def __init__(self, replay: Replay, listener: Listener) -> None:
        self.replay, self.listener = replay, listener
        self.n_arms, self.n_features = replay.n_arms, replay.n_features

    def __len__(self) -> int:
        return len(self.replay)

    def __iter__(self) -> Iterator[OverheardRound]:
        return (OverheardRound(turn, self.listener) for turn in self.replay)


@dataclass(frozen=True)
class OverheardReplayTask(ReplayTask):
    """The news log, for a player that can `overhear`."""

    results_version: ClassVar[int] = 1

    def run(self, policy: PolicySpec, seed: int) -> Run:
        replay = self.world(seed)
        sizes = replay.n_arms, replay.n_features
        player = find_player(policy.name).on_arms(*sizes, seed, policy.settings)
        if not isinstance(player, Listener):
            raise InvalidInput("policies", "one that can overhear, reference-lnucb-ta", policy.name)
        return Run.of(play(player, OverheardReplay(replay, player)))
