"""LinUCB for items: one ridge for all of them."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from hybandit.estimators.item_ridge import ItemRidge
from hybandit.estimators.item_table import ItemId, ItemTable
from hybandit.policies.base import settings
from hybandit.policies.base.items import ItemPolicy
from hybandit.state import Floats
from hybandit.validation.settings import at_least, setting


class ItemLinUCB(ItemPolicy):
    """LinUCB for items: one linear model of context, item and their products.

    Plays the largest ``z'theta + alpha * sqrt(z' S^-1 z)``.

    z are context, item and all their products, as in `ItemRidge`. An id matters only where
    items have no features.

    References
    ----------
    Li, Chu, Langford, Schapire (2010). A contextual-bandit approach to personalized news
    article recommendation. WWW.

    Examples
    --------
    >>> policy = ItemLinUCB(n_context=1, n_item=1, alpha=0.1, seed=0)
    >>> policy.learn([1.0], [1.0], 1.0)
    >>> policy.choose([1.0], [[-1.0], [1.0]])
    1
    """

    name = "item-lin-ucb"

    alpha: float = setting(default=1.0, rule=at_least(0), doc="exploration rate")
    reg: float = settings.ridge()

    _children: ClassVar[tuple[str, ...]] = ("_linear",)

    def _least_numbers(self) -> int:
        return (self.n_context + self.n_item) ** 2

    def _start(self) -> None:
        self._linear = ItemRidge(
            self.n_context, self.n_item, self._generator, reg=self.reg, max_items=self.max_items
        )

    def _values(self, context: Floats, items: Floats, ids: list[ItemId] | None) -> Floats:
        return self._linear.upper(context, items, ids, np.full(len(items), self.alpha))

    def _learn(self, context: Floats, item: Floats, name: ItemId | None, reward: float) -> float:
        ids = None if name is None else [name]
        expected = self._linear.upper(context, item[None], ids, np.zeros(1))[0]
        self._linear.learn(context, item, name, reward=reward, target=reward)
        return reward - float(expected)

    def _table(self) -> ItemTable:
        return self._linear.table
