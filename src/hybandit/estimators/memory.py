"""Every observation so far, and the nearest of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hybandit.errors import ModelFileError
from hybandit.estimators.screen import DIRECTIONS, LONGEST, Screen, Singles
from hybandit.kernels import neighbours as kernels
from hybandit.state import Array, Floats, Integers, Stateful, fitting

# A screen pays for vectors much longer than their shadows, once there is something to skip.
SCREEN_FROM_FEATURES = 2 * (DIRECTIONS + 1)
SCREEN_FROM_SIZE = 256
# Single precision leaves a shadow's distance this uncertain, relative to the vectors' lengths.
SHADOW_ERROR = 1e-5


@dataclass(frozen=True)
class Neighbours:
    """Each arm's nearest stored entries, nearest first, the older first among equals.

    ``distances[a, :found[a]]`` are squared distances, ``indices`` places in the memory.
    """

    distances: Floats
    indices: Integers
    found: Integers


class Memory(Stateful):
    """The log of (context, arm, reward), in arrays that double when they are full.

    Examples
    --------
    >>> memory = Memory(n_features=1)
    >>> for position in (0.0, 1.0, 5.0):
    ...     memory.append(np.array([position]), arm=0, reward=position)
    >>> near = memory.nearest_of_each_arm(np.array([[0.9]]), rooms=np.array([2]))
    >>> memory.rewards[near.indices[0]]
    array([1., 0.])
    """

    def __init__(self, n_features: int) -> None:
        self.size = 0
        self.contexts = np.empty((16, n_features))
        self.owners = np.empty(16, np.int64)
        self.rewards = np.empty(16)
        self._screen: Screen | None = None
        self._fit_screen_at = SCREEN_FROM_SIZE
        self._longest = 0.0
        self._shadows: Singles = np.empty((0, DIRECTIONS + 1), np.float32)

    def append(self, context: Floats, arm: int, reward: float) -> None:
        if self.size == len(self.rewards):
            self._reserve(2 * self.size)
        self.contexts[self.size] = context
        self.owners[self.size] = arm
        self.rewards[self.size] = reward
        self.size += 1
        self._follow(context)

    def nearest_of_each_arm(self, queries: Floats, rooms: Integers) -> Neighbours:
        """The ``rooms[a]`` entries of arm a nearest to its query.

        `queries` has one row for all arms or one for each.
        """
        shape = (len(rooms), max(1, int(rooms.max(initial=1))))
        near = Neighbours(
            np.empty(shape), np.empty(shape, np.int64), np.empty(len(rooms), np.int64)
        )
        self._search(queries, rooms, near)
        return near

    def distances(self, query: Floats) -> Floats:
        """Squared distance of every entry to one query (1, d), in order of arrival."""
        squares = np.empty(self.size)
        kernels.all_distances(self.contexts, query, squares)
        return squares

    def state(self) -> dict[str, Array]:
        used = slice(self.size)
        return {
            "contexts": self.contexts[used],
            "owners": self.owners[used],
            "rewards": self.rewards[used],
        }

    def restore(self, arrays: dict[str, Array]) -> None:
        contexts = fitting("contexts", arrays, np.float64, (None, self.contexts.shape[1]))
        size = len(contexts)
        self.owners = fitting("owners", arrays, np.int64, (size,))
        self.rewards = fitting("rewards", arrays, np.float64, (size,))
        self.contexts = contexts
        self.size = size
        self._screen = None
        self._reserve(max(16, size))
        if size >= SCREEN_FROM_SIZE:
            self._fit_screen()

    def check_owners(self, n_arms: int) -> None:
        """Refuse entries of arms that do not exist, as only a damaged file can bring them."""
        owners = self.owners[: self.size]
        if self.size and not 0 <= owners.min() <= owners.max() < n_arms:
            raise ModelFileError(f"the model file has entries of arms beyond its {n_arms}")

    def _reserve(self, capacity: int) -> None:
        def moved(old: Array) -> Array:
            new = np.empty((capacity, *old.shape[1:]), old.dtype)
            new[: self.size] = old[: self.size]
            return new

        self.contexts = moved(self.contexts)
        self.owners = moved(self.owners)
        self.rewards = moved(self.rewards)
        if self._screen is not None:
            self._shadows = moved(self._shadows)

    def _search(self, queries: Floats, rooms: Integers, near: Neighbours) -> None:
        out = (near.distances, near.indices, near.found)
        if self._screen is not None:
            shadows, longest = self._screen.shadows(queries)
            if longest <= LONGEST:
                slack = SHADOW_ERROR * (self._longest + longest)
                kernels.screened_nearest_of_each_arm(
                    self.contexts, self.owners, self.size, queries, rooms,
                    self._shadows, shadows, slack, *out,
                )  # fmt: skip
                return
        kernels.nearest_of_each_arm(self.contexts, self.owners, self.size, queries, rooms, *out)

    def _follow(self, context: Floats) -> None:
        """Keep the shadows in step with a new entry."""
        if self.size >= self._fit_screen_at:
            self._fit_screen()
        elif self._screen is not None:
            shadows, longest = self._screen.shadows(context[None])
            self._shadows[self.size - 1] = shadows[0]
            self._longest = max(self._longest, longest)
            if longest > LONGEST:
                self._screen = None

    def _fit_screen(self) -> None:
        used = self.contexts[: self.size]
        self._screen = None
        self._fit_screen_at = 4 * self.size
        if used.shape[1] < SCREEN_FROM_FEATURES or np.abs(used).max() > LONGEST:
            return
        self._screen = Screen(used)
        self._shadows = np.empty((len(self.rewards), DIRECTIONS + 1), np.float32)
        self._shadows[: self.size], self._longest = self._screen.shadows(used)
        if self._longest > LONGEST:
            self._screen = None
