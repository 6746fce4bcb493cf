"""ItemHybrid: the hybrid for items with features."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from hybandit.estimators.item_stack import ItemStack
from hybandit.estimators.item_table import ItemId
from hybandit.policies.items import ItemPolicy
from hybandit.policies.settings import at_least, setting
from hybandit.state import Floats


class ItemHybrid(ItemPolicy):
    """One model for all items: the trend of all, and each item's own past.

    Three views of context and item, each with an intercept for every item, under one learned
    mixer (`hybandit.estimators.item_stack.ItemStack`). Items with the same id share a past.
    Exploration is scaled by the model's own recent error s and fades with use:

    ``score_i = p_i + alpha * trust * 2 s / sqrt(N_i + 1)``, play the argmax,

    N_i the rewards learned of the item, trust how far its own past counts, from 0 to 1, as the
    mixer has learned: where features tell all, there is nothing to find out about an item
    alone. Without ids all N are 0, and the choice is greedy.

    Examples
    --------
    >>> policy = ItemHybrid(n_context=2, n_item=1, seed=0)
    >>> context, items, ids = [0.6, 0.8], [[1.0], [0.5], [-1.0]], ["a", "b", "c"]
    >>> decision = policy.decide(context, items, ids=ids)
    >>> chosen = decision.index
    >>> policy.learn(context, items[chosen], 1.0, id=ids[chosen])
    >>> policy.rank(context, items, ids=ids)[0] == chosen
    np.True_
    """

    name = "item-hybrid"
    results_version = 2

    alpha: float = setting(
        default=0.1, rule=at_least(0), doc="exploration, in units of the model's error"
    )

    _children: ClassVar[tuple[str, ...]] = ("_gap", "_stack")

    def _least_numbers(self) -> int:
        return (self.n_context + self.n_item) ** 2

    def _start(self) -> None:
        self._stack = ItemStack(
            self.n_context, self.n_item, self._generator, max_items=self.max_items
        )

    def _values(self, context: Floats, items: Floats, ids: list[ItemId] | None) -> Floats:
        table = self._stack.table
        counts = table.counts[table.rows_of(ids, len(items))]
        # Of the errors that `explore="gap"` is scaled by as well.
        rate = self.alpha * self._stack.trust * 2.0 * self._gap.errors.scale
        values: Floats = self._stack.values(context, items, ids) + rate / np.sqrt(counts + 1.0)
        return values

    def _learn(self, context: Floats, item: Floats, name: ItemId | None, reward: float) -> float:
        return self._stack.learn(context, item, name, reward)

    def _forget(self, name: ItemId) -> None:
        self._stack.table.forget(name)
