"""The mean reward of an item's nearest past contexts."""

from __future__ import annotations

import math

import numpy as np

from hybandit.estimators.adaptive_knn import TINY, check_ks
from hybandit.estimators.item_table import ItemTable
from hybandit.state import Array, Floats, Integers, Stateful, fitting, with_room


class ItemHistory:
    """The latest contexts of one item with their rewards, the oldest first."""

    def __init__(self, n_context: int) -> None:
        self.count = 0
        self.contexts = np.empty((4, n_context))
        self.rewards = np.empty(4)

    def add(self, context: Floats, reward: float, most: int) -> None:
        if self.count == most:
            self.contexts[: most - 1] = self.contexts[1:most]
            self.rewards[: most - 1] = self.rewards[1:most]
            self.count -= 1
        elif self.count == len(self.rewards):
            self.contexts = with_room(self.contexts, self.count, 2 * self.count)
            self.rewards = with_room(self.rewards, self.count, 2 * self.count)
        self.contexts[self.count], self.rewards[self.count] = context, reward
        self.count += 1

    def nearest_mean(self, context: Floats, k_min: int, k_max: int) -> float:
        rewards = self.rewards[: self.count]
        # Never more than there are: the variance may be huge.
        wanted = min(k_min + (k_max - k_min) * float(rewards.var()), self.count + 1.0)
        k = max(math.floor(wanted + TINY), 1)
        if k > self.count:
            return 0.0
        away = self.contexts[: self.count] - context
        order = np.einsum("ij,ij->i", away, away).argsort(kind="stable")
        return float(rewards[order[:k]].mean())


class ItemNeighbours(Stateful):
    """The paper's Algorithm 2, where the arm's own past is the item's own past.

    ``k = floor(k_min + (k_max - k_min) v + 1e-9)``, at least 1, with v the population
    variance of the remembered rewards. If there are k of them, the estimate is the mean reward
    of the k nearest contexts (among equally near ones the older first), else 0.

    Parameters
    ----------
    table
        The table that assigns rows to items.
    most
        How many rewards of each item are remembered, the latest ones.

    Examples
    --------
    >>> table = ItemTable(0, max_items=10)
    >>> neighbours = ItemNeighbours(table, 1, k_min=1, k_max=5, most=200)
    >>> for context, reward in ((0.0, 0.0), (1.0, 1.0)):
    ...     table.learn("a", np.empty(0), reward)
    ...     neighbours.learn(table.row("a"), np.array([context]), reward)
    >>> neighbours.values(np.array([0.9]), table.rows(["a", "unseen"]))
    array([0.5, 0. ])
    """

    def __init__(
        self, table: ItemTable, n_context: int, *, k_min: int, k_max: int, most: int
    ) -> None:
        check_ks(k_min, k_max)
        self.table = table
        self.n_context = n_context
        self.k_min = k_min
        self.k_max = k_max
        self.most = most
        self._histories: dict[int, ItemHistory] = {}

    def values(self, context: Floats, rows: Integers) -> Floats:
        """The estimate f of the items in these rows."""
        pasts = (self._histories.get(row) for row in rows.tolist())
        return np.array(
            [past.nearest_mean(context, self.k_min, self.k_max) if past else 0.0 for past in pasts]
        )

    def learn(self, row: int, context: Floats, reward: float) -> None:
        """Follow a reward that the table has just learned."""
        if self.table.counts[row] == 1.0:
            # The row may have belonged to another item before.
            self._histories[row] = ItemHistory(self.n_context)
        self._histories[row].add(context, reward, self.most)

    def forget(self, row: int) -> None:
        self._histories.pop(row, None)

    def state(self) -> dict[str, Array]:
        """The histories one after another, in the order of the table's ids."""
        pasts = [self._histories[row] for row in self.table.rows(self.table.ids()).tolist()]
        sizes = np.array([past.count for past in pasts], np.int64)
        contexts, rewards = np.empty((sizes.sum(), self.n_context)), np.empty(sizes.sum())
        for past, stop in zip(pasts, sizes.cumsum(), strict=True):
            contexts[stop - past.count : stop] = past.contexts[: past.count]
            rewards[stop - past.count : stop] = past.rewards[: past.count]
        return {"sizes": sizes, "contexts": contexts, "rewards": rewards}

    def restore(self, arrays: dict[str, Array]) -> None:
        rows = self.table.rows(self.table.ids()).tolist()
        sizes = fitting("sizes", arrays, np.int64, (len(rows),), (1, self.most))
        total = int(sizes.sum())
        contexts = fitting("contexts", arrays, np.float64, (total, self.n_context))
        rewards = fitting("rewards", arrays, np.float64, (total,))
        self._histories = {row: ItemHistory(self.n_context) for row in rows}
        owners = np.repeat(rows, sizes).tolist() if rows else []
        for row, context, reward in zip(owners, contexts, rewards, strict=True):
            self._histories[row].add(context, float(reward), self.most)
