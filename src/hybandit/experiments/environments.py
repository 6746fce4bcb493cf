"""The environments that a task can name, and the data they read."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field, fields
from functools import lru_cache
from typing import Any, ClassVar

import numpy as np

from hybandit.datasets import (
    EventLog,
    Table,
    find_dataset,
    is_file,
)
from hybandit.environments import (
    Classification,
    PlainWorld,
    Replay,
    Synthetic,
)
from hybandit.environments.classification import CERTAIN
from hybandit.errors import HybanditError, InvalidInput, UnknownName, function
from hybandit.experiments.item_environments import ItemReplayTask, ItemsTask
from hybandit.experiments.logs import DsjsonTask, ItemLogTask, LogTask
from hybandit.experiments.own_environment import OwnTask
from hybandit.experiments.runs import Run
from hybandit.experiments.specs import EnvironmentSpec, PolicySpec, Settings, canonical
from hybandit.experiments.task_environment import ArmsTask, TaskEnvironment, played
from hybandit.experiments.user_files import file_identity, labelled
from hybandit.features import OnlineRows, encode, unit_rows
from hybandit.names import suggestion
from hybandit.state import Floats, Integers

# The default number of rounds is the whole table, but at most the paper's T.
MOST_ROUNDS = 10_000


@dataclass(frozen=True)
class ClassificationTask(ArmsTask):
    """A data set by name, or a file by path with its sha256 as `content`.

    `options`: how the file is read, as for `read_labelled`. `rounds`: default all rows, at
    most 10,000. `rewards` and `probabilities`: of a wrong and a right choice, as for
    `Classification`.
    """

    data: str
    encoding: str = "standard"
    rounds: int | None = None
    rewards: tuple[float, float] = (0.0, 1.0)
    probabilities: tuple[float, float] = (0.0, 1.0)
    content: str | None = None
    options: Settings = field(default_factory=dict)

    results_version: ClassVar[int] = Classification.results_version

    @property
    def dataset_name(self) -> str | None:
        return None if is_file(self.data) else self.data

    def identity(self) -> Settings:
        settings = super().identity()
        if is_file(self.data):
            return file_identity(settings)
        del settings["options"]
        return settings

    @property
    def size(self) -> tuple[int, int]:
        if is_file(self.data):
            rows, columns = read_table(self.data, self.content, self.options).frame.shape
        else:
            dataset = find_dataset(self.data)
            rows, columns = dataset.rows, dataset.features
        return self.rounds or min(rows, MOST_ROUNDS), max(columns, 1)

    def world(self, seed: int) -> Classification:
        table = read_table(self.data, self.content, self.options)
        return Classification(
            _table_contexts(self.data, self.encoding, self.content, canonical(self.options)),
            table.labels,
            seed=seed,
            rounds=self.rounds or min(len(table.labels), MOST_ROUNDS),
            rewards=(self.rewards[0], self.rewards[1]),
            probabilities=(self.probabilities[0], self.probabilities[1]),
        )

    def run(self, policy: PolicySpec, seed: int) -> Run:
        environment = self.world(seed)
        run = played(policy, environment, seed)
        if environment.probabilities != CERTAIN:
            run.extra["frequencies"] = frequencies(environment.classes())
        return run


@dataclass(frozen=True)
class ReplayTask(ArmsTask):
    """The news log: contexts ``arm`` or ``shared``; scale ``raw``, ``unit`` or ``standard``."""

    contexts: str = "arm"
    scale: str = "raw"
    matches: int = 800

    results_version: ClassVar[int] = Replay.results_version

    @property
    def dataset_name(self) -> str:
        return "news"

    @property
    def size(self) -> tuple[int, int]:
        return self.matches, 100 if self.contexts == "shared" else 10

    def world(self, seed: int) -> Replay:
        """The same rounds, whatever the seed."""
        log = news_log(self.contexts, self.scale)
        return Replay(
            log.arms, log.rewards, log.features, contexts=self.contexts, matches=self.matches
        )


@dataclass(frozen=True)
class SyntheticTask(ArmsTask):
    """The settings of `Synthetic`."""

    kind: str
    n_arms: int = 5
    n_features: int = 10
    rounds: int = 10_000
    noise: float = 0.1

    results_version: ClassVar[int] = Synthetic.results_version

    @property
    def size(self) -> tuple[int, int]:
        return self.rounds, self.n_features

    def world(self, seed: int) -> Synthetic:
        return Synthetic(seed=seed, **asdict(self))


@dataclass(frozen=True)
class PlainTask(ArmsTask):
    """The settings of `PlainWorld`."""

    kind: str
    rounds: int = 20_000

    results_version: ClassVar[int] = PlainWorld.results_version

    @property
    def size(self) -> tuple[int, int]:
        return self.rounds, self.world(0).n_features

    def world(self, seed: int) -> PlainWorld:
        return PlainWorld(self.kind, rounds=self.rounds, seed=seed)


ENVIRONMENTS: dict[str, type[TaskEnvironment]] = {
    "classification": ClassificationTask,
    "replay": ReplayTask,
    "synthetic": SyntheticTask,
    "plain": PlainTask,
    "log": LogTask,
    "item-log": ItemLogTask,
    "dsjson": DsjsonTask,
    "items": ItemsTask,
    "items-replay": ItemReplayTask,
    "own": OwnTask,
}


def register_environment(name: str, kind: type[TaskEnvironment]) -> None:
    """Let tasks name one more environment, from a room above or a package of one's own."""
    if ENVIRONMENTS.setdefault(name, kind) is not kind:
        raise HybanditError(f"the environment name {name!r} is taken")


