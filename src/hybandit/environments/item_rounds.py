"""Rounds among items: a decision to make, and its reward."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from hybandit.environments.rounds import FullRound, LoggedRound, Round
from hybandit.estimators.item_table import ItemId
from hybandit.state import Floats


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
