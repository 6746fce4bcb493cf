"""Storage of observations."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from hybandit.errors import ModelFileError
from hybandit.kernels.neighbours import Entries
from hybandit.state import COUNTS, INPUTS, Array, Integers, Part, fitting, with_room

FEWEST = 16


class Observations(Part):
    """(context, arm, reward) in slots of arrays that double when they are full.

    An observation keeps its slot until it is discarded; the slot is then free (owner -1)
    until another takes it. `size` counts the slots that were ever taken, `arrived` the
    observations that ever came, and ``entries.arrivals`` gives their order. With `newest_first`
    the newer of two equally near ones counts as the nearer, otherwise the older.

    Examples
    --------
    >>> observations = Observations(n_features=2)
    >>> observations.append(np.array([1.0, 0.0]), arm=0, reward=1.0)
    0
    >>> observations.entries.rewards[: observations.size]
    array([1.])
    """

    def __init__(
        self, n_features: int, dtype: npt.DTypeLike = np.float64, *, newest_first: bool = False
    ) -> None:
        self.n_features = n_features
        # Turns numbers from 0 upwards into numbers from -1 downwards, and back.
        self._turn = -1 if newest_first else 0
        self.size = 0
        # How many observations are stored now.
        self.held = 0
        self.arrived = 0
        contexts: Array = np.empty((FEWEST, n_features), dtype)
        owners, arrivals = np.empty(FEWEST, np.int64), np.empty(FEWEST, np.int64)
        self.entries = Entries(contexts, owners, np.empty(FEWEST), arrivals)
        self._free: list[int] = []

    def append(self, context: Array, arm: int, reward: float) -> int:
        """Store a new observation; returns its slot."""
        slot = self._free.pop() if self._free else self.size
        if slot == len(self.entries.owners):
            self._reserve(2 * slot)
        contexts, owners, rewards, arrivals = self.entries
        contexts[slot], owners[slot], rewards[slot] = context, arm, reward
        arrivals[slot] = self.arrived ^ self._turn
        self.arrived += 1
        self.held += 1
        self.size = max(self.size, slot + 1)
        return slot

    def pass_by(self) -> None:
        """Count an observation that came and is not kept."""
        self.arrived += 1

    def discard(self, slot: int) -> None:
        """Remove the observation in this slot; a new one may take the slot."""
        self.entries.owners[slot] = -1
        self._free.append(slot)
        self.held -= 1

    def slots(self) -> Integers:
        """The slots that are taken, oldest first."""
        if self.arrived == self.size and not self._free:
            return np.arange(self.size)
        taken = np.flatnonzero(self.entries.owners[: self.size] >= 0)
        order: Integers = taken[np.argsort(self.entries.arrivals[taken] ^ self._turn)]
        return order

    def state(self) -> dict[str, Array]:
        """The observations in order of arrival, whatever their slots."""
        whole = self.arrived == self.size and not self._free
        used = slice(self.size) if whole else self.slots()
        arrays: dict[str, Array] = {
            name: array[used] for name, array in self.entries._asdict().items()
        }
        arrays["arrivals"] = arrays["arrivals"] ^ self._turn
        return {**arrays, "arrived": np.array([self.arrived])}

    def restore(self, arrays: dict[str, Array]) -> None:
        dtype = self.entries.contexts.dtype
        contexts = fitting("contexts", arrays, dtype, (None, self.n_features), INPUTS)
        size = len(contexts)
        owners = fitting("owners", arrays, np.int64, (size,), COUNTS)
        rewards = fitting("rewards", arrays, np.float64, (size,), INPUTS)
        arrivals = fitting("arrivals", arrays, np.int64, (size,), COUNTS)
        arrived = int(fitting("arrived", arrays, np.int64, (1,), COUNTS)[0])
        ordered = np.concatenate([[-1], arrivals, [arrived]])
        if not (np.diff(ordered) > 0).all():
            raise ModelFileError("entries are not in order of arrival")
        self.entries = Entries(contexts, owners, rewards, arrivals ^ self._turn)
        self.size, self.held, self.arrived, self._free = size, size, arrived, []
        self._reserve(max(FEWEST, size))

    def drop_arm(self, arm: int) -> None:
        arrays = self.state()
        owners = arrays["owners"]
        kept = owners != arm
        arrays["owners"] = owners - (owners > arm)
        for name in Entries._fields:
            arrays[name] = arrays[name][kept]
        self.restore(arrays)

    def check_owners(self, n_arms: int) -> None:
        """Raise an error for observations of arms that do not exist, as in a damaged file."""
        owners = self.entries.owners[: self.size]
        if self.size and not 0 <= owners.min() <= owners.max() < n_arms:
            raise ModelFileError(f"there are entries of arms beyond the {n_arms}")

    def _reserve(self, capacity: int) -> None:
        self.entries = Entries(*(with_room(array, self.size, capacity) for array in self.entries))
