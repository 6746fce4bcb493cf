"""Rounds: a decision to make among arms or items, and its reward."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from hybandit.errors import InvalidInput, Unquoted
from hybandit.estimators.item_table import ItemId
from hybandit.state import Floats

# What a round among items has besides.
ITEM_PARTS = ("items", "ids", "delay")


class Round(Protocol):
    """A context, the reward of the chosen arm, and the best reward that was possible."""

    @property
    def context(self) -> Floats: ...

    @property
    def best(self) -> float | None:
        """The largest expected reward of this round, or None if it is unknown."""
        ...

    def reward(self, arm: int) -> float | None:
        """The reward of the arm, or None if the log does not contain it."""
        ...

    def expected(self, arm: int) -> float | None:
        """The expected reward of the arm, for regret; None if it is unknown."""
        ...


class Environment(Protocol):
    """Rounds for a `for` loop; each loop starts again from the seed."""

    @property
    def n_arms(self) -> int: ...
    @property
    def n_features(self) -> int: ...
    def __iter__(self) -> Iterator[Round]: ...
    def __len__(self) -> int:
        """The largest possible number of rounds."""
        ...


@dataclass(frozen=True)
class FullRound:
    """A round in which all rewards are known. `means` are the rewards without noise.

    Examples
    --------
    >>> import numpy as np
    >>> turn = FullRound(np.ones(2), rewards=np.array([1.0, 0.0]), means=np.array([0.2, 0.3]))
    >>> turn.reward(0), turn.best
    (1.0, 0.3)
    """

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
    """A round in which only the reward of the logged arm is known.

    Examples
    --------
    >>> import numpy as np
    >>> turn = LoggedRound(np.ones(2), logged_arm=1, logged_reward=0.5)
    >>> turn.reward(0), turn.reward(1)
    (None, 0.5)
    """

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


class ItemRound(Round, Protocol):
    """A round whose arms are candidates: places in `items` and `ids`."""

    @property
    def items(self) -> Floats:
        """(n, n_item): the features of each candidate."""
        ...

    @property
    def ids(self) -> Sequence[ItemId]: ...

    @property
    def delay(self) -> int:
        """The number of rounds until the reward is known; 0 for immediately."""
        ...


class ItemEnvironment(Protocol):
    """Rounds for a `for` loop; each loop starts again from the seed."""

    @property
    def n_context(self) -> int: ...
    @property
    def n_item(self) -> int: ...
    def __iter__(self) -> Iterator[ItemRound]: ...
    def __len__(self) -> int:
        """The largest possible number of rounds."""
        ...


@dataclass(frozen=True, kw_only=True)
class FullItemRound(FullRound):
    """A round among items in which all rewards are known."""

    items: Floats
    ids: Sequence[ItemId]
    delay: int = 0


@dataclass(kw_only=True)
class LoggedItemRound(LoggedRound):
    """A round among items in which only the reward of the logged item is known."""

    items: Floats
    ids: Sequence[ItemId]
    delay: int = 0


def is_of_items(environment: object) -> bool:
    """Whether an environment offers items, by what says how long their vectors are."""
    return hasattr(environment, "n_context") or hasattr(environment, "n_item")


def sizes_of(environment: Any) -> tuple[int, int]:
    """How many arms and features there are; of items, the lengths of a context and of an item."""
    if is_of_items(environment):
        return environment.n_context, environment.n_item
    return environment.n_arms, environment.n_features


def check_environment(environment: object) -> None:
    """Refuse what lacks something that an environment, of arms or of items, has."""
    sizes = ("n_context", "n_item") if is_of_items(environment) else ("n_arms", "n_features")
    parts = (*sizes, "__iter__", "__len__")
    missing = [name for name in parts if not hasattr(environment, name)]
    if missing:
        rule = (
            "with `n_arms` and `n_features`, or `n_context` and `n_item`, `__len__`, and "
            "`__iter__`, which yields rounds"
        )
        raise InvalidInput("environment", rule, _lacking(environment, missing))


def check_round(turn: object, *, of_items: bool) -> None:
    """Refuse what lacks something that a round has."""
    parts = ("context", "best", "reward", "expected", *(ITEM_PARTS if of_items else ()))
    missing = [name for name in parts if not hasattr(turn, name)]
    if missing:
        kind, more = ("Item", ", `items`, `ids`, `delay`") if of_items else ("", "")
        rule = (
            f"an environment whose rounds have `context`{more}, `best`, `reward(arm)` and "
            f"`expected(arm)`, as hybandit.environments.Full{kind}Round has"
        )
        raise InvalidInput("environment", rule, _lacking(turn, missing))


def _lacking(found: object, missing: Sequence[str]) -> Unquoted:
    return Unquoted(f"{type(found).__name__} without {' and '.join(missing)}")
