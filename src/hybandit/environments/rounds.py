"""One decision to make, and what came of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from hybandit.state import Floats


class Round(Protocol):
    """A context, the reward of the arm that is chosen, and the best there was."""

    @property
    def context(self) -> Floats: ...

    @property
    def best(self) -> float | None:
        """The largest expected reward of this round, or None where nobody can know."""
        ...

    def reward(self, arm: int) -> float | None:
        """What the arm pays, or None where the log cannot say."""
        ...

    def expected(self, arm: int) -> float | None:
        """What the arm pays on average, for regret; None where nobody can know."""
        ...


class Environment(Protocol):
    """Rounds for a `for` loop; each loop starts again from the seed."""

    @property
    def n_arms(self) -> int: ...
    @property
    def n_features(self) -> int: ...
    def __iter__(self) -> Iterator[Round]: ...
    def __len__(self) -> int:
        """How many rounds at the most."""
        ...


@dataclass(frozen=True)
class FullRound:
    """A round whose every reward is known. `means` are the rewards without their noise."""

    context: Floats
    rewards: Floats
    means: Floats | None = None

    @property
    def best(self) -> float:
        return float((self.rewards if self.means is None else self.means).max())

    def reward(self, arm: int) -> float:
        return float(self.rewards[arm])

    def expected(self, arm: int) -> float:
        return float((self.rewards if self.means is None else self.means)[arm])


@dataclass
class LoggedRound:
    """A round of which only the logged arm's reward is known."""

    context: Floats
    logged_arm: int
    logged_reward: float
    matched: bool = False
    best: None = None

    def reward(self, arm: int) -> float | None:
        self.matched = arm == self.logged_arm
        return self.logged_reward if self.matched else None

    def expected(self, arm: int) -> None:
        return None
