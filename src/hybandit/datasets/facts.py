"""What is counted of a log while it goes by, in memory that does not grow with its events."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy

import numpy as np

from hybandit.state import Floats, Integers

# The most parts that a log is cut into, to compare its first half with its second.
PARTS = 2048
# The same for the counts of its choices, of which there may be many.
PARTS_OF_CHOICES = 256
# A choice counts as a likely one of an event from this probability on.
LIKELY = 0.02


class Facts:
    """Counts and sums over the events of a log, by choice and along the way.

    Choices are numbers from 0; a log may turn out to have more of them at any time.

    Examples
    --------
    >>> facts = Facts()
    >>> facts.add(np.array([0, 1, 1]), np.array([1.0, 0.0, 1.0]), np.full(3, 0.5))
    >>> facts.count, facts.rewards, facts.chosen.tolist()
    (3, (0.0, 1.0), [1.0, 2.0])
    >>> facts.by_choice().tolist()
    [1.0, 0.5]
    """

    def __init__(self, choices: int = 0) -> None:
        self.count = 0
        self.rewards = np.inf, -np.inf
        self.propensities = np.inf, -np.inf
        # How many events were left to chance.
        self.chance = 0.0
        # By choice: events that made it, events that offered it (all, if None), their rewards,
        # and sums over those that made it of 1 / propensity, its square, and reward / propensity.
        self.chosen = np.zeros(0)
        self.offered: Floats | None = None
        self.paid = np.zeros(0)
        self.inverse = np.zeros((3, 0))
        # By choice, over the events where it was a likely one, if all probabilities are known: how
        # many, the sum of 1 / probability, and the same over those that made it.
        self.likely: Floats | None = None
        # Along the log: events, rewards and their squares, less the first reward.
        self._along = Parts(3, PARTS)
        self._choices = Parts(0, PARTS_OF_CHOICES)
        self._origin = 0.0
        self._widen(choices)

    @property
    def mean_reward(self) -> float:
        return self._origin + float(self._along.sums[1].sum()) / self.count

    def add(
        self,
        choices: Integers,
        rewards: Floats,
        propensities: Floats | None,
        offered: Integers | None = None,
        chances: Floats | None = None,
    ) -> None:
        """Add consecutive events.

        `offered` are the choices that any of them had; None: all had all. `chances` are the
        probabilities of these, one after the other.
        """
        if not self.count:
            self._origin = float(rewards[0])
        self._widen(int(max(each.max() for each in (choices, offered) if each is not None)) + 1)
        self.chosen += np.bincount(choices, minlength=len(self.chosen))
        if offered is not None:
            known = np.zeros(len(self.chosen)) if self.offered is None else self.offered
            self.offered = known + np.bincount(offered, minlength=len(known))
        self.paid += np.bincount(choices, rewards, minlength=len(self.paid))
        self.rewards = _joined(self.rewards, rewards)
        if propensities is not None:
            self.propensities = _joined(self.propensities, propensities)
            self.chance += float((1.0 - propensities).sum())
            inverse = 1.0 / propensities
            columns = inverse, inverse**2, rewards * inverse
            width = len(self.chosen)
            self.inverse += [np.bincount(choices, each, minlength=width) for each in columns]
            if chances is not None:
                self._add_likely(choices, propensities, offered, chances)
        moved = rewards - self._origin
        self._along.add(self.count, np.stack([np.ones(len(moved)), moved, moved * moved]))
        if offered is None:
            self._choices.count(self.count, choices)
        self.count += len(rewards)

    def by_choice(self) -> Floats:
        """What each choice alone would have paid on average; NaN for one never made.

        Self-normalised by the propensities if these are known, else the mean of its rewards.
        """
        with np.errstate(invalid="ignore", divide="ignore"):
            known = self.inverse.any()
            values: Floats = self.inverse[2] / self.inverse[0] if known else self.paid / self.chosen
            return values

    def reordered(self, order: Sequence[int]) -> Facts:
        """The same, with the choices in this order."""
        facts = copy(self)
        facts.chosen, facts.paid = self.chosen[order], self.paid[order]
        facts.inverse = self.inverse[:, order]
        facts.offered = None if self.offered is None else self.offered[order]
        facts.likely = None if self.likely is None else self.likely[:, order]
        facts._choices = copy(self._choices)
        facts._choices.sums = self._choices.sums[order]
        return facts

    def halves(self) -> tuple[Floats, Floats]:
        """Events, mean rewards and their variances: (3,) of the first half and of the second."""
        first, second = self._along.halves()
        return self._of_half(first), self._of_half(second)

    def choices_in_halves(self) -> tuple[Floats, Floats]:
        """How many events made each choice, in the first half and in the second."""
        return self._choices.halves()

    def _add_likely(
        self, choices: Integers, propensities: Floats, offered: Integers | None, chances: Floats
    ) -> None:
        width = len(self.chosen)
        if offered is None:
            offered = np.tile(np.arange(width), len(choices))
        likely, made = chances >= LIKELY, propensities >= LIKELY
        known = np.zeros((3, width)) if self.likely is None else self.likely
        columns = (
            np.bincount(offered[likely], minlength=width),
            np.bincount(offered[likely], 1.0 / chances[likely], minlength=width),
            np.bincount(choices[made], 1.0 / propensities[made], minlength=width),
        )
        self.likely = known + np.array(columns)

    def _of_half(self, sums: Floats) -> Floats:
        events, rewards, squares = sums.tolist()
        mean = rewards / events
        return np.array([events, self._origin + mean, max(squares / events - mean * mean, 0.0)])

    def _widen(self, width: int) -> None:
        more = max(width - len(self.chosen), 0)
        self.chosen = np.pad(self.chosen, (0, more))
        self.paid = np.pad(self.paid, (0, more))
        self.inverse = np.pad(self.inverse, ((0, 0), (0, more)))
        if self.offered is not None:
            self.offered = np.pad(self.offered, (0, more))
        if self.likely is not None:
            self.likely = np.pad(self.likely, ((0, 0), (0, more)))
        self._choices.sums = np.pad(self._choices.sums, ((0, more), (0, 0)))


class Parts:
    """Sums over parts of a log of unknown length: as it grows, two parts become one."""

    def __init__(self, width: int, most: int) -> None:
        self.size = 1
        self.sums = np.zeros((width, most))
        self._events = 0

    def add(self, first: int, values: Floats) -> None:
        """Add values, (width, events), of which the first has this number."""
        low = self._room(first, values.shape[1])
        starts = np.maximum(np.arange(low, self._last + 1) * self.size - first, 0)
        self.sums[:, low : self._last + 1] += np.add.reduceat(values, starts, axis=1)

    def count(self, first: int, choices: Integers) -> None:
        """Add 1 for each choice."""
        low = self._room(first, len(choices))
        width, parts = len(self.sums), self._last + 1 - low
        places = (first + np.arange(len(choices))) // self.size - low
        counted = np.bincount(choices * parts + places, minlength=width * parts)
        self.sums[:, low : self._last + 1] += counted.reshape(width, parts)

    def halves(self) -> tuple[Floats, Floats]:
        half = round(self._events / 2 / self.size)
        return self.sums[:, :half].sum(axis=1), self.sums[:, half:].sum(axis=1)

    @property
    def _last(self) -> int:
        return (self._events - 1) // self.size

    def _room(self, first: int, count: int) -> int:
        """Make the parts so large that these events fit too; returns the first one's part."""
        self._events = first + count
        width, most = self.sums.shape
        while self._events > most * self.size:
            joined = self.sums.reshape(width, most // 2, 2).sum(axis=2)
            self.sums = np.pad(joined, ((0, 0), (0, most // 2)))
            self.size *= 2
        return first // self.size


def _joined(known: tuple[float, float], values: Floats) -> tuple[float, float]:
    return min(known[0], float(values.min())), max(known[1], float(values.max()))
