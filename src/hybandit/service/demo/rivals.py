"""Who plays beside the loop, by numbers that come in ready-made vectors."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from hybandit.environments.shop_world import LiveWorld
from hybandit.policies import ItemLinUCB, LinUCB
from hybandit.state import Floats


class Player(Protocol):
    """Decides by numbers that come in ready-made vectors; ids are from 0 on."""

    def chances(self, context: Floats, items: Floats, ids: list[int]) -> Floats: ...
    def learn(self, context: Floats, item: Floats, name: int, reward: float) -> None: ...


class ByItem:
    """LinUCB with a ridge on the context for every id."""

    def __init__(self, world: LiveWorld, alpha: float) -> None:
        size = len(world.items), world.contexts.shape[1]
        self._policy = LinUCB(*size, alpha=alpha, seed=0)

    def chances(self, context: Floats, items: Floats, ids: list[int]) -> Floats:
        eligible = np.zeros(self._policy.n_arms, bool)
        eligible[ids] = True
        return self._policy.probabilities(context, eligible=eligible)[ids]

    def learn(self, context: Floats, item: Floats, name: int, reward: float) -> None:
        self._policy.learn(context, name, reward)


class ForAll:
    """LinUCB with one ridge for all items."""

    def __init__(self, world: LiveWorld, alpha: float) -> None:
        size = world.contexts.shape[1], world.items.shape[1]
        self._policy = ItemLinUCB(*size, alpha=alpha, seed=0)

    def chances(self, context: Floats, items: Floats, ids: list[int]) -> Floats:
        return self._policy.unchecked_chances(context, items, list(ids))[0]

    def learn(self, context: Floats, item: Floats, name: int, reward: float) -> None:
        self._policy.learn(context, item, reward, id=name)


def place_drawn(chances: Floats, number: float) -> int:
    """The place that a uniform number draws."""
    sums = chances.cumsum()
    return min(int(sums.searchsorted(number * sums[-1], side="right")), len(chances) - 1)