@lru_cache(maxsize=256)
def make_environment(spec: EnvironmentSpec) -> TaskEnvironment:
    """The environment of a spec, with every default filled in."""
    if spec.name not in ENVIRONMENTS:
        near = suggestion(spec.name, ENVIRONMENTS)
        raise UnknownName(f"no environment is called {spec.name!r}{near}")
    kind: Any = ENVIRONMENTS[spec.name]
    known = [entry.name for entry in fields(kind)]
    for key in spec.settings:
        if key not in known:
            raise UnknownName(f"{spec.name} has no setting {key!r}{suggestion(key, known)}")
    made: TaskEnvironment = kind(**spec.settings)
    return made


def frequencies(classes: Integers) -> dict[str, float]:
    """The frequency of the most frequent class: in all rounds, and in the last quarter."""
    late = classes[len(classes) - len(classes) // 4 :]
    return {
        name: float(np.bincount(part).max() / len(part))
        for name, part in (("all", classes), ("late", late))
    }


def read_table(data: str, content: str | None = None, options: Settings | None = None) -> Table:
    """Read a data set by name, or a file by path, whose content must have this checksum."""
    if is_file(data):
        return labelled(data, content, options or {})[0]
    return _named_table(data)


@lru_cache(maxsize=2)
def _named_table(name: str) -> Table:
    table = find_dataset(name).load()
    if not isinstance(table, Table):
        raise InvalidInput("data", f"a table; a log is for {function('evaluate')}", name)
    return table


@lru_cache(maxsize=4)
def _table_contexts(
    data: str, encoding: str, content: str | None, options: str
) -> Floats | OnlineRows:
    """The contexts of a data set, once for all its runs; the options are JSON."""
    return read_table(data, content, json.loads(options)).contexts(encoding)


@lru_cache(maxsize=4)
def news_log(contexts: str, scale: str) -> EventLog:
    """The news log, with the features of each context scaled."""
    log: EventLog = find_dataset("news").load()
    features = log.features
    flat = features.reshape(len(features), -1) if contexts == "shared" else features.reshape(-1, 10)
    if scale == "unit":
        flat = unit_rows(flat)
    elif scale == "standard":
        import pandas as pd

        flat = encode(pd.DataFrame(flat), "standard-raw")
    return EventLog(log.arms, log.rewards, flat.reshape(features.shape))
