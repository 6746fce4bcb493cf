"""What a loop did over time, in a bounded number of stretches."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import astuple, dataclass, field
from typing import Any

from hybandit.loop.counts.status import MeanInterval
from hybandit.loop.counts.verdict import GainEvidence
from hybandit.loop.storage.contract import ClosedEvent

# At most so many stretches; with one more, two become one. The first are this short, in seconds.
MOST, SHORTEST = 240, 1.0
# In each stretch so many actions are told apart; with one more, half of them: those shown most.
MOST_NAMES = 50


@dataclass
class Stretch:
    """What happened from `start` on; the others follow it in the order in which they are stored.

    `decided` decisions, of which `shown` were for these actions. Of the `closed` events and their
    rewards: how many `tried` something else than the model's favourite, and the rewards of the
    control group, each with one by the probability of the baseline as its weight. At its end, the
    gain over the baseline and its interval.
    """

    start: float
    decided: int = 0
    closed: int = 0
    total: float = 0.0
    squares: float = 0.0
    tried: int = 0
    control_weight: float = 0.0
    control_total: float = 0.0
    gain: float | None = None
    low: float | None = None
    high: float | None = None
    shown: dict[str, int] = field(default_factory=dict)

    @property
    def reward(self) -> MeanInterval:
        return MeanInterval.of(self.closed, self.total, self.squares)

    @property
    def control(self) -> float | None:
        """The mean reward of the control group."""
        return self.control_total / self.control_weight if self.control_weight else None

    @property
    def exploring(self) -> float | None:
        """The share of decisions for something else than the model's favourite."""
        return self.tried / self.closed if self.closed else None

    def add(self, later: Stretch) -> None:
        """Become one with the stretch that follows."""
        self.decided += later.decided
        self.closed += later.closed
        self.total += later.total
        self.squares += later.squares
        self.tried += later.tried
        self.control_weight += later.control_weight
        self.control_total += later.control_total
        if later.gain is not None:
            self.gain, self.low, self.high = later.gain, later.low, later.high
        for name, count in later.shown.items():
            self.shown[name] = self.shown.get(name, 0) + count
        self.keep_names()

    def keep_names(self) -> None:
        """Tell apart only the actions that were shown most, if there are too many."""
        if len(self.shown) > MOST_NAMES:
            order = sorted(self.shown.items(), key=lambda pair: (-pair[1], pair[0]))
            self.shown = dict(order[: MOST_NAMES // 2])


class History:
    """Stretches of equal length, kept up in constant time for each event.

    Examples
    --------
    >>> history = History()
    >>> for second in range(1000):
    ...     history.decided("a", 1.7e9 + second)
    >>> len(history.stretches), history.seconds
    (125, 8.0)
    """

    def __init__(self) -> None:
        self.seconds = SHORTEST
        # By when they start, in their length.
        self._places: dict[int, Stretch] = {}
        self._closing: int | None = None

    @property
    def stretches(self) -> list[Stretch]:
        """All in which there was anything, in order."""
        return [self._places[place] for place in sorted(self._places)]

    def decided(self, name: str, at: float) -> None:
        """Count a decision."""
        place = self._place(at)
        stretch = self._places[place]
        stretch.decided += 1
        stretch.shown[name] = stretch.shown.get(name, 0) + 1
        stretch.keep_names()

    def closed(
        self, event: ClosedEvent, evidence: GainEvidence, reward_range: tuple[float, float] | None
    ) -> None:
        """Count an event that has closed, before `evidence` takes it."""
        place = self._place(event.at)
        if self._closing is not None and place > self._closing:
            before = self._places[self._closing]
            found = evidence.verdict(reward_range=reward_range)
            before.gain, before.low, before.high = found.gain, found.low, found.high
        self._closing = place
        stretch = self._places[place]
        stretch.closed += 1
        stretch.total += event.reward
        stretch.squares += event.reward**2
        stretch.tried += not event.agreed
        if event.served and 0.0 < event.chance < 1.0:
            stretch.control_weight += 1.0 / event.chance
            stretch.control_total += event.reward / event.chance

    def _place(self, at: float) -> int:
        """Where the stretch of a moment is; it is made if it is not there."""
        place = math.floor(at / self.seconds)
        if place not in self._places:
            self._places[place] = Stretch(place * self.seconds)
            if len(self._places) > MOST:
                self._lengthen()
                return self._place(at)
        return place

    def _lengthen(self) -> None:
        """Let stretches be twice as long, until there are few enough."""
        while len(self._places) > MOST:
            self.seconds *= 2.0
            longer: dict[int, Stretch] = {}
            for place in sorted(self._places):
                stretch, there = self._places[place], longer.get(place // 2)
                if there is None:
                    stretch.start = place // 2 * self.seconds
                    longer[place // 2] = stretch
                else:
                    there.add(stretch)
            self._places = longer
            if self._closing is not None:
                self._closing //= 2

    # On disk

    def state(self) -> list[Any]:
        """All of it, in a form for JSON."""
        return [self.seconds, self._closing, *map(astuple, self.stretches)]

    @classmethod
    def restored(cls, state: Sequence[Any]) -> History:
        """What `state` has written; any error may be raised if it has not."""
        history = cls()
        seconds, closing, *stretches = state
        history.seconds = float(seconds)
        if not history.seconds >= SHORTEST or len(stretches) > MOST:
            raise ValueError("a history that cannot be")
        for stretch in map(_stretch, stretches):
            history._places[math.floor(stretch.start / history.seconds)] = stretch
        history._closing = closing
        if closing is not None and closing not in history._places:
            raise ValueError("a history that cannot be")
        return history


def _stretch(values: Sequence[Any]) -> Stretch:
    *numbers, shown = values
    known = [value for value in numbers if value is not None]
    stretch = Stretch(*numbers)
    stretch.shown = {str(name): int(count) for name, count in shown.items()}
    if not all(math.isfinite(value) for value in known) or None in numbers[:8]:
        raise ValueError("a stretch that cannot be")
    return stretch
