"""Policies side by side on one data set: what `hybandit compare` runs."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from hybandit.datasets import Reading, find_dataset, is_file
from hybandit.datasets import Table as ReadTable
from hybandit.errors import InvalidInput, argument
from hybandit.experiments.experiment import Effort, Findings, curve
from hybandit.experiments.log_players import item_policy_of
from hybandit.experiments.own_environment import OwnTask
from hybandit.experiments.players import find_player
from hybandit.experiments.results import ComparisonResult, Played, Standing
from hybandit.experiments.side_by_side import SideBySide, run_count
from hybandit.experiments.specs import EnvironmentSpec, PolicySpec, Settings
from hybandit.experiments.tasks import parse_policies
from hybandit.experiments.user_files import (
    check_for_files,
    file_settings,
    labelled,
    set_aside,
    summary,
    summary_table,
)
from hybandit.reports.section import Column, Line, Lines, ReportTable, Section
from hybandit.reports.spread import Difference, Spread, paired

DEFAULT_POLICIES = (
    "stacked-hybrid,neural-ucb,lnucb-ta,lin-knn-ucb,lin-ucb,lin-ts:v=0.1,knn-ucb:theta=0.1,"
    "epsilon-greedy,ucb"
)
DEFAULT_ITEM_POLICIES = "item-hybrid,item-lin-ucb,item-lnucb-ta"


class Standings(NamedTuple):
    """Policies, best first, and what they are judged by: regret, or reward where it is unknown."""

    measure: str
    rounds: int
    policies: list[Standing]

    @classmethod
    def of(cls, played: Played) -> Standings:
        """Each against the best, by pairs of equal seeds."""
        every = [run for runs in played.values() for run in runs.values()]
        measure = "reward" if any(run.regret is None for run in every) else "regret"
        values = {
            policy: {seed: run.measured(measure) for seed, run in runs.items()}
            for policy, runs in played.items()
        }
        spreads = {policy: Spread.of(list(found.values())) for policy, found in values.items()}
        ranked = sorted(spreads, key=lambda each: spreads[each].mean, reverse=measure == "reward")
        best = ranked[0]
        standings = [
            Standing(
                policy,
                spreads[policy],
                None if policy is best else paired(values[policy], values[best]),
                statistics.median(run.rounds / run.seconds for run in played[policy].values()),
            )
            for policy in ranked
        ]
        return cls(measure, next(iter(played[best].values())).rounds, standings)

    def section(
        self,
        title: str,
        about: str,
        meaning: str,
        played: Played,
        watch: Sequence[str] = (),
        details: Sequence[ReportTable] = (),
    ) -> Section:
        """Verdict, which ends with the meaning of the measure, table and figure."""
        return Section(
            Comparison.id,
            title,
            about,
            [_table(title, self.measure, self.policies)],
            [self.curves(title, played)],
            verdict=f"{_verdict(self.measure, self.rounds, self.policies)} {meaning}",
            watch=watch,
            details=details,
        )

    def curves(self, title: str, played: Played) -> Lines:
        """The figure: the mean of each policy's runs, round by round."""
        lines = [
            curve(each.policy, each.policy.name, list(played[each.policy].values()),
                  f"{self.measure}s")
            for each in self.policies
        ]  # fmt: skip
        return _picture(title, self.measure, lines)


