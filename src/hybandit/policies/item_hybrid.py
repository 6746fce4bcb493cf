"""ItemHybrid: the hybrid for items with features."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from hybandit.estimators.item_stack import ItemStack
from hybandit.estimators.item_table import ItemId, ItemTable
from hybandit.policies.base import settings
from hybandit.policies.base.items import ItemPolicy
from hybandit.state import Floats
from hybandit.validation.settings import at_least, setting


class ItemHybrid(ItemPolicy):
    """One model for all items, and what is special about each item.

    Three views of context and item, each with an intercept for every item, under one learned
    mixer (`hybandit.estimators.item_stack.ItemStack`). Items with the same id share a past.
    Exploration is scaled by the model's own recent error s and fades with use:

    ``score_i = p_i + alpha * trust * 2 s / sqrt(M (N_i + 1))``, play the argmax,

    where N_i is the number of rewards learned of the item, as far as they still count, and M the
    number of items remembered: among many items there is less to gain by exploring one. trust,
    from 0 to 1, is the weight of an item's own past that the mixer has learned: where features
    determine the reward, there is nothing to find out about a single item. Without ids all N are
    0, and the choice is greedy.

    Tastes may change: beside these views stands one that forgets, and the better of late has the
    larger weight in p (`recent_weight`, `changed`).

    Examples
    --------
    >>> policy = ItemHybrid(n_context=2, n_item=1, seed=0)
    >>> context, items, ids = [0.6, 0.8], [[1.0], [0.5], [-1.0]], ["a", "b", "c"]
    >>> decision = policy.decide(context, items, ids=ids)
    >>> chosen = decision.index
    >>> for index in range(3):
    ...     policy.learn(context, items[index], float(index == chosen), id=ids[index])
    >>> policy.choose(context, items, ids=ids) == chosen
    True
    """

    name = "item-hybrid"
    results_version = 2

    alpha: float = setting(
        default=2.0, rule=at_least(0), doc="exploration, in units of the model's error"
    )
    forget: float | None = settings.forget(
        "what the past counts, reward by reward; 0.9998 if rewards change"
    )

    _children: ClassVar[tuple[str, ...]] = ("_stack",)

    @property
    def changed(self) -> int | None:
        """So many rewards ago the recent view overtook the others: tastes seem to have changed.

        None if it did not, or if the others are ahead again.
        """
        with self._lock:
            return self._stack.weighing.ahead

    @property
    def recent_weight(self) -> float:
        """How far the recent view is believed, from 0 to 1."""
        with self._lock:
            return float(self._stack.weighing.share)

    def _least_numbers(self) -> int:
        return (self.n_context + self.n_item) ** 2

    def _start(self) -> None:
        self._stack = ItemStack(
            self.n_context,
            self.n_item,
            self._generator,
            max_items=self.max_items,
            forget=self.forget,
        )

    def _values(self, context: Floats, items: Floats, ids: list[ItemId] | None) -> Floats:
        return self._expected_and_scores(context, items, ids)[1]

    def _expected_and_scores(
        self, context: Floats, items: Floats, ids: list[ItemId] | None
    ) -> tuple[Floats, Floats]:
        values, counts = self._stack.values_and_counts(context, items, ids)
        # The same errors scale `explore="gap"`.
        rate = self.alpha * self._stack.trust * 2.0 * self._gap.errors.scale
        known = max(len(self._stack.table), 1)
        return values, values + rate / np.sqrt(known * (counts + 1.0))

    def _learn(self, context: Floats, item: Floats, name: ItemId | None, reward: float) -> float:
        return self._stack.learn(context, item, name, reward)

    def _table(self) -> ItemTable:
        return self._stack.table

    def _forget(self, name: ItemId) -> None:
        self._stack.forget(name)
