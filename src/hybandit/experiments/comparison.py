"""Policies side by side on one data set: what `hybandit compare` runs."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from hybandit.datasets import find_dataset, is_file
from hybandit.errors import DataFileError, InvalidInput
from hybandit.experiments.environments import content_of
from hybandit.experiments.experiment import Cell, Experiment, Findings, Scale
from hybandit.experiments.section import Column, Lines, Section, Table
from hybandit.experiments.specs import EnvironmentSpec, PolicySpec
from hybandit.experiments.spread import Difference, Spread
from hybandit.experiments.tasks import parse_policies

DEFAULT_POLICIES = (
    "stacked-hybrid,lnucb-ta,lin-knn-ucb,lin-ucb,lin-ts:v=0.1,knn-ucb:theta=0.1,epsilon-greedy,ucb"
)


class Comparison(Experiment):
    """Every policy on the same data and the same seeds."""

    id = "compare"

    def __init__(
        self, data: str, environment: EnvironmentSpec, policies: Sequence[PolicySpec]
    ) -> None:
        self.data = data
        self.environment = environment
        self.policies = tuple(policies)
        self.title = f"Policies on {data}"

    @classmethod
    def of(
        cls,
        data: str = "digits",
        policies: str = DEFAULT_POLICIES,
        *,
        encoding: str = "standard",
        rounds: int | None = None,
    ) -> Comparison:
        """From what the command line says."""
        environment = _environment(data, encoding, rounds)
        return cls(Path(data).name, environment, parse_policies(policies))

    def written(self) -> dict[str, Any]:
        """As JSON takes it; `read` makes it again, whether or not the data are still there."""
        return {
            "data": self.data,
            "environment": asdict(self.environment),
            "policies": [asdict(policy) for policy in self.policies],
        }

    @classmethod
    def read(cls, written: dict[str, Any]) -> Comparison:
        policies = [PolicySpec(**policy) for policy in written["policies"]]
        return cls(written["data"], EnvironmentSpec(**written["environment"]), policies)

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
        about = (
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
        rows: list[list[Any]] = [
            [
                policy.label,
                spreads[policy],
                None if policy == best else findings.difference(policy, best, self.data, measure),
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
        return Section(self.id, title, about, [table], [picture])

    def _spread(self, findings: Findings, policy: PolicySpec, measure: str) -> Spread:
        return Spread.of(list(findings.values(policy, self.data, measure).values()))


def _runs(scale: Scale) -> int:
    return scale.count(full=5, quick=2)


def _environment(data: str, encoding: str, rounds: int | None) -> EnvironmentSpec:
    if is_file(data):
        path = Path(data).resolve()
        if not path.is_file():
            raise DataFileError(f"there is no file {data}")
        # The content belongs to the key: an edited file is another experiment.
        settings = {"data": str(path), "content": content_of(str(path))}
        return EnvironmentSpec(
            "classification", {**settings, "encoding": encoding, "rounds": rounds}
        )
    if data == "ca-astroph":
        raise InvalidInput("data", "a table or a log; see 'reproduce network' for the graph", data)
    find_dataset(data)
    if data == "news":
        if encoding != "standard":
            raise InvalidInput("encoding", "left out with news: shared, unit length", encoding)
        settings = {"contexts": "shared", "scale": "unit"}
        return EnvironmentSpec("replay", {**settings, "matches": rounds or 800})
    return EnvironmentSpec("classification", {"data": data, "encoding": encoding, "rounds": rounds})
