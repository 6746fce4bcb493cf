"""An exact index of the neighbour memory."""

from __future__ import annotations

from functools import cache

import numpy as np

from hybandit.estimators.screen import SAMPLE, Screen
from hybandit.estimators.trial import Trial
from hybandit.kernels import tree as kernels
from hybandit.kernels.tree import LANES
from hybandit.kernels.tree_search import search
from hybandit.state import Array, Floats, Integers

# Single precision leaves a shadow's distance this uncertain, relative to the vectors' lengths.
SHADOW_ERROR = 1e-5
# More leaves or nodes than one more point may need.
SPARE = 2 * LANES
# So many entries may be far out, and a sixteenth of all.
FAR = 256
# The share of leaves to open up to which a scan takes longer, for each arm or for all together.
EACH_WORTHWHILE, ALL_WORTHWHILE = 0.7, 0.2


class NeighbourTree:
    """Finds what a scan of the memory finds, the order among equals included.

    Made from the `slots` of the memory that hold an entry, oldest first; then told of every
    entry that comes or goes. `opened` is the share of leaves, of the arms asked for, that
    the last search looked into, `measured` the number of points whose distance it computed.

    Examples
    --------
    >>> contexts, owners = np.array([[0.0], [1.0], [5.0]]), np.array([0, 0, 0])
    >>> tree = NeighbourTree(contexts, owners, np.arange(3), slots=np.arange(3))
    >>> distances, indices, found = np.empty((1, 2)), np.empty((1, 2), int), np.empty(1, int)
    >>> out = distances, indices, found
    >>> tree.search(contexts, owners, np.arange(3), np.array([[0.9]]), np.array([2]), *out)
    True
    >>> indices
    array([[1, 0]])
    """

    def __init__(
        self, contexts: Floats, owners: Integers, arrivals: Integers, slots: Integers
    ) -> None:
        self.size = len(slots)
        self.opened = 0.0
        self.measured = 0
        self._trials = {False: Trial(EACH_WORTHWHILE), True: Trial(ALL_WORTHWHILE)}
        self._longest = 0.0
        self._screen = Screen(contexts[slots[:: max(1, len(slots) // SAMPLE)]])
        self._far = np.empty(16, np.int64)
        self._n_far = 0
        self._counts = np.bincount(owners[slots], minlength=1)
        n_arms = len(self._counts)
        n_leaves = 2 * self.size // LANES + 2 * n_arms + SPARE
        self._make(n_arms, n_leaves, 4 * n_leaves // LANES + 2 * n_arms + SPARE, len(contexts))
        order = np.argsort(owners[slots], kind="stable")
        ends = np.searchsorted(owners[slots][order], np.arange(1, n_arms))
        for arm, own in enumerate(np.split(slots[order], ends)):
            if len(own):
                self._build(contexts, arrivals, arm, own)

    @staticmethod
    @cache
    def compiled() -> None:
        """Compile all that a tree needs, for those who time what follows."""
        contexts, numbers = np.zeros((2, 1)), np.arange(2)
        tree = NeighbourTree(contexts, np.zeros(2, np.int64), numbers, numbers[:1])
        tree.add(contexts, numbers, 0, 1)
        tree.discard(0, 0)
        out = np.empty((1, 1)), np.empty((1, 1), np.int64), np.empty(1, np.int64)
        tree.search(contexts, numbers, numbers, contexts[:1], np.ones(1, np.int64), *out)

    @property
    def outgrown(self) -> bool:
        """Whether too many entries are far out: a tree made now would see their size."""
        return self._n_far > FAR + self.size // 16

    def add(self, contexts: Floats, arrivals: Integers, arm: int, slot: int) -> None:
        """Take in the memory's youngest entry, which is at `slot`."""
        self._reserve(arm, len(contexts))
        shadow, longest = self._screen.shadows(contexts, np.array([slot]))
        self.size += 1
        self._counts[arm] += 1
        if shadow[0, 0] == shadow[0, 0]:
            self._longest = max(self._longest, longest)
            kernels.add(self._tree, contexts, arrivals, arm, shadow, 0, slot)
        else:
            self._put_far(np.array([slot]))

    def discard(self, arm: int, slot: int) -> None:
        """Let go of the entry at `slot`."""
        self.size -= 1
        self._counts[arm] -= 1
        if self._tree.leaf_of[slot] >= 0:
            kernels.discard(self._tree, arm, slot)
            return
        self._n_far -= 1
        far = self._far[: self._n_far + 1]
        far[np.flatnonzero(far == slot)] = far[-1]

    def search(
        self,
        contexts: Floats,
        owners: Integers,
        arrivals: Integers,
        queries: Floats,
        rooms: Integers,
        distances: Floats,
        indices: Integers,
        found: Integers,
        *,
        together: bool = False,
    ) -> bool:
        """Fill in each arm's nearest, or return False where a scan is the better way.

        If `together`, there is a row for each query, of the nearest whatever their arm.
        """
        trial = self._trials[together]
        if trial.resting():
            return False
        shadows, longest = self._screen.shadows(queries)
        if np.isnan(shadows[:, 0]).any():
            return False
        slack = SHADOW_ERROR * (self._longest + longest) + self._screen.blur
        tally = np.zeros(2, np.int64)
        search(
            self._tree, self._far[: self._n_far], contexts, owners, arrivals, queries, shadows,
            self._screen.scale, slack, rooms, together, distances, indices, found, tally,
        )  # fmt: skip
        asked = len(queries) * self.size if together else self._entries(rooms)
        used = len(self._tree.sizes) - int(self._tree.free[0])
        self.opened = int(tally[0]) * self.size / max(1, used * asked)
        self.measured = int(tally[1])
        trial.judge(self.opened, self.measured / max(1, asked))
        return True

    def _entries(self, rooms: Integers) -> int:
        """How many entries the arms have that are asked for."""
        known = self._counts[: len(rooms)]
        return int(known[rooms[: len(known)] > 0].sum())

    def _put_far(self, slots: Integers) -> None:
        """Keep entries without a shadow apart; every search measures them."""
        end = self._n_far + len(slots)
        if end > len(self._far):
            self._far = _longer(self._far, 2 * end)
        self._far[self._n_far : end] = slots
        self._n_far = end
        self._tree.leaf_of[slots] = -1

    def _build(self, contexts: Floats, arrivals: Integers, arm: int, slots: Integers) -> None:
        shadows, longest = self._screen.shadows(contexts, slots)
        self._longest = max(self._longest, longest)
        far = np.isnan(shadows[:, 0])
        if far.any():
            self._put_far(slots[far])
            shadows, slots = shadows[~far], slots[~far]
        if len(slots):
            kernels.build(self._tree, contexts, arrivals, arm, shadows, slots)

    def _make(self, n_arms: int, n_leaves: int, n_nodes: int, capacity: int) -> None:
        width = self._screen.width
        edges = min(width, kernels.EDGES)
        self._tree = kernels.Tree(
            roots=np.full(n_arms, -1),
            lows=np.zeros((n_nodes, edges, LANES), np.float32),
            highs=np.zeros((n_nodes, edges, LANES), np.float32),
            children=np.zeros((n_nodes, LANES), np.int64),
            counts=np.zeros(n_nodes, np.int64),
            levels=np.zeros(n_nodes, np.int64),
            parents=np.zeros(n_nodes, np.int64),
            pages=np.zeros((n_leaves, width, LANES), np.float32),
            slots=np.zeros((n_leaves, LANES), np.int64),
            sizes=np.zeros(n_leaves, np.int64),
            owners=np.zeros(n_leaves, np.int64),
            same=np.zeros(n_leaves, np.bool_),
            leaf_of=np.zeros(capacity, np.int64),
            free_leaves=np.arange(n_leaves)[::-1].copy(),
            free_nodes=np.arange(n_nodes)[::-1].copy(),
            free=np.array([n_leaves, n_nodes]),
        )

    def _reserve(self, arm: int, capacity: int) -> None:
        """Make sure that one more entry of this arm, at any slot, finds what it needs."""
        tree = self._tree
        if arm >= len(tree.roots):
            self._tree = tree = tree._replace(roots=_longer(tree.roots, 2 * arm + 2, -1))
            self._counts = _longer(self._counts, 2 * arm + 2)
        if capacity > len(tree.leaf_of):
            self._tree = tree = tree._replace(leaf_of=_longer(tree.leaf_of, capacity))
        if tree.free[0] < SPARE:
            self._double(0, "free_leaves", "pages", "slots", "sizes", "owners", "same")
        if tree.free[1] < SPARE:
            self._double(
                1, "free_nodes", "lows", "highs", "children", "counts", "levels", "parents"
            )

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


def _longer(array: Array, length: int, fill: int = 0) -> Array:
    """A copy with more rows."""
    new = np.zeros((length, *array.shape[1:]), array.dtype)
    new[: len(array)] = array
    if fill:
        new[len(array) :] = fill
    return new
