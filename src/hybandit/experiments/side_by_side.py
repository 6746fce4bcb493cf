"""Policies side by side on one data set: the base of `hybandit compare` and `evaluate`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any, ClassVar, Self

from hybandit.experiments.experiment import Cell, Effort, Experiment
from hybandit.experiments.specs import EnvironmentSpec, PolicySpec


class SideBySide(Experiment):
    """Every policy in the same environment, with the same seeds.

    `told` is what the report says about the data, which may be gone when it is written.
    `titled` is the form of the title, with a place for the name of the data.
    """

    titled: ClassVar[str]

    def __init__(
        self,
        data: str,
        environment: EnvironmentSpec,
        policies: Sequence[PolicySpec],
        told: dict[str, Any] | None = None,
    ) -> None:
        self.data = data
        self.environment = environment
        self.policies = tuple(dict.fromkeys(policies))
        self.told = told or {}
        self.title = self.titled.format(data)

    def written(self) -> dict[str, Any]:
        """The experiment as JSON, which `read` reads even if the data are gone."""
        return {
            "data": self.data,
            "environment": asdict(self.environment),
            "policies": [asdict(policy) for policy in self.policies],
            "told": self.told,
        }

    @classmethod
    def read(cls, written: dict[str, Any]) -> Self:
        policies = [PolicySpec(**policy) for policy in written["policies"]]
        environment = EnvironmentSpec(**written["environment"])
        return cls(written["data"], environment, policies, written["told"])

    def _cells(self, effort: Effort) -> tuple[Cell, ...]:
        seeds = range(effort.seed, effort.seed + run_count(effort))
        return tuple(
            Cell.of(policy, self.data, self.environment, policy, seeds) for policy in self.policies
        )


def run_count(effort: Effort) -> int:
    """How many runs every policy gets."""
    return effort.count(full=5, quick=2)
