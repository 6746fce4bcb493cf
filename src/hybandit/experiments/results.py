"""What `hybandit.compare` and `hybandit.evaluate` return: tables, curves and figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import pandas as pd

from hybandit.datasets import Reading
from hybandit.evaluation import Evaluation, ValueEstimate
from hybandit.experiments.logs import learned_from
from hybandit.experiments.runs import Run
from hybandit.experiments.specs import PolicySpec
from hybandit.notebook import card
from hybandit.reports.section import Line, Lines, Section
from hybandit.reports.spread import Difference, Spread, digits_of
from hybandit.reports.tables import TableView, firm
from hybandit.terminal import visible
from hybandit.validation import checks

if TYPE_CHECKING:
    import os

    from matplotlib.axes import Axes

# The finished runs of each policy, by seed.
Played = Mapping[PolicySpec, Mapping[int, Run]]
# The estimator that the verdict uses, the first of these that was asked for.
TRUSTED = ("doubly-robust", "switch-doubly-robust", "snips", "clipped", "ips", "replay")
ESTIMATE_COLUMNS = [
    "policy", "estimator", "value", "low", "high", "sure_low", "sure_high",
    "effective_sample_size", "largest_weight", "events", "learned_from",
]  # fmt: skip


@dataclass(frozen=True)
class Standing:
    """The result of a policy, its difference to the best, and its rounds per second."""

    policy: PolicySpec
    spread: Spread
    difference: Difference | None
    speed: float


class _Read:
    """A result that may rest on a table that was read."""

    _reading: Reading | None

    @property
    def reading(self) -> pd.DataFrame | None:
        """How each column was read; None if nothing was."""
        return None if self._reading is None else self._reading.as_frame()

    @property
    def set_aside(self) -> pd.DataFrame:
        """The rows that could not be used: line, reason and content."""
        rows = [] if self._reading is None else [asdict(row) for row in self._reading.set_aside]
        return pd.DataFrame(rows, columns=["line", "reason", "content"])


class ComparisonResult(_Read):
    """Policies side by side, the best first.

    Attributes
    ----------
    verdict
        Which policy is best, by how much and how certainly, in sentences.
    notes
        What to watch out for, in sentences.
    """

    def __init__(
        self,
        section: Section,
        curves: Lines,
        played: Played,
        standings: Sequence[Standing],
        measure: str,
        origin: Sequence[str] = (),
        reading: Reading | None = None,
    ) -> None:
        self.verdict = section.verdict
        self.notes = list(section.watch)
        self._section, self._curves = section, curves
        self._played, self._standings = played, standings
        self._measure, self._origin, self._reading = measure, origin, reading

    @cached_property
    def table(self) -> pd.DataFrame:
        """A row for each policy, the best first.

        Columns: policy; regret (or reward, where regret is unknown), its mean over runs; ``sd``
        over ``runs``; how much ``more`` that is than the best has, with a 95 % interval from
        ``low`` to ``high`` by pairs of equal seeds; and the median of rounds per second.
        """
        rows = []
        for each in self._standings:
            apart = each.difference
            more = (None, None, None) if apart is None else (apart.mean, apart.low, apart.high)
            spread = each.spread
            rows.append((each.policy.label, spread.mean, spread.sd, spread.runs, *more, each.speed))
        heads = ["policy", self._measure, "sd", "runs", "more", "low", "high"]
        frame = pd.DataFrame(rows, columns=[*heads, "rounds_per_second"])
        return frame.astype(dict.fromkeys(["more", "low", "high"], "float64"))

    @cached_property
    def runs(self) -> pd.DataFrame:
        """A row for each run: policy, run (its seed), rounds, reward, regret, seconds."""
        rows = [
            (policy.label, seed, run.rounds, run.reward, run.regret, run.seconds)
            for policy, seed, run in self._every()
        ]
        heads = ["policy", "run", "rounds", "reward", "regret", "seconds"]
        return pd.DataFrame(rows, columns=heads).astype({"regret": "float64"})

    @cached_property
    def curves(self) -> pd.DataFrame:
        """The way of each run: policy, run, round, and regret and reward added up until then.

        At up to 200 rounds of each run.
        """
        parts = [
            pd.DataFrame(
                {
                    "policy": policy.label, "run": seed, "round": run.at,
                    "regret": run.regrets or float("nan"), "reward": run.rewards,
                }
            )
            for policy, seed, run in self._every()
        ]  # fmt: skip
        return pd.concat(parts, ignore_index=True)

    def plot(self) -> Axes:
        """Draw the mean curve of each policy, with a band of one standard deviation."""
        from hybandit.reports.figures import shown

        return shown(self._curves)

    def report(self, path: str | os.PathLike[str]) -> Path:
        """Write an HTML report, with tables as CSV and the figure as PNG, into a folder.

        Returns where the page is.
        """
        from hybandit.reports.page import write_report

        return write_report(self._section.title, [self._section], self._origin, checks.path(path))

    def _every(self) -> list[tuple[PolicySpec, int, Run]]:
        ranked = [each.policy for each in self._standings]
        return [(policy, seed, run) for policy in ranked
                for seed, run in self._played[policy].items()]  # fmt: skip

    def __repr__(self) -> str:
        best = self._standings[0]
        count = f"{len(self._standings)} policies, {best.spread.runs} runs each"
        told = f"{best.policy.label}, {self._measure} {best.spread}"
        return f"ComparisonResult({count}; best: {told})"

    def _repr_html_(self) -> str:
        view = TableView.of(self._section.tables[0])
        told = [self.verdict, view.note, *(f"Watch out: {note}." for note in self.notes)]
        rows = [[name, *map(firm, numbers)] for name, *numbers in view.rows]
        return card(view.title, told=told, heads=view.columns, rows=rows)


class EvaluationResult(_Read):
    """What policies would have earned, by each estimator.

    Attributes
    ----------
    table
        A row for each policy and estimator: value, low and high of its bootstrap interval, sure_low
        and sure_high, effective_sample_size, largest_weight, events, and
        learned_from.
    notes
        The warnings, in sentences.
    """

    def __init__(
        self,
        found: Sequence[tuple[PolicySpec, Evaluation]],
        learn: str,
        notes: Sequence[str],
        reading: Reading | None,
    ) -> None:
        self._found, self._reading, self.notes = found, reading, list(notes)
        rows = [_estimate_row(policy, each, learn) for policy, each in self._estimates()]
        self.table = pd.DataFrame(rows, columns=ESTIMATE_COLUMNS)

    @cached_property
    def curves(self) -> pd.DataFrame:
        """The value as the log went on: policy, estimator, event, value."""
        rows = [
            (policy.label, each.estimator, event, value)
            for policy, each in self._estimates()
            for event, value in each.course.values()
        ]
        return pd.DataFrame(rows, columns=["policy", "estimator", "event", "value"])

    @property
    def trusted(self) -> str:
        """The estimator that the figure shows, the most reliable of those that were asked for."""
        found = [each.estimator for _, each in self._estimates()]
        return next((name for name in TRUSTED if name in found), found[0])

    def plot(self) -> Axes:
        """Draw the value of each policy by its most reliable estimator, as the log went on."""
        from hybandit.reports.figures import shown

        lines = [value_line(policy, each) for policy, each in self._estimates()
                 if each.estimator == self.trusted]  # fmt: skip
        panels = {f"Value by {self.trusted}": lines}
        return shown(Lines("value-curves", "", panels, "event", "value so far"))

    def _estimates(self) -> list[tuple[PolicySpec, ValueEstimate]]:
        return [(policy, each) for policy, found in self._found for each in found.estimates]

    def __repr__(self) -> str:
        trusted = [pair for pair in self._estimates() if pair[1].estimator == self.trusted]
        policy, best = max(trusted, key=lambda pair: pair[1].value)
        found = f"{policy.label}, value {best.value:.4g} by {self.trusted}"
        return f"EvaluationResult({len(self._found)} policies; best: {found})"

    def _repr_html_(self) -> str:
        digits = digits_of(self.table["value"])
        rows = [
            [
                policy.label, each.estimator, f"{each.value:,.{digits}f}",
                firm(f"{each.bootstrap.low:,.{digits}f} to {each.bootstrap.high:,.{digits}f}"),
                f"{each.effective_sample_size:,.0f}", f"{each.largest_weight:,.1f}",
            ]
            for policy, each in self._estimates()
        ]  # fmt: skip
        told = ["Value: mean reward per event. Sample: so many events of equal weight say as much."]
        told += [f"Watch out: {note}." for note in self.notes]
        heads = ["policy", "estimator", "value", "95 % interval", "sample", "weight"]
        title = "What each policy would have earned"
        return card(title, told=told, heads=heads, rows=rows)


def value_line(policy: PolicySpec, estimate: ValueEstimate) -> Line:
    """The value so far, from a tenth of the log on: earlier values are unreliable."""
    last = estimate.course.at[-1]
    points = [(at, value) for at, value in estimate.course.values() if at >= last / 10]
    return Line(
        visible(policy.label), policy.name, [at for at, _ in points], [y for _, y in points]
    )


def _estimate_row(policy: PolicySpec, each: ValueEstimate, learn: str) -> tuple[object, ...]:
    return (
        policy.label,
        each.estimator,
        each.value,
        *each.bootstrap,
        *each.sure,
        each.effective_sample_size,
        each.largest_weight,
        each.rows,
        learned_from(each.estimator, learn),
    )
