"""Policies of arms in environments of items."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from hybandit.environments.play import Player
from hybandit.estimators.item_table import ItemId
from hybandit.state import Floats


class Slots:
    """A candidate's place is its arm; context and item together are that arm's context.

    Nothing is shared between places or learned by id. Every round must have as many
    candidates as the first.

    Examples
    --------
    >>> import hybandit
    >>> slots = Slots(lambda n_arms, width: hybandit.LinUCB(n_arms, width, seed=0))
    >>> context, items = np.ones(2), np.eye(3)
    >>> place = slots.choose(context, items)
    >>> slots.learn(context, items[place], 1.0)
    """

    def __init__(self, make: Callable[[int, int], Player]) -> None:
        self.make = make
        self.policy: Player | None = None
        # By the context, which stays the same object until its reward is learned.
        self._waiting: dict[int, tuple[int, Floats]] = {}

    def choose(self, context: Floats, items: Floats, *, ids: Sequence[ItemId] | None = None) -> int:
        rows = np.hstack([np.tile(context, (len(items), 1)), items])
        if self.policy is None:
            self.policy = self.make(*rows.shape)
        arm = self.policy.choose(rows)
        self._waiting[_identity(context)] = arm, rows
        return arm

    def learn(
        self, context: Floats, item: Floats, reward: float, *, id: ItemId | None = None
    ) -> None:
        arm, rows = self._waiting.pop(_identity(context))
        if self.policy is not None:
            self.policy.learn(rows, arm, reward)


def _identity(context: Floats) -> int:
    """Where an argument is called `id`."""
    return id(context)
