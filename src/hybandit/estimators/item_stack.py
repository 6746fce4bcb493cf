"""Three views of items and contexts with learned weights, and a fourth that forgets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from hybandit.estimators.item_features import ItemFeatures
from hybandit.estimators.item_table import CODE, ItemId, ItemTable, Past
from hybandit.estimators.joint_ridge import JointRidge
from hybandit.estimators.ridge import Ridge
from hybandit.estimators.weighing import Weighing
from hybandit.kernels import items as kernels
from hybandit.state import Array, Floats, Stateful

# The ridge of each view, and how much its items' intercepts shrink.
REG = 1.0, 10.0, 1.0
SHRINK = np.array([20.0, 5.0, 5.0])
# Picked on the news log and five worlds, at seeds that no table reports: docs/design.md.
MIXER_PRIOR = np.array([0.8, 0.1, 0.1, 0.0, 0.0])
MIXER_REG = 3.0
# The view that forgets, and how much its items' intercepts shrink.
RECENT = 0.999
RECENT_SHRINK = np.array([5.0])


class ItemStack(Stateful):
    """The value of an item on a context, from the trend of all items and the item's own past.

    Two views see all products of context and item, with a strong and a weak ridge; one sees
    a curved function of both (`ItemFeatures`). Each has an intercept for every item
    (`JointRidge`), which starts at 0 and moves with the item's own rewards. A ridge on
    ``[p1, p2, p3, u, 1]``, each taken before the reward was learned, learns how to weigh them; it
    starts near the first view. u is the mean of the item's intercepts: items that are chosen
    are often overrated, so the mixer also learns how far to trust an item's own past
    (`trust`).

    Beside these stands a recent view of the products, which forgets by 0.999 at every reward; the
    value is theirs and its, weighed by the errors of late (`Weighing`).

    With ``n_item=0`` an item's features are the code of its id (`ItemTable.codes`). With
    `forget` the views, the items' pasts and the mixer fade by it at every reward.

    Examples
    --------
    >>> stack = ItemStack(2, 1, np.random.default_rng(0), max_items=100)
    >>> context, items = np.array([0.6, 0.8]), np.array([[1.0], [-1.0]])
    >>> for _ in range(20):
    ...     error = stack.learn(context, items[0], "good", reward=1.0)
    ...     error = stack.learn(context, items[1], "bad", reward=0.0)
    >>> stack.values(context, items, ["good", "bad"]).round(1)
    array([1., 0.])
    """

    _children: ClassVar = (
        "features", "table", "views", "mixer", "recent", "recent_table", "weighing",
    )  # fmt: skip

    def __init__(
        self,
        n_context: int,
        n_item: int,
        generator: np.random.Generator,
        *,
        max_items: int,
        forget: float | None = None,
    ) -> None:
        self.features = ItemFeatures(n_context, n_item or CODE, generator)
        self.table = ItemTable(self.features.width, max_items, forget)
        crossed, curved = self.features.crossed, self.features.curved
        self._columns = crossed, crossed, curved
        self.views = [
            JointRidge(columns.stop - columns.start, reg=reg, shrink=shrink, forget=forget)
            for columns, reg, shrink in zip(self._columns, REG, SHRINK.tolist(), strict=True)
        ]
        self.mixer = Ridge(1, len(MIXER_PRIOR), reg=MIXER_REG, prior=MIXER_PRIOR, forget=forget)
        self._starts = np.array([columns.start for columns in self._columns])
        self._stops = np.array([columns.stop for columns in self._columns])
        fades = min(RECENT, forget or 1.0)
        width = crossed.stop - crossed.start
        self.recent = JointRidge(width, reg=1.0, shrink=float(RECENT_SHRINK[0]), forget=fades)
        self.recent_table = ItemTable(width, max_items, fades)
        self.weighing = Weighing()
        # The weights of every view on all features; it has none outside its columns.
        self._weights = np.zeros((len(self.views), self.features.width))

    def values(self, context: Floats, items: Floats, ids: Sequence[ItemId] | None) -> Floats:
        """The value of every candidate; `items` is (n, n_item), `ids` are their ids, if any."""
        return self.values_and_counts(context, items, ids)[0]

    def values_and_counts(
        self, context: Floats, items: Floats, ids: Sequence[ItemId] | None
    ) -> tuple[Floats, Floats]:
        """The values, and of how many rewards of each candidate the model knows.

        As far as the recent view is believed, rewards count as little as that view has kept.
        """
        z = self.features.of(context, self.table.described(items, ids))
        past, recent = self._pasts(ids, len(items))
        share = self.weighing.share
        values = self._mixed(self._estimates(z, past))
        values += share * (self._recent_values(z, recent) - values)
        counts = past.counts[past.rows]
        counts += share * (recent.counts[recent.rows] - counts)
        return values, counts

    def _pasts(self, ids: Sequence[ItemId] | None, count: int) -> tuple[Past, Past]:
        """What is remembered of `count` candidates, for all time and lately."""
        rows = self.table.rows_of(ids, count)
        return self.table.past(rows), self.recent_table.past(rows)

    @property
    def trust(self) -> float:
        """By how much the value of an item grows with its intercepts, from 0 to 1."""
        own = min(max(float(self.mixer.weights[0, :-1].sum()), 0.0), 1.0)
        return own + self.weighing.share * (1.0 - own)

    def learn(self, context: Floats, item: Floats, name: ItemId | None, reward: float) -> float:
        """Learn one reward; returns by how much it exceeded the expected one."""
        item = self.table.described(item[None], None if name is None else [name])[0]
        z = self.features.of(context, item[None])
        past, lately = self._pasts(None if name is None else [name], 1)
        estimates, share = self._estimates(z, past), self.weighing.share
        slow = float(self._mixed(estimates)[0])
        recent = float(self._recent_values(z, lately)[0])
        self.weighing.learn(reward - slow, reward - recent)
        self.mixer.learn(np.append(estimates, [[1.0]], axis=1), 0, reward)
        for view, columns in zip(self.views, self._columns, strict=True):
            _teach(view, z[0, columns], reward, past, columns)
        seen, columns = z[0, self.features.crossed], self.features.crossed
        _teach(self.recent, seen, reward, lately, columns)
        self.table.learn(name, z[0], reward)
        self.recent_table.learn(name, seen, reward)
        self.features.learn(context, item)
        self._gather_weights()
        return reward - slow - share * (recent - slow)

    def forget(self, name: ItemId) -> None:
        """Remove what is remembered of one item."""
        self.table.forget(name)
        self.recent_table.forget(name)

    def restore(self, arrays: dict[str, Array]) -> None:
        super().restore(arrays)
        self._gather_weights()

    def _estimates(self, z: Floats, past: Past) -> Floats:
        """The estimate of every candidate by every view, and the item's own part: (n, 4)."""
        out = np.empty((len(z), len(self.views) + 1))
        kernels.estimates(
            z, self._weights, self._starts, self._stops, SHRINK, past, out,
        )  # fmt: skip
        return out

    def _recent_values(self, z: Floats, past: Past) -> Floats:
        out = np.empty((len(z), 2))
        columns = self.features.crossed
        kernels.estimates(
            z, self.recent.ridge.weights, np.array([columns.start]), np.array([columns.stop]),
            RECENT_SHRINK, past, out,
        )  # fmt: skip
        return out[:, 0]

    def _mixed(self, estimates: Floats) -> Floats:
        out = np.empty(len(estimates))
        kernels.mixed(estimates, self.mixer.weights[0], out)
        return out

    def _gather_weights(self) -> None:
        for number, (view, columns) in enumerate(zip(self.views, self._columns, strict=True)):
            self._weights[number, columns] = view.weights


def _teach(view: JointRidge, z: Floats, reward: float, past: Past, columns: slice) -> None:
    """One reward of an item with this past."""
    (row,) = past.rows
    view.learn(
        z, reward, count=past.counts[row], total=past.totals[row],
        features=past.features[row, columns],
    )  # fmt: skip