class Comparison(SideBySide):
    """Every policy on the same data and the same seeds."""

    id = "compare"

    titled = "Policies on {}"

    @classmethod
    def of(
        cls,
        data: str | None = None,
        policies: str | Sequence[PolicySpec] = DEFAULT_POLICIES,
        *,
        environment: str | None = None,
        encoding: str = "standard",
        rounds: int | None = None,
        options: Settings | None = None,
    ) -> Comparison:
        """Make one from names; `options` are those of `read_labelled`.

        `environment` is one's own, as ``module:Class``, instead of data; without either, digits.
        """
        own = None if environment is None else OwnTask.named(environment)
        of_items = own is not None and OwnTask(**own).of_items
        if of_items and policies == DEFAULT_POLICIES:
            policies = DEFAULT_ITEM_POLICIES
        if isinstance(policies, str):
            policies = parse_policies(policies)
            for policy in policies:
                if of_items:
                    item_policy_of(policy, 2, 2, 0)
                else:
                    find_player(policy.name).on_arms(2, 2, 0, policy.settings)
        if own is not None:
            check_alone(data, encoding, rounds, options or {})
            return cls(str(environment), EnvironmentSpec("own", own), policies)
        data = data or "digits"
        comparison = cls(Path(data).name, _environment(data, encoding, rounds, options or {}),
                         policies)  # fmt: skip
        if is_file(data):
            comparison.told = told_of(*comparison._own())
        return comparison

    def reading(self) -> Reading | None:
        """A report of what was read, if the data are a user's file."""
        return self._own()[1] if is_file(self.environment.settings.get("data", "")) else None

    def _own(self) -> tuple[ReadTable, Reading]:
        settings = self.environment.settings
        return labelled(settings["data"], settings["content"], settings["options"])

    def section(self, findings: Findings) -> Section:
        """Policies best first, each against the best by pairs of equal seeds."""
        played = {
            policy: found for policy in self.policies if (found := findings.runs(policy, self.data))
        }
        if not played:
            return Section(self.id, self.title, "No run has finished yet.")
        return self.section_of(played, Standings.of(played), findings.effort)

    def result(
        self, played: Played, effort: Effort, origin: Sequence[str], reading: Reading | None
    ) -> ComparisonResult:
        """The same for Python."""
        standings = Standings.of(played)
        section = self.section_of(played, standings, effort)
        curves, ranked = standings.curves(section.title, played), standings.policies
        return ComparisonResult(section, curves, played, ranked, standings.measure, origin, reading)

    def section_of(self, played: Played, standings: Standings, effort: Effort) -> Section:
        count, rounds = run_count(effort), standings.rounds
        reading = self.told.get("reading")
        return standings.section(
            f"{self.title}, {count} run{'s' if count > 1 else ''}",
            self._how(rounds, effort.seed, count),
            self._meaning(standings.measure),
            played,
            watch=self._watch(rounds, standings.policies[0].spread, count),
            details=[summary_table(reading)] if reading else [],
        )

    def _meaning(self, measure: str) -> str:
        if measure == "reward":
            return "Reward is the sum over the rounds that count."
        if self.environment.name == "classification":
            return "Regret is the number of wrong guesses."
        return "Regret is what was lost against the best choice in every round."

    def _how(self, rounds: int, seed: int, count: int) -> str:
        seeds = f"seeds {seed} to {seed + count - 1}" if count > 1 else f"seed {seed}"
        if self.environment.name == "own":
            return f"Each run plays {rounds:,} rounds ({seeds})."
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
            several = argument("runs", "5").replace("'", "")
            notes.append(f"one run cannot tell luck from merit: {several} can")
        return notes


def check_alone(data: Any, encoding: str, rounds: int | None, options: Settings) -> None:
    """Refuse what is for tables where there is an environment of one's own."""
    own = "an environment of your own"
    if data is not None:
        raise InvalidInput("data", f"left out where there is {own}", data)
    how = None if encoding == "standard" else encoding
    check_for_files({"rounds": rounds, "encoding": how, **options}, own)


def told_of(table: ReadTable, reading: Reading) -> dict[str, Any]:
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
        [each.policy.label, each.spread, each.difference, each.speed] for each in standings
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
    """Which policy won, by how much and how certainly."""
    best, *others = standings
    if not others:
        alone = f"{best.policy.label} has a {measure} of {best.spread} in {rounds:,} rounds"
        return f"{alone}; no other policy was played."
    most = "least" if measure == "regret" else "most"
    first = f"{best.policy.label} has the {most} {measure}, {best.spread} in {rounds:,} rounds"
    found = others[0].difference
    if found is None:
        second = f"{others[0].policy.label} with {others[0].spread}"
        return f"{first}, before {second}; one run may be luck."
    told = found.in_words(found.digits)
    return f"{first}; {others[0].policy.label}, the next, has {told}."


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
