"""One ridge for all items."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from hybandit.estimators.item_features import ItemFeatures
from hybandit.estimators.item_table import CODE, ItemId, ItemTable
from hybandit.estimators.ridge import Ridge
from hybandit.kernels import items as kernels
from hybandit.state import Floats, Stateful


class ItemRidge(Stateful):
    """A linear estimate on context, item and all their products, and its uncertainty.

    The ridge uses ``z = [x, 1, b]`` of `ItemFeatures`. For each item it also keeps the count
    and the sum of its rewards, on which no estimate here depends. With ``n_item=0`` an
    item's features are the code of its id (`ItemTable.codes`).

    Examples
    --------
    >>> ridge = ItemRidge(1, 1, np.random.default_rng(0), reg=1.0, max_items=100)
    >>> context, items = np.array([1.0]), np.array([[1.0], [-1.0]])
    >>> ridge.learn(context, items[0], "good", reward=1.0, target=1.0)
    >>> ridge.upper(context, items, ["good", "bad"], rates=np.zeros(2)).round(2)
    array([0.75, 0.  ])
    """

    _children: ClassVar = ("features", "table", "ridge")

    def __init__(
        self,
        n_context: int,
        n_item: int,
        generator: np.random.Generator,
        *,
        reg: float,
        max_items: int,
    ) -> None:
        self.features = ItemFeatures(n_context, n_item or CODE, generator, cosines=0)
        self.table = ItemTable(0, max_items)
        self.ridge = Ridge(1, self.features.width, reg=reg)

    def upper(
        self, context: Floats, items: Floats, ids: Sequence[ItemId] | None, rates: Floats
    ) -> Floats:
        """``z'theta + rate * width`` of every candidate."""
        z = self.features.of(context, self.table.described(items, ids))
        out = np.empty(len(items))
        ridge = self.ridge
        kernels.upper(z, ridge.weights, ridge.factors, ridge.scales, rates, out)
        return out

    def learn(
        self, context: Floats, item: Floats, name: ItemId | None, *, reward: float, target: float
    ) -> None:
        """Learn one reward of an item; `target` is what the ridge should have predicted."""
        known = self.table.described(item[None], None if name is None else [name])
        self.ridge.learn(self.features.of(context, known), 0, target)
        self.features.learn(context, known[0])
        if name is not None:
            self.table.learn(name, np.empty(0), reward)
