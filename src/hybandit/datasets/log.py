"""What all logs of decisions have in common, in memory or not."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

from hybandit.datasets.facts import Facts

# The events of a batch, and the numbers that one of its tables may have.
BATCH, MOST_NUMBERS = 65_536, 1 << 23


class Log(ABC):
    """Logged decisions, in order, which are read a batch at a time and as often as is wanted.

    A log in memory is cut into batches. One that is not is read anew each time: see
    `hybandit.datasets.open_log`.
    """

    # Whether choices are among items, which differ from event to event, instead of fixed arms.
    of_items: ClassVar[bool] = False

    @abstractmethod
    def __len__(self) -> int:
        """How many events it has."""

    @abstractmethod
    def batches(self, rows: int = BATCH) -> Iterator[Any]:
        """Logs in memory with this many events each, only the last with fewer."""

    @property
    @abstractmethod
    def facts(self) -> Facts:
        """What was counted of all events."""

    @property
    @abstractmethod
    def sizes(self) -> tuple[int, int]:
        """What a policy is made for: arms and features; of a context and of an item for items."""

    @property
    @abstractmethod
    def has_propensities(self) -> bool:
        """Whether it knows how likely each choice was."""

    @property
    @abstractmethod
    def has_every_propensity(self) -> bool:
        """Whether it also knows how likely the others were."""

    @property
    @abstractmethod
    def choice_names(self) -> Sequence[str]:
        """The names of all choices, in the order of the facts."""

    @property
    @abstractmethod
    def unlogged_names(self) -> Sequence[str]:
        """The names of what could not have been chosen, at least at times."""


def spans(count: int, rows: int) -> Iterator[slice]:
    """Where the batches of so many events start and stop."""
    for start in range(0, count, rows):
        yield slice(start, min(start + rows, count))


def batch_rows(choices: int, width: int, most: int = BATCH) -> int:
    """How many events of so many arms and features a batch holds."""
    return max(min(most, MOST_NUMBERS // max(choices, width, 1)), 1)
