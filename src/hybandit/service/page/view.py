"""What the page shows of a loop, made ready for its templates."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from hybandit.loop import Loop, Status
from hybandit.loop.counts.status import time_told
from hybandit.loop.counts.verdict import BETTER, WORSE, Verdict
from hybandit.loop.overview import records
from hybandit.service.page import charts
from hybandit.service.page.measure import NOTHING, Measure
from hybandit.terminal import visible

if TYPE_CHECKING:
    import pandas as pd

MOST_ACTIONS, MOST_EVENTS, MOST_MODELS = 50, 12, 12
WORDS = {BETTER: "Better than the baseline", WORSE: "Worse than the baseline"}
UNKNOWN = "Cannot tell yet"
PER_CENT = "\N{NO-BREAK SPACE}%"
# So far apart, of 100, two labels above the bar do not touch.
APART = 12.0


@dataclass(frozen=True)
class Look:
    """A loop at one moment: its numbers, tables and what fills the charts."""

    name: str
    status: Status
    verdict: Verdict
    actions: list[dict[str, Any]]
    fresh: list[str]
    events: list[dict[str, Any]]
    models: list[dict[str, Any]]
    settings: Mapping[str, Any]
    charts: dict[str, Any]
    coloured: dict[str, int]
    measure: Measure

    @classmethod
    def of(cls, name: str, loop: Loop, measure: Measure) -> Look:
        table, history = loop.actions(), loop.history()
        coloured = _coloured(table)
        events = records(loop.newest(MOST_EVENTS))[::-1]
        models = [vars(each) for each in loop.models()[::-1][:MOST_MODELS]]
        fresh = table[table.new.astype(bool)].sort_values("first", ascending=False).action.tolist()
        numbers = charts.numbers(history, list(coloured), measure.scale) if len(history) else {}
        return cls(
            name, loop.status(), loop.verdict(), records(table.head(MOST_ACTIONS)), fresh, events,
            models, loop.settings, numbers, coloured, measure,
        )  # fmt: skip

    @property
    def is_empty(self) -> bool:
        return not self.status.events

    @property
    def exploring(self) -> float | None:
        """The share of the latest decisions that were for something else than the favourite."""
        shares = self.charts["exploring"]["columns"]["exploring"] if self.charts else []
        return next((share for share in reversed(shares) if share is not None), None)

    @property
    def word(self) -> str:
        """The verdict in few words."""
        return WORDS.get(self.verdict.answer, UNKNOWN)

    @property
    def tone(self) -> str:
        """The verdict as a class of style."""
        return self.verdict.answer if self.verdict.answer in WORDS else "unknown"

    @property
    def sentence(self) -> str:
        """The verdict with its interval, and how many more events it needs, in a sentence."""
        told = self.verdict
        if told.gain is None or told.low is None or told.high is None:
            return told.text
        measure = self.measure
        way = "more" if told.gain >= 0.0 else measure.less
        interval = f"{measure.signed(told.low)} to {measure.signed(told.high)}"
        sure = (
            f"The loop gets {measure(abs(told.gain))} {way} {measure.unit} than the baseline "
            f"would (95{PER_CENT} interval: {interval})."
        )
        if told.answer in WORDS:
            return sure
        if told.more is None:
            return f"{sure} Nobody can say yet how many more decisions it takes to tell."
        return f"{sure} At this rate it takes about {count(_rounded(told.more))} more to tell."

    @property
    def window(self) -> str:
        wait = self.settings["wait"]
        if wait is None:
            return "any time: the first one closes it"
        return time_told(wait)

    @property
    def bar(self) -> dict[str, float] | None:
        """Where the interval, the gain and zero are on a line from 0 to 100, and whether there is
        room for a label at zero.
        """
        told = self.verdict
        if told.gain is None or told.low is None or told.high is None:
            return None
        ends = min(told.low, 0.0), max(told.high, 0.0)
        room = 0.16 * (ends[1] - ends[0]) or 1.0
        start, length = ends[0] - room, ends[1] - ends[0] + 2.0 * room
        low, high, gain, zero = (
            round(100.0 * (value - start) / length, 2)
            for value in (told.low, told.high, told.gain, 0.0)
        )
        is_free = abs(gain - zero) > APART
        return {"low": low, "high": high, "gain": gain, "zero": zero, "is_free": is_free}


def _rounded(value: int) -> int:
    """With two digits that count, so that it does not flicker."""
    return round(value, 1 - len(str(value)) + 1) if value > 99 else value


def _coloured(actions: pd.DataFrame) -> dict[str, int]:
    """The actions that have a colour in the chart: those shown most, by when they came first."""
    most = actions.sort_values("shown", ascending=False).head(charts.SHOWN).sort_values("first")
    return {name: place for place, name in enumerate(most.action)}


# How values are written


def count(value: float | None) -> str:
    return NOTHING if value is None else f"{value:,.0f}"


def number(value: float | None) -> str:
    """A single reward."""
    return NOTHING if value is None else f"{value:.6g}"


def percent(value: float | None) -> str:
    if value is None:
        return NOTHING
    return f"< 0.1{PER_CENT}" if 0.0 < value < 0.001 else f"{value:.1%}".replace("%", PER_CENT)


def megabytes(value: float) -> str:
    return f"{value / 1e6:,.1f} MB"


def moment(value: datetime | None) -> str:
    return NOTHING if value is None else f"{value:%Y-%m-%d %H:%M:%S} UTC"


def clock(value: datetime) -> str:
    return f"{value:%H:%M:%S}"


def ago(value: datetime | None) -> str:
    """How long ago something was; coarse, so that the page changes rarely."""
    if value is None:
        return NOTHING
    seconds = max(0.0, (datetime.now(UTC) - value).total_seconds())
    for unit, name in ((86_400, "day"), (3600, "hour"), (60, "minute")):
        if seconds >= unit:
            number = int(seconds // unit)
            return f"{number} {name}{'s' if number > 1 else ''} ago"
    return "just now"


def since(seconds: float) -> datetime:
    """The moment so many seconds after 1970."""
    return datetime.fromtimestamp(seconds, UTC)


def quoted(text: str) -> str:
    """A text as one part of an address."""
    return quote(text, safe="")


FILTERS = {
    each.__name__: each
    for each in (
        count, number, percent, megabytes, moment, clock, ago, since, quoted, visible,
    )
}  # fmt: skip
