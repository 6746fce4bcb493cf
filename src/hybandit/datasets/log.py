"""What all logs of decisions have in common, in memory or not."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from hybandit.datasets.facts import Facts
from hybandit.state import Floats, Integers

if TYPE_CHECKING:
    from hybandit.datasets.contents import EventLog

# The events of a batch, and the numbers that one of its tables may have.
BATCH, MOST_NUMBERS = 65_536, 1 << 23
WHOLE = slice(0, None)


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
    def batches(self, rows: int = BATCH, part: slice = WHOLE) -> Iterator[Any]:
        """Logs in memory with this many events each, only the last with fewer.

        `part` are the events that are wanted, by their numbers.
        """

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


class ArmLog(Log):
    """A log whose choices are fixed arms."""

    @abstractmethod
    def sample(self, most: int) -> tuple[EventLog, Integers]:
        """At most so many events, drawn at random, in order, and their numbers in the log."""


def spans(count: int, rows: int, part: slice = WHOLE) -> Iterator[slice]:
    """Where the batches of so many events, or of a part of them, start and stop."""
    start, stop, _ = part.indices(count)
    for first in range(start, stop, rows):
        yield slice(first, min(first + rows, stop))


def within(pieces: Iterator[Any], first: int, part: slice) -> Iterator[Any]:
    """The events of a part, from logs one after the other; the first event has this number."""
    for piece in pieces:
        last = first + len(piece)
        if part.stop is not None and part.stop <= first:
            return
        if last > part.start:
            stop = last if part.stop is None else min(last, part.stop)
            yield piece.part(slice(max(part.start - first, 0), stop - first))
        first = last


def smallest(keys: Floats, most: int) -> Integers:
    """The places of so many of the smallest keys, in order."""
    if len(keys) <= most:
        return np.arange(len(keys))
    return np.sort(np.argpartition(keys, most)[:most])


def batch_rows(choices: int, width: int, most: int = BATCH) -> int:
    """How many events of so many arms and features a batch holds."""
    return max(min(most, MOST_NUMBERS // max(choices, width, 1)), 1)
