"""Policies side by side on one data set: what `hybandit compare` runs."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from hybandit.datasets import Reading, find_dataset, is_file
from hybandit.datasets import Table as ReadTable
from hybandit.errors import InvalidInput
from hybandit.experiments.experiment import Findings
from hybandit.experiments.players import find_player
from hybandit.experiments.section import Column, Line, Lines, ReportTable, Section
from hybandit.experiments.side_by_side import SideBySide, run_count
from hybandit.experiments.specs import EnvironmentSpec, Settings
from hybandit.experiments.spread import Difference, Spread
from hybandit.experiments.tasks import parse_policies
from hybandit.experiments.user_files import (
    check_for_files,
    file_settings,
    labelled,
    set_aside,
    summary,
    summary_table,
)

DEFAULT_POLICIES = (
    "stacked-hybrid,neural-ucb,lnucb-ta,lin-knn-ucb,lin-ucb,lin-ts:v=0.1,knn-ucb:theta=0.1,"
    "epsilon-greedy,ucb"
)


class Standing(NamedTuple):
    """The result of a policy, its difference to the best, and its rounds per second."""

    label: str
    spread: Spread
    difference: Difference | None
    speed: float


class Comparison(SideBySide):
    """Every policy on the same data and the same seeds."""

    id = "compare"

    titled = "Policies on {}"

    @classmethod
    def of(
        cls,
        data: str = "digits",
        policies: str = DEFAULT_POLICIES,
        *,
        encoding: str = "standard",
        rounds: int | None = None,
        options: Settings | None = None,
    ) -> Comparison:
        """Make one from the command line's arguments; `options` are those of `read_labelled`."""
        chosen = parse_policies(policies)
        for policy in chosen:
            find_player(policy.name).on_arms(2, 2, 0, policy.settings)
        environment = _environment(data, encoding, rounds, options or {})
        comparison = cls(Path(data).name, environment, chosen)
        if is_file(data):
            comparison.told = _told(*comparison._own())
        return comparison

    def reading(self) -> Reading | None:
        """A report of what was read, if the data are a user's file."""
        return self._own()[1] if is_file(self.environment.settings.get("data", "")) else None

    def _own(self) -> tuple[ReadTable, Reading]:
        settings = self.environment.settings
        return labelled(settings["data"], settings["content"], settings["options"])

    def section(self, findings: Findings) -> Section:
        """Policies best first, each against the best by pairs of equal seeds."""
        runs = {
            policy: list(found.values())
            for policy in self.policies
            if (found := findings.runs(policy, self.data))
        }
        if not runs:
            return Section(self.id, self.title, "No run has finished yet.")
        by_regret = all(run.regret is not None for found in runs.values() for run in found)
        measure = "regret" if by_regret else "reward"
        spreads = {
            policy: Spread.of([run.measured(measure) for run in found])
            for policy, found in runs.items()
        }
        ranked = sorted(spreads, key=lambda policy: spreads[policy].mean, reverse=not by_regret)
        standings = [
            Standing(
                policy.label,
                spreads[policy],
                findings.difference(policy, ranked[0], self.data, measure) if place else None,
                statistics.median(run.rounds / run.seconds for run in runs[policy]),
            )
            for place, policy in enumerate(ranked)
        ]
        count, rounds = run_count(findings.effort), runs[ranked[0]][0].rounds
        title = f"{self.title}, {count} run{'s' if count > 1 else ''}"
        lines = findings.lines(self.data, ranked, f"{measure}s")
        reading = self.told.get("reading")
        return Section(
            self.id,
            title,
            self._how(rounds, findings.effort.seed, count),
            [_table(title, measure, standings)],
            [_picture(title, measure, lines)],
            verdict=_verdict(measure, rounds, standings),
            watch=self._watch(rounds, standings[0].spread, count),
            details=[summary_table(reading)] if reading else [],
        )

    def _how(self, rounds: int, seed: int, count: int) -> str:
        seeds = f"seeds {seed} to {seed + count - 1}" if count > 1 else f"seed {seed}"
        if self.environment.name == "replay":
            return f"Each run replays the log up to {rounds:,} matches ({seeds})."
        of_all = f" of {self.told['rows']:,} rows" if self.told else " rounds"
        return f"Each run shuffles the data and plays {rounds:,}{of_all} ({seeds})."

    def _watch(self, rounds: int, best: Spread, count: int) -> list[str]:
        """Warnings about a user's own table."""
        if not self.told:
            return []
        notes = []
        guess = rounds * (1.0 - self.told["share"])
        if best.mean > 0.9 * guess:
            notes.append(
                f"always choosing {self.told['commonest']!r}, the most frequent class, costs about "
                f"{guess:,.0f}: the features hardly tell the classes apart, or {rounds:,} rounds "
                "are too few to learn how"
            )
        notes += self.told["notes"]
        if count == 1:
            notes.append("one run cannot tell luck from merit: --runs 5 can")
        return notes


