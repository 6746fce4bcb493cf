"""An index that uses a tree where that is faster, and a scan elsewhere."""

from __future__ import annotations

from hybandit.estimators.index.back_off import BackOff
from hybandit.estimators.index.query import Query
from hybandit.estimators.index.scan import Scan
from hybandit.estimators.index.tree import TreeIndex
from hybandit.estimators.observations import Observations
from hybandit.kernels.neighbours import Neighbours
from hybandit.state import Integers

# A tree pays from this many numbers to compare a query with, and this many observations.
NUMBERS = 2**18
FEWEST, MOST = 256, 4096
# For neighbours of all arms together it pays later: the nodes of every arm are searched.
OF_ALL = 16
# It is rebuilt, with directions that suit more data, at four times as many, up to this size.
LAST_REFIT = 2**16


def tree_from(n_features: int) -> int:
    """The number of observations from which a tree may pay."""
    return min(MOST, max(FEWEST, NUMBERS // n_features))


class AdaptiveIndex:
    """Scans while there are fewer than `enough` observations, and where a tree does not help.

    The tree is built at the first search that needs it; `thins` is as for `TreeIndex`.
    """

    def __init__(
        self, observations: Observations, enough: int | None = None, *, thins: bool = False
    ) -> None:
        self._observations = observations
        self._thins = thins
        self._scan = Scan(observations)
        self._tree: TreeIndex | None = None
        self._back_off = BackOff()
        self._enough = enough or tree_from(observations.n_features)
        self._make_at = 0

    @property
    def by_tree(self) -> bool:
        """Whether the tree answers the next search; asking for fewer arms then costs less."""
        if self._tree is None:
            self.prepare()
        return self._tree is not None and not self._back_off.rest

    def add(self, slot: int) -> None:
        if self._tree is None:
            return
        self._tree.add(slot)
        if self._observations.arrived >= self._make_at and self._tree.size <= LAST_REFIT:
            self._make()

    def discard(self, slot: int) -> None:
        if self._tree is not None:
            self._tree.discard(slot)

    def nearest_of_each_arm(self, query: Query, ks: Integers) -> Neighbours:
        if self._tree is None:
            self.prepare()
        if self._tree is None or self._back_off.rests():
            return self._scan.nearest_of_each_arm(query, ks)
        near = self._tree.nearest_of_each_arm(query, ks)
        self._back_off.judge(self._tree.share)
        return near

    def nearest_of_all(self, query: Query, k: int) -> Neighbours:
        if self._tree is None:
            self.prepare(OF_ALL)
        if self._tree is None or self._back_off.rests():
            return self._scan.nearest_of_all(query, k)
        near = self._tree.nearest_of_all(query, k)
        self._back_off.judge(self._tree.share)
        return near

    def prepare(self, times: int = 1) -> None:
        """Build the tree if there are `times` as many observations as it needs."""
        if self._tree is None and self._observations.held >= times * self._enough:
            self._make()

    def _make(self) -> None:
        self._tree = TreeIndex(self._observations, thins=self._thins)
        self._make_at = 4 * self._observations.arrived
