"""Past observations, all or some of each arm, and a search for the nearest of them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from hybandit.estimators.index import AdaptiveIndex
from hybandit.estimators.limits import Limit
from hybandit.estimators.observations import Observations
from hybandit.estimators.retention import Retention
from hybandit.kernels.neighbours import Entries
from hybandit.state import Array, Floats, Part


class Memory(Part):
    """Stores observations, decides which to retain (`Retention`), and finds the nearest.

    Parameters
    ----------
    limit, horizon, generator
        What is kept, as for `Retention`.
    newest_first
        Whether the newer of two equally near observations counts as the nearer. Who sets it never
        asks for more than LANES neighbours (`hybandit.kernels.tree`).
    tree_from
        How many observations make a tree for the search. Default: where that begins to pay.

    Examples
    --------
    >>> from hybandit.estimators.index import Query
    >>> memory = Memory(n_features=1)
    >>> for position in (0.0, 1.0, 5.0):
    ...     memory.append(np.array([position]), arm=0, reward=position)
    >>> near = memory.index.nearest_of_each_arm(Query(np.array([[0.9]])), ks=np.array([2]))
    >>> memory.entries.rewards[near.indices[0]]
    array([1., 0.])
    """

    def __init__(
        self,
        n_features: int,
        *,
        limit: Limit | None = None,
        horizon: int | None = None,
        generator: np.random.Generator | None = None,
        newest_first: bool = False,
        tree_from: int | None = None,
    ) -> None:
        self.retention = Retention(limit, horizon, generator or np.random.default_rng(0))
        self.observations = Observations(n_features, newest_first=newest_first)
        self._tree_from = tree_from
        # A reservoir's observations leave in any order.
        self._thins = newest_first and (limit is None or limit.kind == "window")
        self._search_anew()

    @property
    def entries(self) -> Entries:
        """What is stored, slot by slot."""
        return self.observations.entries

    @property
    def arrived(self) -> int:
        """How many observations ever came."""
        return self.observations.arrived

    def append(self, context: Floats, arm: int, reward: float) -> None:
        welcome, leaving = self.retention.makes_room(arm)
        if leaving is not None:
            self._discard(leaving)
        if not welcome:
            self.observations.pass_by()
            return
        slot = self.observations.append(context, arm, reward)
        self.retention.keep(arm, slot)
        self.index.add(slot)

    def age(self, arm: int) -> None:
        """Make all observations of an arm one step older; the oldest may then be removed."""
        leaving = self.retention.age(arm)
        if leaving is not None:
            self._discard(leaving)

    def move(self, moved: Callable[[Floats], Floats]) -> None:
        """Replace every stored context by `moved` of it."""
        slots, contexts = self.observations.slots(), self.entries.contexts
        contexts[slots] = moved(contexts[slots])
        self._search_anew()

    def drop_arm(self, arm: int) -> None:
        """Forget all entries of an arm; the numbers of later arms decrease by one."""
        slots = self.observations.slots()
        kept = self.entries.owners[slots] != arm
        books = self.retention.state(slots)
        self.observations.drop_arm(arm)
        if self.retention.horizon is not None:
            books["stamps"] = books["stamps"][kept]
        for name in ("seen", "ages"):
            books[name] = np.delete(books[name], slice(arm, arm + 1))
        self.retention.restore(books, self.entries.owners[: self.observations.size])
        self._search_anew()

    def state(self) -> dict[str, Array]:
        return {**self.observations.state(), **self.retention.state(self.observations.slots())}

    def restore(self, arrays: dict[str, Array]) -> None:
        self.observations.restore(arrays)
        size = self.observations.size
        self.retention.restore(arrays, self.entries.owners[:size])
        self._search_anew()

    def check_owners(self, n_arms: int) -> None:
        """Raise an error for observations of arms that do not exist, as in a damaged file."""
        self.observations.check_owners(n_arms)
        self.retention.check_arms(n_arms)

    def _search_anew(self) -> None:
        self.index = AdaptiveIndex(self.observations, self._tree_from, thins=self._thins)

    def _discard(self, slot: int) -> None:
        self.index.discard(slot)
        self.observations.discard(slot)
