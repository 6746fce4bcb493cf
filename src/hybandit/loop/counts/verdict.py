"""Whether a loop earns more than the baseline: a verdict that may be looked at any time."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from hybandit.evaluation.betting import RunningMean, more_needed
from hybandit.loop.settings import ONLINE
from hybandit.notebook import card

BETTER, WORSE, UNKNOWN = "better", "worse", "cannot tell yet"
# More events than this are not foretold.
FORESEEN = 10**8


@dataclass(frozen=True, repr=False)
class Verdict:
    """Whether the loop earns more than the baseline.

    The interval holds at all times at once: whoever looks after every event is told a wrong
    "better" or "worse", ever, in at most 5 of 100 loops.

    Attributes
    ----------
    answer
        ``"better"``, ``"worse"`` or ``"cannot tell yet"``.
    gain, low, high
        By how much per event, on average so far, and the 95 % interval; None without events.
    events
        How many closed events it rests on: those in which the baseline was not certain.
    more
        About how many more events are needed at this rate; None if nobody can tell.
    text
        All this in a sentence.
    """

    answer: str
    gain: float | None
    low: float | None
    high: float | None
    events: int
    more: int | None
    text: str

    def __repr__(self) -> str:
        gain = "" if self.gain is None else f", gain {self.gain:.4f}"
        within = "" if self.low is None else f" [{self.low:.4f}, {self.high:.4f}]"
        return f"Verdict({self.answer!r}{gain}{within}, {self.events:,} events)"

    def _repr_html_(self) -> str:
        return card(f"Verdict: {self.answer}", told=[self.text])


class GainEvidence:
    """The gain over the baseline, kept up as events close, in constant time.

    Of an event with the reward r, in which the baseline had the probability p, let w be 1 / p if
    the baseline was served, else 0. Then ``(1 - w) (r - m)`` has the loop's gain as its
    expectation, whatever m is as long as it does not depend on the event; m is the mean reward of
    the events before. Events with a smaller probability than `control`, which were ranked
    before it was raised, are left out, as are those in which the baseline was certain.

    Examples
    --------
    >>> evidence = GainEvidence(control=0.5)
    >>> for turn in range(200):
    ...     evidence.add(float(turn % 2), served=turn % 2 == 0, chance=0.5)
    >>> evidence.verdict().answer
    'better'
    """

    def __init__(self, control: float) -> None:
        self.control = control
        self.gains = RunningMean()
        self._rewards, self._total = 0, 0.0
        self._low, self._high = math.inf, -math.inf

    def add(self, reward: float, *, served: bool, chance: float) -> None:
        """Take a closed event; `served`: whether the baseline was shown, by this chance."""
        if not self.control * (1.0 - 1e-9) <= chance < 1.0 or not chance:
            return
        if self._rewards:
            weight = 1.0 / chance if served else 0.0
            self.gains.add((1.0 - weight) * (reward - self.reward))
        self._rewards += 1
        self._total += reward
        self._low, self._high = min(self._low, reward), max(self._high, reward)

    @property
    def reward(self) -> float:
        """The mean reward so far."""
        return self._total / self._rewards if self._rewards else 0.0

    def verdict(
        self, mode: str = ONLINE, reward_range: tuple[float, float] | None = None
    ) -> Verdict:
        """The answer now, if rewards are within this range or, without it, within 0 and 1, or
        the range seen so far, where that is wider.
        """
        count = self.gains.count
        start = "Cannot tell yet whether the loop is better than the baseline"
        if mode != ONLINE and not count:
            told = f"In mode {mode} the loop shows the baseline: there is nothing to compare."
            return Verdict(UNKNOWN, None, None, None, 0, None, told)
        if not count:
            told = f"{start}: no event is closed in which there was a choice."
            return Verdict(UNKNOWN, None, None, None, 0, None, told)
        if not self.control:
            told = f"{start}, which is shown too rarely: control is 0."
            return Verdict(UNKNOWN, self.gains.mean, None, None, count, None, told)
        lowest, highest = reward_range or (0.0, 1.0)
        span = max(highest, self._high) - min(lowest, self._low)
        found = self.gains.interval(span / self.control, (-span, span))
        gain, (low, high) = self.gains.mean, found
        beyond = reward_range is None and span > 1.0
        between = f"95 % interval {low:.4f} to {high:.4f}"
        between += f", if rewards stay within {self._low:g} and {self._high:g}" if beyond else ""
        if low > 0.0 or high < 0.0:
            answer = BETTER if low > 0.0 else WORSE
            told = f"The loop is {answer} than the baseline by {abs(gain):.4f} per event"
            return Verdict(answer, gain, low, high, count, 0, f"{told} ({between}).")
        more = self._more(span)
        needed = "" if more is None else f"; at this rate about {_round(more)} more events"
        told = f"{start}: the difference is {gain:.4f} per event, {between}{needed}."
        return Verdict(UNKNOWN, gain, low, high, count, more, told)

    def _more(self, span: float) -> int | None:
        found = self.gains.capital(0.0, span / self.control)
        side = found.each_above if self.gains.mean > 0.0 else found.each_below
        more = more_needed(side, self.gains.count)
        return None if more is None or more > FORESEEN else max(1, more)

    def state(self) -> dict[str, Any]:
        """All that is known, in a form for JSON."""
        return {
            "control": self.control,
            "gains": self.gains.state(),
            "rewards": [self._rewards, self._total, self._low, self._high],
        }

    @classmethod
    def restored(cls, state: Any) -> GainEvidence:
        """What `state` has written."""
        evidence = cls(float(state["control"]))
        evidence.gains = RunningMean.restored(state["gains"])
        rewards, *rest = state["rewards"]
        evidence._rewards = int(rewards)
        evidence._total, evidence._low, evidence._high = map(float, rest)
        return evidence


def _round(count: int) -> str:
    """A number with two digits that count."""
    return f"{round(count, 1 - math.floor(math.log10(count))):,}"
