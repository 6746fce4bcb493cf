"""The environments of items that a task can name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import ClassVar

import numpy as np

from hybandit.datasets import EventLog, find_dataset
from hybandit.environments import ItemReplay, ItemWorld, play_items
from hybandit.environments.play import ItemPlayer
from hybandit.environments.rounds import sizes_of
from hybandit.estimators.item_table import ItemId
from hybandit.experiments.compiling import warm_up
from hybandit.experiments.players import find_player
from hybandit.experiments.runs import Run
from hybandit.experiments.specs import PolicySpec
from hybandit.experiments.task_environment import TaskEnvironment, played, size_of
from hybandit.features import unit_rows
from hybandit.state import Floats

# How many plays of a new item count as its first ones.
FIRST_PLAYS = 20


class Watched:
    """Wraps a player and records what was offered and what was chosen."""

    def __init__(self, player: ItemPlayer) -> None:
        self.player = player
        self.first_offered: dict[ItemId, int] = {}
        self.chosen: list[ItemId] = []

    def choose(self, context: Floats, items: Floats, *, ids: Sequence[ItemId]) -> int:
        for name in ids:
            self.first_offered.setdefault(name, len(self.chosen))
        place = self.player.choose(context, items, ids=ids)
        self.chosen.append(ids[place])
        return place

    def learn(self, context: Floats, item: Floats, reward: float, *, id: ItemId) -> None:
        self.player.learn(context, item, reward, id=id)

    def new_rewards(self, rewards: Floats) -> list[float]:
        """The rewards of the first plays of items that came in the second half."""
        half = len(self.chosen) // 2
        plays: dict[ItemId, int] = {}
        found = []
        for name, reward in zip(self.chosen, rewards.tolist(), strict=True):
            plays[name] = plays.get(name, 0) + 1
            if self.first_offered[name] >= half and plays[name] <= FIRST_PLAYS:
                found.append(reward)
        return found


@dataclass(frozen=True)
class ItemsTask(TaskEnvironment):
    """The settings of `ItemWorld`. Also measures what items earn while they are new."""

    kind: str
    n_context: int = 10
    n_item: int = 10
    n_items: int = 500
    candidates: int = 10
    rounds: int = 10_000

    results_version: ClassVar[int] = ItemWorld.results_version

    @property
    def size(self) -> tuple[int, int]:
        return self.rounds, self.n_context + self.n_item

    def run(self, policy: PolicySpec, seed: int) -> Run:
        world = ItemWorld(seed=seed, **asdict(self))
        warm_up(policy, size_of(world))
        player = find_player(policy.name).on_items(*sizes_of(world), seed, policy.settings)
        watched = Watched(player)
        outcome = play_items(watched, world)
        new = watched.new_rewards(outcome.rewards)
        return Run.of(outcome, new=float(np.mean(new)) if new else None, new_plays=len(new))


@dataclass(frozen=True)
class ItemReplayTask(TaskEnvironment):
    """The news log as items: all 100 numbers at unit length, each article's own 10, and its id."""

    matches: int = 800

    results_version: ClassVar[int] = ItemReplay.results_version

    @property
    def dataset_name(self) -> str:
        return "news"

    @property
    def size(self) -> tuple[int, int]:
        return self.matches, 110

    def run(self, policy: PolicySpec, seed: int) -> Run:
        log: EventLog = find_dataset("news").load()
        contexts = unit_rows(log.features.reshape(len(log.features), -1))
        ids = range(log.features.shape[1])
        replay = ItemReplay(
            log.arms, log.rewards, contexts, log.features, ids=ids, matches=self.matches
        )
        return played(policy, replay, seed)
