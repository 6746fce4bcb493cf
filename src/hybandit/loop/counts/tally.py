"""What a loop has counted: its events, rewards and actions, and its gain over the baseline."""

from __future__ import annotations

import json
import math
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, astuple, dataclass
from threading import Lock
from typing import Any, NamedTuple

from hybandit.loop.counts.history import History
from hybandit.loop.counts.status import MeanInterval
from hybandit.loop.counts.verdict import GainEvidence
from hybandit.loop.newcomers import judged
from hybandit.loop.process.forks import GATE
from hybandit.loop.storage.contract import (
    LEARN,
    Arrival,
    ClosedEvent,
    Marks,
    News,
    RewardNews,
    Storage,
)
from hybandit.loop.storage.forgetting import MOST_NAMES, OTHERS
from hybandit.state import Flags

Range = tuple[float, float] | None
HOUR, HOURS = 3600.0, 24
# Delays are counted in steps, of which there are so many until one doubles, from this on.
STEPS, SHORTEST = 8, 1e-3
# Rows of each kind that are read at a time.
PAGE = 500
# An action with this many decisions of which nothing is known is not held back for them.
UNJUDGED = 10


@dataclass
class ActionTally:
    """The counts of an action: decisions for it, those closed, those learned, and their rewards."""

    first: float
    last: float
    shown: int = 0
    closed: int = 0
    learned: int = 0
    total: float = 0.0
    squares: float = 0.0

    @property
    def reward(self) -> MeanInterval:
        return MeanInterval.of(self.closed, self.total, self.squares)


class Standing(NamedTuple):
    """Where actions stand.

    `judged`: those that are not new any more (`hybandit.loop.newcomers.judged`). `answered`: from
    1 down to 0, how far decisions are followed by rewards; it is 1 as long as no more than ten
    beyond those that were closed are open.
    """

    judged: Flags
    answered: list[float]


# What is counted of an action that was never shown.
UNKNOWN = ActionTally(math.inf, -math.inf)


