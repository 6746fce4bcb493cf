"""LNUCB-TA for items: the paper's algorithm, where an arm's past is an item's."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from hybandit.estimators.item_neighbours import ItemNeighbours
from hybandit.estimators.item_ridge import ItemRidge
from hybandit.estimators.item_table import ItemId, ItemTable
from hybandit.exploration import TemporalAttention
from hybandit.policies.base import settings
from hybandit.policies.base.items import ItemPolicy
from hybandit.state import Floats
from hybandit.validation.settings import at_least, setting, whole


class ItemLNUCBTA(ItemPolicy):
    """One linear part for all items, neighbours of each, explored by attention.

    ``score_i = z'theta + f_i + rate_i * sqrt(z' S^-1 z)``, play the argmax: the paper's
    Algorithm 1. z are context, item and all their products (`ItemRidge`), which fits ``r - f``;
    f is the mean reward of the item's own nearest contexts (`ItemNeighbours`); the rate is
    ``alpha / (N_i + 1) * (kappa g + (1 - kappa) m_i)``, N_i and m_i the item's plays and mean
    reward, g the average of the candidates' means. An item without an id has no past: f, N and
    m are 0.

    Examples
    --------
    >>> policy = ItemLNUCBTA(n_context=2, n_item=1, seed=0)
    >>> context, items, ids = [0.6, 0.8], [[1.0], [0.5]], ["a", "b"]
    >>> chosen = policy.choose(context, items, ids=ids)
    >>> policy.learn(context, items[chosen], 1.0, id=ids[chosen])
    """

    name = "item-lnucb-ta"

    alpha: float = setting(default=1.0, rule=at_least(0), doc="exploration before attention")
    kappa: float = settings.kappa()
    reg: float = settings.ridge("ridge of the linear part")
    k_min: int = settings.k_min()
    k_max: int = settings.k_max()
    memory: int = setting(default=200, rule=whole(1), doc="rewards remembered of each item")

    _children: ClassVar[tuple[str, ...]] = ("_linear", "_local")

    def _least_numbers(self) -> int:
        return (self.n_context + self.n_item) ** 2

    def _start(self) -> None:
        self._linear = ItemRidge(
            self.n_context, self.n_item, self._generator, reg=self.reg, max_items=self.max_items
        )
        self._local = ItemNeighbours(
            self._linear.table, self.n_context, k_min=self.k_min, k_max=self.k_max, most=self.memory
        )
        self._rate = TemporalAttention(self.alpha, self.kappa)

    def _values(self, context: Floats, items: Floats, ids: list[ItemId] | None) -> Floats:
        table = self._linear.table
        rows = table.rows_of(ids, len(items))
        counts = table.counts[rows]
        means = table.totals[rows] / np.maximum(counts, 1.0)
        rates = self._rate.rates(counts, means)
        upper: Floats = self._linear.upper(context, items, ids, rates)
        return upper + self._local.values(context, rows)

    def _learn(self, context: Floats, item: Floats, name: ItemId | None, reward: float) -> float:
        ids = None if name is None else [name]
        row = self._linear.table.row(name)
        local = float(self._local.values(context, np.array([row]))[0])
        linear = float(self._linear.upper(context, item[None], ids, np.zeros(1))[0])
        self._linear.learn(context, item, name, reward=reward, target=reward - local)
        if name is not None:
            self._local.learn(self._linear.table.row(name), context, reward)
        return reward - linear - local

    def _table(self) -> ItemTable:
        return self._linear.table

    def _forget(self, name: ItemId) -> None:
        self._local.forget(self._linear.table.row(name))