def _told(table: ReadTable, reading: Reading) -> dict[str, Any]:
    """What the report says about a table, as JSON."""
    counts = np.bincount(table.labels)
    return {
        "reading": summary(reading),
        "rows": reading.used,
        "notes": set_aside(reading),
        "commonest": table.classes[counts.argmax()],
        "share": float(counts.max() / counts.sum()),
    }


def _table(title: str, measure: str, standings: Sequence[Standing]) -> ReportTable:
    columns = [
        Column("policy"),
        Column(measure, Spread),
        Column("more than the best", Difference, missing=""),
        Column("rounds/s", float),
    ]
    note = f"{measure} ± sd over runs; difference at equal seeds [95 % interval]; median speed"
    rows: list[list[Any]] = [
        [each.label, each.spread, each.difference, each.speed] for each in standings
    ]
    return ReportTable(Comparison.id, title, columns, rows, note, best=0)


def _picture(title: str, measure: str, lines: Sequence[Line]) -> Lines:
    return Lines(
        f"{measure}-curves",
        f"Cumulative {measure}, mean over runs; bands are one standard deviation.",
        {title: lines},
        "round",
        f"cumulative {measure}",
    )


def _verdict(measure: str, rounds: int, standings: Sequence[Standing]) -> str:
    """Which policy won, by how much and how certainly, and what the measure means."""
    meaning = (
        "Regret is what was lost against the best choice in every round: on a table, the number "
        "of wrong guesses."
        if measure == "regret"
        else "Reward is the sum over the rounds that count."
    )
    best, *others = standings
    if not others:
        alone = f"{best.label} has a {measure} of {best.spread} in {rounds:,} rounds"
        return f"{alone}; no other policy was played. {meaning}"
    most = "least" if measure == "regret" else "most"
    first = f"{best.label} has the {most} {measure}, {best.spread} in {rounds:,} rounds"
    found = others[0].difference
    if found is None:
        second = f"{others[0].label} with {others[0].spread}"
        return f"{first}, before {second}; one run may be luck. {meaning}"
    told = found.in_words(found.digits)
    return f"{first}; {others[0].label}, the next, has {told}. {meaning}"


def _environment(
    data: str, encoding: str, rounds: int | None, options: Settings
) -> EnvironmentSpec:
    if is_file(data):
        settings = file_settings(data, options)
        return EnvironmentSpec(
            "classification", {**settings, "encoding": encoding, "rounds": rounds}
        )
    find_dataset(data)
    check_for_files(options)
    if data == "ca-astroph":
        raise InvalidInput("data", "a table or a log; see 'reproduce network' for the graph", data)
    if data == "news":
        if encoding != "standard":
            raise InvalidInput("encoding", "left out with news: shared, unit length", encoding)
        settings = {"contexts": "shared", "scale": "unit"}
        return EnvironmentSpec("replay", {**settings, "matches": rounds or 800})
    return EnvironmentSpec("classification", {"data": data, "encoding": encoding, "rounds": rounds})