class Tally:
    """Counts of all that has happened, kept up in constant time for each event and reward.

    It is a function of the database alone: whoever counts on from a stored one comes to the same
    as who counts from the start. `marks` are the last of each kind that it has counted. What was
    imported from old logs is only counted as such: this loop has not decided it. The verdict's
    history takes rewards to be within `reward_range`, as the loop's setting has it.
    """

    def __init__(self, control: float, reward_range: Range = None) -> None:
        self.marks = Marks()
        self.rewards = self.late = self.agreed = self.imported = 0
        self.all = ActionTally(math.inf, -math.inf)
        self.actions: OrderedDict[str, ActionTally] = OrderedDict()
        # Decisions that were forgotten before anything closed them, of each action.
        self.dropped: dict[str, int] = {}
        self.evidence, self.reward_range = GainEvidence(control), reward_range
        self.history = History()
        self._delays: defaultdict[int, int] = defaultdict(int)
        self._hours: dict[int, dict[str, int]] = {}

    @property
    def open(self) -> int:
        """Decisions that nothing has closed yet."""
        return max(0, self.all.shown - self.all.closed - sum(self.dropped.values()))

    def open_of(self, name: str) -> int:
        """The same of one action."""
        found = self.actions.get(name, UNKNOWN)
        return max(0, found.shown - found.closed - self.dropped.get(name, 0))

    def standing(self, names: Sequence[str]) -> Standing:
        """Of each action, whether it is still new, and how far its decisions get rewards."""
        closed, pending, answered = [], [], []
        for name in names:
            found = self.actions.get(name, UNKNOWN)
            left = max(0, found.shown - found.closed - self.dropped.get(name, 0))
            closed.append(found.closed)
            pending.append(left)
            answered.append(min(1.0, (UNJUDGED + found.closed) / (1.0 + left)))
        return Standing(judged(closed, pending), answered)

    def shares(self, now: float) -> dict[str, float]:
        """The share of each action that was shown in the last day; others are under no name."""
        shown: defaultdict[str, int] = defaultdict(int)
        for hour, counts in self._hours.items():
            if hour > now // HOUR - HOURS:
                for name, count in counts.items():
                    shown[name] += count
        total = sum(shown.values())
        return {name: count / total for name, count in shown.items()}

    def patience(self, share: float = 0.99) -> float:
        """Within how many seconds this share of all rewards has come, rounded up a little."""
        wanted, step = share * sum(self._delays.values()), 0
        for step in sorted(self._delays):
            wanted -= self._delays[step]
            if wanted <= 0.0:
                break
        return float(SHORTEST * 2.0 ** ((step + 1) / STEPS))

    def take(self, news: News) -> None:
        """Count what is new."""
        self.dropped = news.dropped
        for arrival in news.arrivals:
            self._arrive(arrival)
        for reward in news.rewards:
            self._reward(reward)
        for closed in news.closed:
            self._close(closed)

    def _arrive(self, arrival: Arrival) -> None:
        self.marks.event = arrival.number
        if arrival.imported:
            return
        name, at = arrival.name, arrival.at
        for tally in (self.all, self._of(name, at)):
            tally.shown += 1
            tally.first, tally.last = min(tally.first, at), max(tally.last, at)
        self.history.decided(name, at)
        self.actions.move_to_end(name)
        hour = int(at // HOUR)
        counts = self._hours.setdefault(hour, {})
        counts[name] = counts.get(name, 0) + 1
        while len(self.actions) > MOST_NAMES:
            left_out, _ = self.actions.popitem(last=False)
            for counts in self._hours.values():
                if left_out in counts:
                    counts[OTHERS] = counts.get(OTHERS, 0) + counts.pop(left_out)
        if len(self._hours) > HOURS + 1:
            del self._hours[min(self._hours)]

    def _reward(self, reward: RewardNews) -> None:
        self.marks.reward = reward.number
        if reward.imported:
            return
        self.rewards += 1
        self.late += reward.late
        self._delays[math.floor(STEPS * math.log2(max(1.0, reward.delay / SHORTEST)))] += 1

    def _close(self, closed: ClosedEvent) -> None:
        self.marks.position = closed.position
        if closed.name is None:
            control = closed.settings.get("control")
            if control is not None:
                self.evidence = GainEvidence(control)
            self.reward_range = closed.settings.get("reward_range", self.reward_range)
            return
        if closed.imported:
            self.imported += 1
            return
        for tally in (self.all, self._of(closed.name, closed.at)):
            tally.closed += 1
            tally.learned += closed.kind == LEARN
            tally.total += closed.reward
            tally.squares += closed.reward**2
        self.agreed += closed.agreed
        self.history.closed(closed, self.evidence, self.reward_range)
        self.evidence.add(closed.reward, served=closed.served, chance=closed.chance)

    def _of(self, name: str, at: float) -> ActionTally:
        return self.actions.setdefault(name, ActionTally(at, at))

    # On disk

    def text(self) -> str:
        """All of it, as JSON."""
        actions = [[name, *astuple(tally)] for name, tally in self.actions.items()]
        return json.dumps(
            {
                "marks": asdict(self.marks), "all": astuple(self.all), "actions": actions,
                "counts": [self.rewards, self.late, self.agreed, self.imported],
                "delays": sorted(self._delays.items()),
                "hours": [[hour, *counts.items()] for hour, counts in self._hours.items()],
                "evidence": self.evidence.state(), "range": self.reward_range,
                "history": self.history.state(),
            }
        )  # fmt: skip

    @classmethod
    def read(cls, text: str) -> Tally:
        """What `text` has written; any error may be raised if it has not."""
        stored = json.loads(text)
        tally = cls(0.0)
        tally.marks = Marks(**stored["marks"])
        counts = tally.rewards, tally.late, tally.agreed, tally.imported = stored["counts"]
        tally.all = _action(stored["all"])
        tally.actions = OrderedDict((str(name), _action(rest)) for name, *rest in stored["actions"])
        tally._delays.update((int(step), int(count)) for step, count in stored["delays"])
        tally._hours = {int(hour): {str(name): int(count) for name, count in rest}
                        for hour, *rest in stored["hours"]}  # fmt: skip
        tally.evidence = GainEvidence.restored(stored["evidence"])
        tally.reward_range = stored["range"]
        tally.history = History.restored(stored["history"])
        _check_counts([*astuple(tally.marks), *counts, *tally._delays.values()])
        return tally


class Counting:
    """The tally of a loop in this process, brought up to date from the database."""

    def __init__(
        self, storage: Storage, control: float, reward_range: Range = None, *, page: int = PAGE
    ) -> None:
        self._storage, self._settings, self._page = storage, (control, reward_range), page
        # One for who counts, with all reading of the database, one for each step of the tally.
        self._lock, self._step = Lock(), Lock()
        self._tally = Tally(*self._settings)
        self._begun = False

    def catch_up(self, breathe: Callable[[], None] = lambda: None) -> None:
        """Count all that is new; calls `breathe` between parts."""
        more = True
        while more:
            with GATE, self._lock:
                if not self._begun:
                    self._tally, self._begun = self._stored(), True
                more = self._take(self._storage.news(self._tally.marks, self._page))
            if more:
                breathe()

    @contextmanager
    def counted(self) -> Iterator[Tally]:
        """The tally, which stands still while it is looked at."""
        with GATE, self._step:
            yield self._tally

    def save(self) -> None:
        """Store the tally, for a fast start."""
        with GATE, self._lock:
            self._storage.keep_tally(self._tally.text())

    def _take(self, news: News) -> bool:
        if self._tally.marks.position < news.base:
            # What has not been counted here is forgotten; who forgot it has counted it.
            stored = self._stored()
            stored.marks.position = max(stored.marks.position, news.base)
            self._tally = stored
            return True
        with self._step:
            self._tally.take(news)
        return self._page in (len(news.arrivals), len(news.rewards), len(news.closed))

    def _stored(self) -> Tally:
        text = self._storage.tally()
        try:
            return Tally(*self._settings) if text is None else Tally.read(text)
        except (ValueError, TypeError, KeyError, IndexError, AttributeError, OverflowError):
            return Tally(*self._settings)


def _action(values: Any) -> ActionTally:
    tally = ActionTally(*values)
    _check_counts([tally.shown, tally.closed, tally.learned])
    if not all(isinstance(value, float) for value in (tally.first, tally.total, tally.squares)):
        raise ValueError("a sum that cannot be")
    return tally


def _check_counts(values: Sequence[Any]) -> None:
    for value in values:
        if type(value) is not int or not 0 <= value < 2**63:
            raise ValueError("a count that cannot be")
