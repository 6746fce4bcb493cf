"""A search by a tree of boxes."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import numpy as np

from hybandit.estimators.index.projection import SAMPLE, Projection
from hybandit.estimators.index.query import Query
from hybandit.estimators.observations import Observations
from hybandit.kernels import tree as kernels
from hybandit.kernels.neighbours import Entries, Neighbours, empty_lists
from hybandit.kernels.tree import LANES, Points
from hybandit.kernels.tree_search import Projected, search
from hybandit.state import Array, Integers, Singles

# Single precision leaves distances this uncertain, relative to the vectors' lengths.
ERROR = 1e-5
# More leaves or nodes than one more point may need.
SPARE = 2 * LANES
# So many points make a node when a tree is built at once; it has room for more.
GROUP = LANES * LANES // 2


class TreeIndex:
    """Looks at few observations where the data have structure.

    `share` is what the last search looked at, of what a scan looks at; above about a half a scan
    is as fast. If `thins`, only the LANES newest of an arm's observations with equal contexts are
    in the tree, however often a context repeats: for stores where the newer come first among
    equals, which are asked for no more than that many neighbours, and whose observations leave in
    order of arrival.
    """

    def __init__(self, observations: Observations, *, thins: bool = False) -> None:
        self._observations = observations
        self._thins = thins
        slots, entries = observations.slots(), observations.entries
        self.size = len(slots)
        if thins:
            slots = _thinned(slots, entries)
        # How many observations are left out.
        self._out = self.size - len(slots)
        self.share = 0.0
        self._longest = 0.0
        self._projection = Projection(entries.contexts[slots[:: max(1, len(slots) // SAMPLE)]])
        owners = entries.owners[slots]
        n_arms = int(owners.max(initial=0)) + 1
        n_nodes = 2 * (len(slots) // GROUP + n_arms)
        n_leaves = 2 * (len(slots) // LANES + n_nodes)
        self._make(n_arms, n_leaves + SPARE, n_nodes + SPARE, len(entries.owners))
        order = np.argsort(owners, kind="stable")
        ends = np.searchsorted(owners[order], np.arange(1, n_arms))
        for arm, own in enumerate(np.split(slots[order], ends)):
            points, order = self._points(own), np.arange(len(own))
            for group in _parts(points.rows, order, GROUP, len(own)):
                self._fill(kernels.new_node(self._tree, arm), points, group, LANES)

    @staticmethod
    @cache
    def compiled() -> None:
        """Compile everything that a tree needs, so that the first search is not slow."""
        observations = Observations(n_features=1)
        for _ in range(LANES + 1):
            observations.append(np.zeros(1), 0, 0.0)
        tree = TreeIndex(observations)
        tree.add(observations.append(np.zeros(1), 0, 0.0))
        tree.discard(0)
        tree.nearest_of_all(Query(np.zeros((1, 1))), 1)

    def add(self, slot: int) -> None:
        entries = self._observations.entries
        arm = int(entries.owners[slot])
        self._reserve(arm, len(entries.owners))
        points = self._points(np.array([slot]))
        if self._tree.roots[arm] < 0:
            self._fill(kernels.new_node(self._tree, arm), points, np.zeros(1, np.int64), LANES)
        else:
            while (full := kernels.add(self._tree, entries, arm, points)) >= 0:
                if self._thins and kernels.repeats(self._tree, entries, full, slot):
                    self._leave_out(arm, int(self._tree.slots[full, 0]))
                else:
                    self._split(arm, full)
                    self._reserve(arm, len(entries.owners))
        self.size += 1

    def discard(self, slot: int) -> None:
        if self._tree.leaf_of[slot] < 0:
            self._out -= 1
        else:
            kernels.discard(self._tree, int(self._observations.entries.owners[slot]), slot)
        self.size -= 1

    def nearest_of_each_arm(self, query: Query, ks: Integers) -> Neighbours:
        if query.projection is not self._projection:
            self._project(query)
        near = empty_lists(len(ks), min(int(np.maximum.reduce(ks)), self.size))
        entries = self._observations.entries
        share = search(self._tree, entries, query.projected, ks, False, near)
        self.share = share * (self.size - self._out) / (self.size or 1)
        return near

    def nearest_of_all(self, query: Query, k: int) -> Neighbours:
        if query.projection is not self._projection:
            self._project(query)
        k = min(k, self.size)
        near, ks = empty_lists(len(query.contexts), k), np.array([k])
        entries = self._observations.entries
        share = search(self._tree, entries, query.projected, ks, True, near)
        self.share = share * (self.size - self._out) / (self.size or 1)
        return near

    def _leave_out(self, arm: int, slot: int) -> None:
        kernels.discard(self._tree, arm, slot)
        self._tree.leaf_of[slot] = -1
        self._out += 1

    def _project(self, query: Query) -> None:
        projection = query.projection = self._projection
        rows, longest = projection.of(query.contexts, np.arange(len(query.contexts)))
        slack = ERROR * (self._longest + longest) + projection.blur
        query.projected = Projected(query.contexts, rows, projection.scale, slack)

    def _points(self, slots: Integers) -> Points:
        rows, longest = self._projection.of(self._observations.entries.contexts, slots)
        self._longest = max(self._longest, longest)
        return Points(rows, slots)

    def _fill(self, node: int, points: Points, order: Integers, largest: int) -> None:
        """Give a node that has room the points `order`, in new leaves of up to `largest`."""
        most = LANES - int(self._tree.counts[node])
        for part in _parts(points.rows, order, largest, most):
            kernels.add_leaf(self._tree, self._observations.entries, node, points, part)

    def _split(self, arm: int, leaf: int) -> None:
        """Cut a full leaf in two, or all leaves of a full node into those of two nodes.

        Leaves that were cut one by one, as points came, overlap more than leaves made together.
        """
        tree = self._tree
        node = int(tree.node_of[leaf])
        whole = int(tree.counts[node]) == LANES
        leaves = tree.children[node].tolist() if whole else [leaf]
        sizes = tree.sizes[leaves]
        total = int(sizes.sum())
        points = Points(
            np.empty((total, tree.pages.shape[1]), np.float32), np.empty(total, np.int64)
        )
        for each, end in zip(leaves, sizes.cumsum().tolist(), strict=True):
            kernels.take_leaf(tree, each, points, end - int(tree.sizes[each]))
        order = np.arange(total)
        if not whole:
            self._fill(node, points, order, LANES - 1)
            return
        middle = kernels.cut(points.rows, order)
        if not total // 4 <= middle <= 3 * total // 4:
            middle = total // 2
        self._fill(node, points, order[:middle], LANES)
        self._fill(kernels.new_node(tree, arm), points, order[middle:], LANES)

    def _make(self, n_arms: int, n_leaves: int, n_nodes: int, capacity: int) -> None:
        width = self._projection.width
        edges = min(width, kernels.EDGES)
        self._tree = kernels.Tree(
            roots=np.full(n_arms, -1),
            following=np.zeros(n_nodes, np.int64),
            hulls=np.zeros((n_nodes, 2, edges), np.float32),
            boxes=np.zeros((n_nodes, 2, edges, LANES), np.float32),
            children=np.zeros((n_nodes, LANES), np.int64),
            counts=np.zeros(n_nodes, np.int64),
            pages=np.zeros((n_leaves, width, LANES), np.float32),
            slots=np.zeros((n_leaves, LANES), np.int64),
            sizes=np.zeros(n_leaves, np.int64),
            same=np.zeros(n_leaves, np.bool_),
            node_of=np.zeros(n_leaves, np.int64),
            leaf_of=np.full(capacity, -1),
            free_leaves=np.arange(n_leaves)[::-1].copy(),
            free_nodes=np.arange(n_nodes)[::-1].copy(),
            free=np.array([n_leaves, n_nodes]),
        )

    def _reserve(self, arm: int, capacity: int) -> None:
        """Make room for one more entry of this arm, at any slot."""
        tree = self._tree
        if arm >= len(tree.roots):
            self._tree = tree = tree._replace(roots=_longer(tree.roots, 2 * arm + 2, -1))
        if capacity > len(tree.leaf_of):
            self._tree = tree = tree._replace(leaf_of=_longer(tree.leaf_of, capacity, -1))
        if tree.free[0] < SPARE:
            self._double(0, "free_leaves", "pages", "slots", "sizes", "same", "node_of")
        if tree.free[1] < SPARE:
            self._double(1, "free_nodes", "following", "hulls", "boxes", "children", "counts")

    def _double(self, kind: int, stack: str, *names: str) -> None:
        """Twice as many leaves or nodes."""
        old = self._tree
        free = getattr(old, stack)
        count, height = len(free), int(old.free[kind])
        more = {name: _longer(getattr(old, name), 2 * count) for name in names}
        more[stack] = _longer(free, 2 * count)
        more[stack][height : height + count] = np.arange(count, 2 * count)[::-1]
        old.free[kind] += count
        self._tree = old._replace(**more)


def _thinned(slots: Integers, entries: Entries) -> Integers:
    """Of each arm's entries with equal contexts the LANES last of `slots`, in the same order."""
    contexts = np.ascontiguousarray(entries.contexts[slots])
    rows = contexts.view(np.dtype((np.void, contexts.itemsize * contexts.shape[1])))[:, 0]
    kinds = np.unique(rows, return_inverse=True)[1] * (1 + entries.owners[slots].max(initial=0))
    kinds += entries.owners[slots]
    # Sorted by kind, the last first: an entry with LANES of its kind before it is left out.
    order = np.argsort(kinds[::-1], kind="stable")
    ranked = kinds[::-1][order]
    repeated = np.zeros(len(slots), np.bool_)
    repeated[LANES:] = ranked[LANES:] == ranked[:-LANES]
    kept: Integers = slots[::-1][np.sort(order[~repeated])][::-1]
    return kept


def _parts(rows: Singles, order: Integers, largest: int, most: int) -> Iterator[Integers]:
    """Cut `order` until no part is larger than `largest`.

    There are at most `most` parts, and at most twice as many as are needed.
    """
    needed = -(-len(order) // largest)
    spare = min(most, 2 * needed) - needed
    pending = [order] if len(order) else []
    while pending:
        part = pending.pop()
        if len(part) <= largest:
            yield part
            continue
        whole = -(-len(part) // largest)
        middle = kernels.cut(rows, part)
        more = -(-middle // largest) - (middle - len(part)) // largest - whole
        if middle == len(part) or more > spare:
            # Nothing to cut by, or too unevenly.
            middle, more = largest * (whole // 2), 0
        spare -= more
        pending += [part[middle:], part[:middle]]


def _longer(array: Array, length: int, fill: int = 0) -> Array:
    """A copy with more rows."""
    new = np.zeros((length, *array.shape[1:]), array.dtype)
    new[: len(array)] = array
    if fill:
        new[len(array) :] = fill
    return new
