"""What a person reads of a loop: its status, single events, and whether its models are right."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from hybandit.errors import InvalidInput, LearningError, StoreError, without_passwords
from hybandit.evaluation import ItemLog
from hybandit.loop.counts.status import Status, not_learned
from hybandit.loop.loop import Loop
from hybandit.loop.storage.database import is_missing
from hybandit.loop.verbs.looking import EVENTS_IN_A_STRETCH, MOST_STRETCHES

if TYPE_CHECKING:
    import pandas as pd

# Seconds in which a loop may learn the journal, to tell what is wrong with it.
PATIENCE = 3.0
BLOCKS = " ▁▂▃▄▅▆▇█"
HEIGHT = 6
# What a snapshot may differ from a fold on another machine, relative.
CLOSE = 1e-9
# How a text begins that a spreadsheet computes.
FORMULAS = ("=", "+", "-", "@", "\t", "\r")
Lines = list[list[str]]
# Actions in the table of a terminal.
MOST_LINES = 20


@dataclass(frozen=True)
class Overview:
    """A loop for people: its status, its actions, and positions and mean rewards as a curve."""

    status: Status
    actions: pd.DataFrame
    curve: list[tuple[int, float]]
    has_window: bool

    @classmethod
    def of(cls, loop: Loop) -> Overview:
        caught_up(loop)
        status = loop.status()
        bars = min(MOST_STRETCHES, status.closed // EVENTS_IN_A_STRETCH)
        curve = loop.curve(bars) if bars > 1 else []
        return cls(status, loop.actions(), curve, loop.settings["wait"] is not None)

    @property
    def action_lines(self) -> Lines:
        """The actions shown most in the last day, a line each."""
        lines: Iterable[Any] = self.actions.head(MOST_LINES).itertuples()
        return [
            [
                f"{each.action} (new)" if each.new else each.action,
                f"{each.shown:,}",
                f"{each.share:.1%}",
                _give_or_take(each.reward, each.high),
                f"{each.learned:,}",
                f"{each.pending:,}",
                *[_ago(moment) for moment in (each.first, each.last)],
            ]
            for each in lines
        ]

    @property
    def lines(self) -> Lines:
        """What a person wants to know, with its name."""
        now = self.status
        rest = [["mean reward", str(now.reward)], ["baseline", str(now.baseline)]]
        return [["events", f"{now.events:,}"], *self._waiting, *rest]

    @property
    def _waiting(self) -> Lines:
        now = self.status
        if not self.has_window:
            return [["waiting for a reward", f"{now.waiting:,}"]]
        over = ["window over, closed when a learner comes by", f"{now.overdue:,}"]
        inside = ["still in their window", f"{max(0, now.waiting - now.overdue):,}"]
        return [inside, over] if now.overdue else [inside]

    @property
    def more_lines(self) -> Lines:
        """What is counted and measured besides."""
        now, learner = self.status, self.status.learner
        return [
            ["mode", now.mode],
            ["policy", now.policy],
            ["rewards", f"{now.rewards:,}, {now.late:,} of them {not_learned(self.has_window)}"],
            ["closed events", f"{now.closed:,}, {now.learned:,} of them learned"],
            ["learned from old logs", f"{now.imported:,}"],
            ["different actions", f"{now.actions:,}"],
            ["agreement", "-" if now.agreement is None else f"{now.agreement:.1%}"],
            ["model version", now.model.removeprefix("version ")],
            ["stored models", f"{now.snapshots}"],
            ["size on disk", f"{now.bytes / 1e6:,.1f} MB"],
            ["last learner", "process {process} on {host}".format(**learner) if learner else "-"],
        ]

    @property
    def document(self) -> dict[str, Any]:
        """The same for programs."""
        points = [{"version": version, "reward": mean} for version, mean in self.curve]
        return {**asdict(self.status), "actions": records(self.actions), "curve": points}


def caught_up(loop: Loop) -> None:
    """Let a loop learn the journal for a moment, so that it shows whether it can."""
    with suppress(LearningError):
        loop.wait_for(timeout=PATIENCE)


def records(table: pd.DataFrame) -> list[dict[str, Any]]:
    """The rows of a table as dicts; what is missing is None."""
    rows: Any = table.astype(object).where(table.notna(), None).to_dict("records")
    return list(rows)


def events_as_text(table: pd.DataFrame, *, spreadsheet: bool = False) -> pd.DataFrame:
    """The table of `Loop.events` for a CSV file: lists and dicts as JSON.

    For a spreadsheet an apostrophe goes before names that it would take for a formula.
    """
    nested = ("context", "actions", "probabilities", "excluded", "rewards")
    text = table.assign(**{name: table[name].map(json.dumps) for name in nested})
    if spreadsheet:
        names = ("event", "action", "preferred")
        text = text.assign(**{name: text[name].map(_no_formula) for name in names})
    return text


def _no_formula(text: str) -> str:
    return f"'{text}" if text.startswith(FORMULAS) else text


def verified(loop: Loop) -> tuple[list[str], bool]:
    """What is found when the journal is learned again, and whether all stored models are right."""
    found = loop.verify()
    lines = [f"version {position:,}: {_difference(apart)}" for position, apart in found]
    right = all(apart is not None and apart <= CLOSE for _, apart in found)
    return lines or ["there are no snapshots to compare with"], right


def existing(place: str) -> Loop:
    """A loop that is there already, which this process will not learn for."""
    if is_missing(place):
        told = without_passwords(place)
        raise StoreError(f"there is no loop {told}; in Python, hybandit.Loop makes one")
    return Loop(place, learn=False)


def loop_log(place: str) -> ItemLog:
    """The journal of a loop as a log of items."""
    with existing(place) as loop:
        log = loop.log()
        if not len(log):
            raise InvalidInput("log", "a loop with closed events", loop.status().url)
    return log


def chart(values: Sequence[float], height: int = HEIGHT) -> str:
    """Bars from the least value to the largest, which stand beside them.

    Examples
    --------
    >>> print(chart([0.0, 0.4, 1.0], height=2))
    1 |  █
    0 |▁▇█
    """
    low, high = min(values), max(values)
    scale = (8 * height - 1) / (high - low) if high > low else 0.0
    heights = [1 + round((value - low) * scale) for value in values]
    edges = {height - 1: f"{high:.3g}", 0: f"{low:.3g}"}
    margin = max(map(len, edges.values()))
    lines = []
    for line in reversed(range(height)):
        bars = "".join(BLOCKS[min(8, max(0, bar - 8 * line))] for bar in heights)
        lines.append(f"{edges.get(line, ''):>{margin}} |{bars}")
    return "\n".join(lines)


def _give_or_take(mean: float, high: float) -> str:
    if math.isnan(mean):
        return "-"
    return f"{mean:.3g}" if math.isnan(high) else f"{mean:.3g} ± {high - mean:.2g}"


def _ago(moment: datetime) -> str:
    """How long ago something was, in its largest unit."""
    seconds = max(0.0, (datetime.now(UTC) - moment).total_seconds())
    for unit, name in ((86_400, "d"), (3600, "h"), (60, "min")):
        if seconds >= unit:
            return f"{seconds // unit:.0f} {name}"
    return f"{seconds:.0f} s"


def _difference(apart: float | None) -> str:
    if apart is None:
        return "DAMAGED"
    return f"differs by {apart:.1e}" if apart else "equal bit for bit"
