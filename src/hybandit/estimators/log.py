"""What has been observed, in the order it came."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from hybandit.errors import ModelFileError
from hybandit.state import Array, Stateful, fitting, with_room


class Log(Stateful):
    """(context, arm, reward) in arrays that double when they are full.

    Examples
    --------
    >>> log = Log(n_features=2)
    >>> log.append(np.array([1.0, 0.0]), arm=0, reward=1.0)
    >>> log.size
    1
    """

    def __init__(self, n_features: int, dtype: npt.DTypeLike = np.float64) -> None:
        self.size = 0
        self.contexts: Array = np.empty((16, n_features), dtype)
        self.owners = np.empty(16, np.int64)
        self.rewards = np.empty(16)

    def append(self, context: Array, arm: int, reward: float) -> None:
        if self.size == len(self.rewards):
            self._reserve(2 * self.size)
        self.contexts[self.size] = context
        self.owners[self.size] = arm
        self.rewards[self.size] = reward
        self.size += 1

    def state(self) -> dict[str, Array]:
        used = slice(self.size)
        return {
            "contexts": self.contexts[used],
            "owners": self.owners[used],
            "rewards": self.rewards[used],
        }

    def restore(self, arrays: dict[str, Array]) -> None:
        width = self.contexts.shape[1]
        contexts = fitting("contexts", arrays, self.contexts.dtype, (None, width))
        size = len(contexts)
        self.owners = fitting("owners", arrays, np.int64, (size,))
        self.rewards = fitting("rewards", arrays, np.float64, (size,))
        self.contexts = contexts
        self.size = size
        self._reserve(max(16, size))

    def check_owners(self, n_arms: int) -> None:
        """Refuse entries of arms that do not exist, as only a damaged file can bring them."""
        owners = self.owners[: self.size]
        if self.size and not 0 <= owners.min() <= owners.max() < n_arms:
            raise ModelFileError(f"the model file has entries of arms beyond its {n_arms}")

    def _reserve(self, capacity: int) -> None:
        self.contexts = with_room(self.contexts, self.size, capacity)
        self.owners = with_room(self.owners, self.size, capacity)
        self.rewards = with_room(self.rewards, self.size, capacity)
