"""What all environments of tasks have in common."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import ClassVar

from hybandit.datasets import Dataset, find_dataset
from hybandit.experiments.runs import Run
from hybandit.experiments.specs import PolicySpec, Settings


@dataclass(frozen=True)
class TaskEnvironment(ABC):
    """Base of the environments that a task can name; the fields of a subclass are its settings.

    `results_version` is raised when the rounds of an environment change: stored runs of another
    version are kept and not used.
    """

    results_version: ClassVar[int]

    @property
    def dataset_name(self) -> str | None:
        """The data set of the catalogue that the environment reads, None if it reads none."""
        return None

    @property
    def datasets(self) -> tuple[Dataset, ...]:
        """The data sets whose files must be there."""
        return (find_dataset(self.dataset_name),) if self.dataset_name else ()

    def identity(self) -> Settings:
        """Everything that the results depend on, with data by their checksum."""
        contents = [dataset.checksum for dataset in self.datasets]
        return asdict(self) | ({"content": contents[0]} if contents else {})

    @property
    @abstractmethod
    def size(self) -> tuple[int, int]:
        """About how many rounds of how many features there are."""

    def together(self, policies: Sequence[PolicySpec]) -> list[list[PolicySpec]]:
        """Which policies are better run at once: here, each alone."""
        return [[policy] for policy in policies]

    def run_all(self, policies: Sequence[PolicySpec], seed: int) -> list[Run]:
        """Play several policies with this seed, in this process."""
        return [self.run(policy, seed) for policy in policies]

    @abstractmethod
    def run(self, policy: PolicySpec, seed: int) -> Run:
        """Play one policy with this seed, in this process."""
