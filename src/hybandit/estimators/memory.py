"""Past observations, all of them or some of each arm, and the nearest of them."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

import numpy as np

from hybandit.errors import InvalidInput, ModelFileError
from hybandit.estimators.approximate import ApproximateIndex, graph_maker
from hybandit.estimators.blocks import Blocks
from hybandit.estimators.limits import Limit
from hybandit.estimators.tree import NeighbourTree
from hybandit.kernels import neighbours as kernels
from hybandit.state import Array, Floats, Integers, Stateful, fitting, with_room

# A tree pays from so many numbers to compare a query with, and from so many entries.
NUMBERS = 2**18
FEWEST, MOST = 256, 4096
# Where neighbours of all arms are asked for, whose scan is faster: from so many times as many,
# and from so many times the neighbours.
OF_ALL = 16
# It is made anew, with directions that suit more data, at four times the entries, up to here.
LAST_REFIT = 2**16


def index_from(n_features: int) -> int:
    """From how many entries on neighbours are found by a tree."""
    return min(MOST, max(FEWEST, NUMBERS // n_features))


@dataclass(frozen=True)
class Neighbours:
    """Each arm's nearest stored entries, nearest first, the older first among equals.

    ``distances[a, :found[a]]`` are squared distances, ``indices`` places in the memory.
    """

    distances: Floats
    indices: Integers
    found: Integers


def _empty(rows: int, room: int) -> Neighbours:
    return Neighbours(
        np.empty((rows, room)), np.empty((rows, room), np.int64), np.empty(rows, np.int64)
    )


class Memory(Stateful):
    """The log of (context, arm, reward), in slots of arrays that double when they are full.

    An entry keeps its slot until it is discarded; the slot then has owner -1 until another
    entry takes it. `size` slots have ever been taken. `arrivals` tells the order in which
    entries came, whatever their slots; `arrived` counts all that ever came.

    Parameters
    ----------
    limit
        How many entries of each arm to keep. None for all.
    horizon
        After how many times that its arm has aged an entry leaves. None for never.
    generator
        Where a reservoir's draws come from, one for each observation of a full arm.
    approximate
        Find neighbours by usearch, once there are many: fast anywhere, not always right.

    Examples
    --------
    >>> memory = Memory(n_features=1)
    >>> for position in (0.0, 1.0, 5.0):
    ...     memory.append(np.array([position]), arm=0, reward=position)
    >>> near = memory.nearest_of_each_arm(np.array([[0.9]]), rooms=np.array([2]))
    >>> memory.rewards[near.indices[0]]
    array([1., 0.])
    """

    def __init__(
        self,
        n_features: int,
        *,
        limit: Limit | None = None,
        horizon: int | None = None,
        generator: np.random.Generator | None = None,
        approximate: bool = False,
    ) -> None:
        if approximate:
            graph_maker()
        if limit and limit.kind == "reservoir" and horizon is not None:
            raise InvalidInput("memory", "window(M) or None where the past fades", limit.text)
        self.limit = limit
        self.horizon = horizon
        self.approximate = approximate
        # More entries than this no arm can have. None where nothing ever leaves.
        bounds = [limit.entries] if limit else []
        bounds += [horizon] if horizon else []
        self.most = min(bounds, default=None)
        self.size = 0
        self.arrived = 0
        self.contexts = np.empty((16, n_features))
        self.owners = np.empty(16, np.int64)
        self.rewards = np.empty(16)
        self.arrivals = np.empty(16, np.int64)
        # How often its arm had aged when an entry came.
        self.stamps = np.empty(0 if horizon is None else 16, np.int64)
        self._generator = generator or np.random.default_rng(0)
        self._free: list[int] = []
        # Of a memory that loses entries: each arm's slots, oldest first, how often it ever
        # came, and how often it has aged.
        self._held: list[deque[int]] = []
        self._seen: list[int] = []
        self._ages: list[int] = []
        # Of no use to who never asks for the nearest, so made when they first do.
        self._tree: NeighbourTree | ApproximateIndex | None = None
        self._blocks: Blocks | None = None
        self._make_tree_at = index_from(n_features)

    def append(self, context: Floats, arm: int, reward: float) -> None:
        self.arrived += 1
        if self.most is not None and not self._make_room(arm):
            return
        slot = self._free.pop() if self._free else self.size
        if slot == len(self.rewards):
            self._reserve(2 * slot)
        self.size = max(self.size, slot + 1)
        self.contexts[slot] = context
        self.owners[slot] = arm
        self.rewards[slot] = reward
        self.arrivals[slot] = self.arrived - 1
        if self.most is not None:
            self._held[arm].append(slot)
        if self.horizon is not None:
            self.stamps[slot] = self._ages[arm]
        self._follow(slot)

    def age(self, arm: int) -> None:
        """Make all entries of an arm one older: the oldest may then leave."""
        if self.horizon is None:
            return
        self._know(arm)
        self._ages[arm] += 1
        held = self._held[arm]
        if held and self._ages[arm] - self.stamps[held[0]] >= self.horizon:
            self.discard(held.popleft())

    def discard(self, slot: int) -> None:
        """Forget the entry in this slot, which the next one may take."""
        if self._tree is not None:
            self._tree.discard(int(self.owners[slot]), slot)
        if self._blocks is not None:
            self._blocks.discard(slot)
        self.owners[slot] = -1
        self._free.append(slot)

    def entries(self) -> Integers:
        """The slots that hold an entry, oldest first."""
        if self._nothing_left():
            return np.arange(self.size)
        taken = np.flatnonzero(self.owners[: self.size] >= 0)
        order: Integers = taken[np.argsort(self.arrivals[taken])]
        return order

    def nearest_of_each_arm(self, queries: Floats, rooms: Integers) -> Neighbours:
        """The ``rooms[a]`` entries of arm a nearest to its query.

        `queries` has one row for all arms or one for each.
        """
        near = _empty(len(rooms), max(1, int(rooms.max(initial=1))))
        out = (near.distances, near.indices, near.found)
        log = (self.contexts, self.owners, self.arrivals)
        self.prepare()
        if self._tree is None or not self._tree.search(*log, queries, rooms, *out):
            kernels.nearest_of_each_arm(*log, self.size, queries, rooms, *out)
        return near

    def prepare(self) -> None:
        """Make the tree that finds neighbours, if it pays by now and is not there."""
        if (
            self._tree is None
            and self.arrived >= self._make_tree_at
            and self.size - len(self._free) >= index_from(self.contexts.shape[1])
        ):
            self._make_tree()

    @property
    def indexed(self) -> bool:
        """Whether a tree finds the neighbours."""
        return self._tree is not None

    def nearest_of_all(self, queries: Floats, room: int) -> Neighbours:
        """The `room` entries nearest to each query, whatever arm they are of.

        Nearest first and the older first among equals, in a row for each query.
        """
        room = min(room, self.size)
        near = _empty(len(queries), room)
        out = (near.distances, near.indices, near.found)
        log = (self.contexts, self.owners, self.arrivals)
        # A tree's lists are sorted by insertion: not for long ones.
        short = self.size >= OF_ALL * room
        if short and self.size >= OF_ALL * index_from(queries.shape[1]):
            self.prepare()
        rooms = np.full(len(queries), room)
        tree = self._tree if short else None
        if tree is None or not tree.search(*log, queries, rooms, *out, together=True):
            self._look_at_all(queries, near)
        return near

    def merged(self, near: Neighbours, room: int) -> Neighbours:
        """The `room` nearest among all arms' nearest to one query, as `nearest_of_all`."""
        one = _empty(1, room)
        kernels.merge(
            near.distances, near.indices, near.found, self.arrivals,
            one.distances, one.indices, one.found,
        )  # fmt: skip
        return one

    def state(self) -> dict[str, Array]:
        """The entries in order of arrival: which slots they have is of no consequence."""
        used = slice(self.size) if self._nothing_left() else self.entries()
        return {
            "contexts": self.contexts[used],
            "owners": self.owners[used],
            "rewards": self.rewards[used],
            "arrivals": self.arrivals[used],
            "arrived": np.array([self.arrived]),
            "seen": np.array(self._seen, np.int64),
            "ages": np.array(self._ages, np.int64),
            "stamps": self.stamps[used] if len(self.stamps) else self.stamps,
        }

    def restore(self, arrays: dict[str, Array]) -> None:
        contexts = fitting("contexts", arrays, np.float64, (None, self.contexts.shape[1]))
        size = len(contexts)
        self.owners = fitting("owners", arrays, np.int64, (size,))
        self.rewards = fitting("rewards", arrays, np.float64, (size,))
        self.arrivals = fitting("arrivals", arrays, np.int64, (size,))
        self.arrived = int(fitting("arrived", arrays, np.int64, (1,))[0])
        self._seen = fitting("seen", arrays, np.int64, (None,)).tolist()
        self._ages = fitting("ages", arrays, np.int64, (len(self._seen),)).tolist()
        self.stamps = fitting("stamps", arrays, np.int64, (size if self.horizon else 0,))
        self.contexts = contexts
        self.size = size
        self._free = []
        self._check_order()
        self._held = self._slots_of_each_arm()
        self._tree = self._blocks = None
        self._make_tree_at = index_from(self.contexts.shape[1])
        if size < 16:
            self._reserve(16)

    def check_owners(self, n_arms: int) -> None:
        """Refuse entries of arms that do not exist, as only a damaged file can bring them."""
        owners = self.owners[: self.size]
        inside = not self.size or 0 <= owners.min() <= owners.max() < n_arms
        if not inside or len(self._seen) > n_arms:
            raise ModelFileError(f"the model file has entries of arms beyond its {n_arms}")

    def _know(self, arm: int) -> None:
        """Begin to keep the books of an arm, and of those before it."""
        while arm >= len(self._held):
            self._held.append(deque())
            self._seen.append(0)
            self._ages.append(0)

    def _make_room(self, arm: int) -> bool:
        """Whether the arm takes one more entry, for which a full one gives up another."""
        self._know(arm)
        self._seen[arm] += 1
        held, limit = self._held[arm], self.limit
        if limit is None or len(held) < limit.entries:
            return True
        place = 0
        if limit.kind == "reservoir":
            place = int(self._generator.integers(self._seen[arm]))
            if place >= limit.entries:
                return False
        self.discard(held[place])
        del held[place]
        return True

    def _nothing_left(self) -> bool:
        """Whether all that ever came is here: slots are then in order of arrival."""
        return self.arrived == self.size and not self._free

    def _check_order(self) -> None:
        """Refuse an order of arrival that only a damaged file can bring."""
        arrivals = self.arrivals
        if len(arrivals) and not (
            arrivals[0] >= 0 and arrivals[-1] < self.arrived and (np.diff(arrivals) > 0).all()
        ):
            raise ModelFileError("the model file has entries that are not in order of arrival")

    def _slots_of_each_arm(self) -> list[deque[int]]:
        """What `_held` is when every slot is taken, in order of arrival."""
        held: list[deque[int]] = [deque() for _ in self._seen]
        most = self.most
        if most is None:
            return held
        for slot, arm in enumerate(self.owners.tolist()):
            if not 0 <= arm < len(held) or len(held[arm]) == min(self._seen[arm], most):
                raise ModelFileError(f"the model file has too many entries of arm {arm}")
            held[arm].append(slot)
        return held

    def _reserve(self, capacity: int) -> None:
        self.contexts = with_room(self.contexts, self.size, capacity)
        self.owners = with_room(self.owners, self.size, capacity)
        self.rewards = with_room(self.rewards, self.size, capacity)
        self.arrivals = with_room(self.arrivals, self.size, capacity)
        if self.horizon is not None:
            self.stamps = with_room(self.stamps, self.size, capacity)

    def _look_at_all(self, queries: Floats, near: Neighbours) -> None:
        blocks = self._blocks
        if blocks is None:
            blocks = self._blocks = Blocks(self.contexts, self.entries())
        out = (near.distances, near.indices, near.found)
        if blocks.search(self.contexts, self.arrivals, self.size, queries, *out):
            return
        slots = self.entries()
        near.found[:] = room = min(len(slots), near.indices.shape[1])
        squares = np.empty(self.size)
        for row in range(len(queries)):
            kernels.all_distances(self.contexts, queries[row : row + 1], squares)
            order = slots[np.argsort(squares[slots], kind="stable")[:room]]
            near.indices[row, :room], near.distances[row, :room] = order, squares[order]

    def _follow(self, slot: int) -> None:
        """Keep blocks and tree in step with a new entry."""
        if self._blocks is not None:
            self._blocks.put(self.contexts, slot)
        tree = self._tree
        if tree is None:
            return
        tree.add(self.contexts, self.arrivals, int(self.owners[slot]), slot)
        if tree.outgrown:
            self._tree = None
            self._make_tree_at = self.arrived + self.arrived // 2
        elif self.arrived >= self._make_tree_at and tree.size <= LAST_REFIT:
            self._make_tree()

    def _make_tree(self) -> None:
        index = ApproximateIndex if self.approximate else NeighbourTree
        self._tree = index(self.contexts, self.owners, self.arrivals, self.entries())
        self._blocks = None
        self._make_tree_at = 4 * self.arrived
