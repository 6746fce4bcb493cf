"""Policies side by side on one data set: what `hybandit compare` and `evaluate` have in common."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any, ClassVar, Self

from hybandit.experiments.experiment import Cell, Experiment, Scale
from hybandit.experiments.specs import EnvironmentSpec, PolicySpec


class SideBySide(Experiment):
    """Every policy in the same environment, with the same seeds.

    `told` is what the report says of the data themselves, which need not be there any more
    when it is written. A class says how its title is made of the data's name.
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
        """As JSON takes it; `read` makes it again, whether or not the data are still there."""
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

    def cells(self, scale: Scale) -> tuple[Cell, ...]:
        count, seed = run_count(scale), scale.seed
        return tuple(
            Cell.of(policy, self.data, self.environment, policy, runs=count, seed=seed)
            for policy in self.policies
        )


def run_count(scale: Scale) -> int:
    """How many runs every policy gets."""
    return scale.count(full=5, quick=2)


def compared(value: float, low: float, high: float, digits: int) -> str:
    """A difference in words, with its interval and whether chance alone may give it.

    Examples
    --------
    >>> compared(-12.5, -14.0, -11.0, 1)
    '12.5 less [11.0, 14.0; more than chance]'
    """
    sure = "more than chance" if low > 0.0 or high < 0.0 else "may be chance"
    word = "more" if value >= 0.0 else "less"
    if value < 0.0:
        value, low, high = -value, -high, -low
    return f"{value:,.{digits}f} {word} [{low:,.{digits}f}, {high:,.{digits}f}; {sure}]"
