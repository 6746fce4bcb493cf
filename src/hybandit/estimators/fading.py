"""How the past fades."""

from __future__ import annotations

import math
from typing import ClassVar

import numpy as np

from hybandit.errors import ModelFileError
from hybandit.state import Array, Stateful


class Fading(Stateful):
    """Whose past loses weight at an observation: the played arm's, and one other's in turn.

    Each time all that is known of these arms counts ``forget`` times what it did. By turns
    an arm that nobody plays is forgotten too, and a round costs the same however many arms
    there are. With ``forget=None`` nothing fades.

    Examples
    --------
    >>> fading = Fading(n_arms=3, forget=0.998)
    >>> [fading.arms(played=1) for _ in range(3)]
    [(1, 0), (1,), (1, 2)]
    >>> fading.half_life
    347
    """

    _arrays: ClassVar = ("turn",)

    def __init__(self, n_arms: int, forget: float | None) -> None:
        self.n_arms = n_arms
        self.forget = forget
        self.turn = np.zeros(1, np.int64)

    @property
    def half_life(self) -> int | None:
        """After how many fadings an observation counts at most half."""
        return None if self.forget is None else math.ceil(-1.0 / math.log2(self.forget))

    def arms(self, played: int) -> tuple[int, ...]:
        """Those that fade now, the played one first."""
        if self.forget is None:
            return ()
        other = int(self.turn[0])
        self.turn[0] = (other + 1) % self.n_arms
        return (played,) if other == played else (played, other)

    def restore(self, arrays: dict[str, Array]) -> None:
        super().restore(arrays)
        if not 0 <= self.turn[0] < self.n_arms:
            raise ModelFileError(f"the model file gives the turn to arm {self.turn[0]}")

    def add_arm(self) -> None:
        self.n_arms += 1

    def drop_arm(self, arm: int) -> None:
        """The turn stays with whom it was, or goes to the next."""
        self.n_arms -= 1
        turn = int(self.turn[0])
        self.turn[0] = (turn - (turn > arm)) % self.n_arms
