"""Which arms forget at an observation."""

from __future__ import annotations

import math
from typing import ClassVar

import numpy as np

from hybandit.errors import ModelFileError
from hybandit.state import Array, Part


class Fading(Part):
    """At an observation two arms forget: the arm that was played, and one other in turn.

    Everything that is known of these arms is weighted by a further factor of ``forget``.
    Because of the turns, arms that nobody plays are forgotten too, and a round costs the same
    for any number of arms. With ``forget=None`` nothing fades.

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
        """The number of fadings after which an observation counts at most half."""
        return None if self.forget is None else math.ceil(-1.0 / math.log2(self.forget))

    def arms(self, played: int) -> tuple[int, ...]:
        """The arms that fade now, the played one first."""
        if self.forget is None:
            return ()
        other = int(self.turn[0])
        self.turn[0] = (other + 1) % self.n_arms
        return (played,) if other == played else (played, other)

    def restore(self, arrays: dict[str, Array]) -> None:
        super().restore(arrays)
        if not 0 <= self.turn[0] < self.n_arms:
            raise ModelFileError(f"the turn is at an unknown arm, {self.turn[0]}")

    def add_arm(self) -> None:
        self.n_arms += 1

    def drop_arm(self, arm: int) -> None:
        """The turn stays with the same arm, or goes to the next if that one is dropped."""
        self.n_arms -= 1
        turn = int(self.turn[0])
        self.turn[0] = (turn - (turn > arm)) % self.n_arms
