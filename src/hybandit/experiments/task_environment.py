"""What all environments of tasks have in common."""

from __future__ import annotations

import warnings
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any, ClassVar

from hybandit.datasets import Dataset, find_dataset
from hybandit.environments import Environment, ItemEnvironment, play, play_items
from hybandit.environments.rounds import is_of_items, sizes_of
from hybandit.errors import ScaleWarning
from hybandit.experiments.compiling import warm_up
from hybandit.experiments.players import find_player
from hybandit.experiments.runs import Run
from hybandit.experiments.specs import PolicySpec, Settings

World = Environment | ItemEnvironment


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

    def handed(self) -> dict[str, Any]:
        """What workers are handed instead of reading it again, by name."""
        return {}

    def pieces(self, policies: Sequence[PolicySpec]) -> int:
        """Into how many pieces, for as many workers, a run of these policies is cut."""
        return 1

    def run_piece(self, policies: Sequence[PolicySpec], seed: int, number: int) -> Any:
        """One of the pieces, for `joined`."""
        return self.run_all(policies, seed)

    def joined(self, policies: Sequence[PolicySpec], seed: int, pieces: Sequence[Any]) -> list[Run]:
        """The runs, from all pieces in order."""
        (runs,) = pieces
        found: list[Run] = runs
        return found

    @abstractmethod
    def run(self, policy: PolicySpec, seed: int) -> Run:
        """Play one policy with this seed, in this process."""


@dataclass(frozen=True)
class ArmsTask(TaskEnvironment):
    """Base of the environments with fixed arms."""

    @abstractmethod
    def world(self, seed: int) -> Environment:
        """The rounds of a run."""

    def run(self, policy: PolicySpec, seed: int) -> Run:
        return played(policy, self.world(seed), seed)


def played(policy: PolicySpec, environment: World, seed: int) -> Run:
    """Play a policy once through an environment; kernels are compiled before it is timed."""
    warm_up(policy, size_of(environment))
    player = find_player(policy.name)
    make = player.on_items if is_of_items(environment) else player.on_arms
    # The experiment says how tables are encoded, and the paper's raw columns are intended.
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ScaleWarning)
        return run_of(partial(make, seed=seed, settings=policy.settings), environment)


def size_of(environment: World) -> tuple[int, int]:
    """How many rounds of how many features there are."""
    first, second = sizes_of(environment)
    return len(environment), first + second if is_of_items(environment) else second


def run_of(make: Callable[[int, int], Any], environment: Any) -> Run:
    """Play what `make` makes for the sizes of an environment, of arms or of items."""
    plays = play_items if is_of_items(environment) else play
    return Run.of(plays(make(*sizes_of(environment)), environment))
