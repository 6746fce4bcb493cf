"""Policies side by side on one data set: what `hybandit compare` runs."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from hybandit.datasets import Reading, find_dataset, is_file
from hybandit.errors import InvalidInput
from hybandit.experiments.experiment import Cell, Experiment, Findings, Scale
from hybandit.experiments.own_files import file_settings, labelled, summary, summary_table
from hybandit.experiments.section import Column, Lines, Section, Table
from hybandit.experiments.specs import EnvironmentSpec, PolicySpec, Settings
from hybandit.experiments.spread import Difference, Spread
from hybandit.experiments.tasks import parse_policies

DEFAULT_POLICIES = (
    "stacked-hybrid,lnucb-ta,lin-knn-ucb,lin-ucb,lin-ts:v=0.1,knn-ucb:theta=0.1,epsilon-greedy,ucb"
)


class Comparison(Experiment):
    """Every policy on the same data and the same seeds."""

    id = "compare"

    def __init__(
        self,
        data: str,
        environment: EnvironmentSpec,
        policies: Sequence[PolicySpec],
        told: dict[str, Any] | None = None,
    ) -> None:
        self.data = data
        self.environment = environment
        self.policies = tuple(policies)
        self.told = told
        self.title = f"Policies on {data}"

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
        """From what the command line says; `options` are those of `read_labelled`."""
        chosen = parse_policies(policies)
        environment = _environment(data, encoding, rounds, options or {})
        comparison = cls(Path(data).name, environment, chosen)
        reading = comparison.reading()
        comparison.told = None if reading is None else summary(reading)
        return comparison

    def reading(self) -> Reading | None:
        """What was read, if the data are someone's own file."""
        settings = self.environment.settings
        if not is_file(settings.get("data", "")):
            return None
        return labelled(settings["data"], settings["content"], settings["options"])[1]

    def written(self) -> dict[str, Any]:
        """As JSON takes it; `read` makes it again, whether or not the data are still there."""
        return {
            "data": self.data,
            "environment": asdict(self.environment),
            "policies": [asdict(policy) for policy in self.policies],
            "told": self.told,
        }

    @classmethod
    def read(cls, written: dict[str, Any]) -> Comparison:
        policies = [PolicySpec(**policy) for policy in written["policies"]]
        environment = EnvironmentSpec(**written["environment"])
        return cls(written["data"], environment, policies, written.get("told"))

    def cells(self, scale: Scale) -> tuple[Cell, ...]:
        return tuple(
            Cell.of(
                policy,
                self.data,
                self.environment,
                policy,
                runs=_runs(scale),
                seed=scale.seed,
            )
            for policy in dict.fromkeys(self.policies)
        )

    def section(self, findings: Findings) -> Section:
        """Policies best first, each against the best by pairs of equal seeds."""
        scale = findings.scale
        count = _runs(scale)
        title = f"{self.title}, {count} run{'s' if count > 1 else ''}"
        how = (
            f"{count} runs a policy, seeds {scale.seed} to {scale.seed + count - 1}: each shuffles "
            "the data and seeds the policy. The table gives mean and standard deviation over runs."
        )
        runs = {
            policy: list(found.values())
            for policy in self.policies
            if (found := findings.runs(policy, self.data))
        }
        if not runs:
            return Section(self.id, title, "No run has finished yet.")
        by_regret = all(run.regret is not None for found in runs.values() for run in found)
        measure = "regret" if by_regret else "reward"
        spreads = {policy: self._spread(findings, policy, measure) for policy in runs}
        ranked = sorted(spreads, key=lambda policy: spreads[policy].mean, reverse=not by_regret)
        best = ranked[0]
        differences = {
            policy: findings.difference(policy, best, self.data, measure) for policy in ranked[1:]
        }
        rows: list[list[Any]] = [
            [
                policy.label,
                spreads[policy],
                differences.get(policy),
                statistics.median(run.rounds / run.seconds for run in runs[policy]),
            ]
            for policy in ranked
        ]
        table = Table(
            self.id,
            title,
            [
                Column("policy"),
                Column(measure, Spread),
                Column("more than the best", Difference, missing=""),
                Column("rounds/s", float),
            ],
            rows,
            note=f"{measure} ± sd over runs; difference at equal seeds [95 % interval]; median "
            "speed",
            best=0,
        )
        picture = Lines(
            f"{measure}-curves",
            f"Cumulative {measure}, mean over runs; bands are one standard deviation.",
            {title: findings.lines(self.data, ranked, f"{measure}s")},
            "round",
            f"cumulative {measure}",
        )
        verdict = _verdict(
            measure, [(each.label, spreads[each], differences.get(each)) for each in ranked]
        )
        tables = [table, *([summary_table(self.told)] if self.told else [])]
        return Section(self.id, title, f"{verdict} {how}", tables, [picture])

    def _spread(self, findings: Findings, policy: PolicySpec, measure: str) -> Spread:
        return Spread.of(list(findings.values(policy, self.data, measure).values()))


def _verdict(measure: str, ranked: Sequence[tuple[str, Spread, Difference | None]]) -> str:
    """Who won, by how much and how sure; and what the measure means."""
    meaning = (
        "Regret is the reward that the best choice in every round would have brought more: of a "
        "table, the number of wrong guesses."
        if measure == "regret"
        else "Reward is the sum over the rounds that count."
    )
    label, spread, _ = ranked[0]
    first = f"{label} has the {'least' if measure == 'regret' else 'most'} {measure}, {spread}"
    if len(ranked) == 1:
        return f"{first}; no other policy was played. {meaning}"
    other, _, difference = ranked[1]
    if difference is None:
        return f"{first}, before {other}; one run cannot tell luck from merit. {meaning}"
    sure = (
        "which is more than chance"
        if difference.low > 0.0 or difference.high < 0.0
        else "which may be chance"
    )
    return f"{first}; {other} is next, {difference} more, {sure}. {meaning}"


def _runs(scale: Scale) -> int:
    return scale.count(full=5, quick=2)


def _environment(
    data: str, encoding: str, rounds: int | None, options: Settings
) -> EnvironmentSpec:
    if is_file(data):
        settings = file_settings(data, options)
        return EnvironmentSpec(
            "classification", {**settings, "encoding": encoding, "rounds": rounds}
        )
    if given := [name for name, value in options.items() if value]:
        raise InvalidInput(given[0], "left out: it is for files, not for data sets by name", data)
    if data == "ca-astroph":
        raise InvalidInput("data", "a table or a log; see 'reproduce network' for the graph", data)
    find_dataset(data)
    if data == "news":
        if encoding != "standard":
            raise InvalidInput("encoding", "left out with news: shared, unit length", encoding)
        settings = {"contexts": "shared", "scale": "unit"}
        return EnvironmentSpec("replay", {**settings, "matches": rounds or 800})
    return EnvironmentSpec("classification", {"data": data, "encoding": encoding, "rounds": rounds})
