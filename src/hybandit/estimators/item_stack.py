"""Three views of items and contexts, and one learned way to weigh them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from hybandit.estimators.item_features import ItemFeatures
from hybandit.estimators.item_table import CODE, ItemId, ItemTable
from hybandit.estimators.joint_ridge import JointRidge
from hybandit.estimators.ridge import Ridge
from hybandit.kernels import items as kernels
from hybandit.state import Array, Floats, Integers, Stateful

# The ridge of each view, and how much its items' intercepts shrink.
REG = 1.0, 10.0, 1.0
SHRINK = np.array([20.0, 5.0, 5.0])
MIXER_PRIOR = np.array([1.0, 1.0, 1.0, 0.0, 0.0]) / 3.0
MIXER_REG = 10.0


class ItemStack(Stateful):
    """What an item is worth on a context: the trend of all items and the item's own past.

    Two views see all products of context and item, with a strong and a weak ridge; one sees
    a curved function of both (`ItemFeatures`). Each has an intercept for every item
    (`JointRidge`), which starts at 0 and moves with the item's own rewards. A ridge on
    ``[p1, p2, p3, u, 1]``, each taken before the reward was learned, learns how to weigh them; it
    starts at the mean of the views. u is the mean of the item's intercepts: what was chosen
    is often what was overrated, so how far to trust an item's own past is learned as well
    (`trust`).

    With ``n_item=0`` an item's features are the code of its id (`ItemTable.codes`).

    Examples
    --------
    >>> stack = ItemStack(2, 1, np.random.default_rng(0), max_items=100)
    >>> context, items = np.array([0.6, 0.8]), np.array([[1.0], [-1.0]])
    >>> for _ in range(20):
    ...     error = stack.learn(context, items[0], "good", reward=1.0)
    ...     error = stack.learn(context, items[1], "bad", reward=0.0)
    >>> stack.values(context, items, ["good", "bad"]).round(1)
    array([1.1, 0. ])
    """

    _children: ClassVar = ("features", "table", "views", "mixer")

    def __init__(
        self, n_context: int, n_item: int, generator: np.random.Generator, *, max_items: int
    ) -> None:
        self.features = ItemFeatures(n_context, n_item or CODE, generator)
        self.table = ItemTable(self.features.width, max_items)
        crossed, curved = self.features.crossed, self.features.curved
        self._columns = crossed, crossed, curved
        self.views = [
            JointRidge(columns.stop - columns.start, reg=reg, shrink=shrink)
            for columns, reg, shrink in zip(self._columns, REG, SHRINK.tolist(), strict=True)
        ]
        self.mixer = Ridge(1, len(MIXER_PRIOR), reg=MIXER_REG, prior=MIXER_PRIOR)
        self._starts = np.array([columns.start for columns in self._columns])
        self._stops = np.array([columns.stop for columns in self._columns])
        # The weights of every view on all features; it has none outside its columns.
        self._weights = np.zeros((len(self.views), self.features.width))

    def values(self, context: Floats, items: Floats, ids: Sequence[ItemId] | None) -> Floats:
        """Of every candidate; `items` is (n, n_item), `ids` their ids if they have any."""
        z = self.features.of(context, self.table.described(items, ids))
        return self._mixed(self._estimates(z, self.table.rows_of(ids, len(items))))

    @property
    def trust(self) -> float:
        """By how much the value of an item grows with its intercepts, from 0 to 1."""
        own = float(self.mixer.weights[0, :-1].sum())
        return min(max(own, 0.0), 1.0)

    def learn(self, context: Floats, item: Floats, name: ItemId | None, reward: float) -> float:
        """One reward; returns by how much it exceeded what was expected."""
        item = self.table.described(item[None], None if name is None else [name])[0]
        z = self.features.of(context, item[None])
        table = self.table
        row = table.row(name)
        estimates = self._estimates(z, np.array([row]))
        expected = float(self._mixed(estimates)[0])
        self.mixer.learn(np.append(estimates, [[1.0]], axis=1), 0, reward)
        count, total, features = table.counts[row], table.totals[row], table.features[row]
        for view, columns in zip(self.views, self._columns, strict=True):
            view.learn(z[0, columns], reward, count=count, total=total, features=features[columns])
        if name is not None:
            table.learn(name, z[0], reward)
        self.features.learn(context, item)
        self._gather_weights()
        return reward - expected

    def restore(self, arrays: dict[str, Array]) -> None:
        super().restore(arrays)
        self._gather_weights()

    def _estimates(self, z: Floats, rows: Integers) -> Floats:
        """Of every candidate by every view, and the item's own part: (n, 4)."""
        table = self.table
        out = np.empty((len(z), len(self.views) + 1))
        kernels.estimates(
            z, self._weights, self._starts, self._stops, SHRINK, rows,
            table.counts, table.totals, table.features, out,
        )  # fmt: skip
        return out

    def _mixed(self, estimates: Floats) -> Floats:
        out = np.empty(len(estimates))
        kernels.mixed(estimates, self.mixer.weights[0], out)
        return out

    def _gather_weights(self) -> None:
        for number, (view, columns) in enumerate(zip(self.views, self._columns, strict=True)):
            self._weights[number, columns] = view.weights
