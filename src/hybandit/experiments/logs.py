"""Logs of decisions that policies are evaluated on, as tasks."""

from __future__ import annotations

import json
import time
import warnings
from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import asdict, dataclass, field, replace
from functools import lru_cache, partial, reduce
from typing import Any, ClassVar, NamedTuple
from weakref import WeakValueDictionary

from hybandit.datasets import EventLog, Log, Reading, StreamedLog, find_dataset, is_file
from hybandit.environments.play import seconds_since
from hybandit.errors import InvalidInput, ScaleWarning, StoreError, function
from hybandit.evaluation import (
    Course,
    Evaluation,
    How,
    ItemLog,
    StreamedItemLog,
    ValueEstimate,
    evaluate_many,
)
from hybandit.evaluation.evaluate import evaluate_part, one_thread
from hybandit.evaluation.formulas import WITH_MODEL
from hybandit.evaluation.intervals import Interval
from hybandit.evaluation.judging import Judged, added, concluded, parts_of, with_propensities
from hybandit.evaluation.models import FittedModel
from hybandit.evaluation.progressive import Tick
from hybandit.experiments.log_players import ALWAYS, LOGGED, chooses_arms, policy_for
from hybandit.experiments.runs import Run
from hybandit.experiments.specs import PolicySpec, Settings, canonical
from hybandit.experiments.task_environment import TaskEnvironment
from hybandit.experiments.user_files import file_identity, logged, logged_choices
from hybandit.features import encode
from hybandit.workers import count, given

DEFAULT_ESTIMATORS = ("ips", "snips", "doubly-robust")
_tick: ContextVar[Tick | None] = ContextVar("tick", default=None)


# Logs of items by their fingerprints, as long as somebody holds them.
_held: WeakValueDictionary[str, ItemLog] = WeakValueDictionary()


class Prepared(NamedTuple):
    """A log with the propensities and the fitted model that the estimators need."""

    log: Log
    model: FittedModel | None


@dataclass(frozen=True)
class JudgingTask(TaskEnvironment):
    """A log, and how policies are judged on it.

    `content` is the sha256 of the log. `estimators`, `learn`, `learn_every` and `matches`: as for
    `hybandit.evaluation.evaluate`.
    """

    data: str
    content: str | None = None
    estimators: Sequence[str] = DEFAULT_ESTIMATORS
    learn: str = "all"
    learn_every: int = 1
    matches: int | None = None

    @abstractmethod
    def log(self) -> Log:
        """The log as it was read, propensities and all."""

    def prepared(self) -> Prepared:
        """The log with all that the estimators need; a worker was handed it."""
        found: Prepared | None = given(self._name)
        return self._prepared() if found is None else found

    def handed(self) -> dict[str, Any]:
        return {self._name: self.prepared()}

    def _prepared(self) -> Prepared:
        return Prepared(self.log(), None)

    @property
    def _name(self) -> str:
        return canonical(asdict(self))

    @property
    def how(self) -> How:
        """How policies are judged; replay, which stands alone, is apart."""
        return How(tuple(self.estimators), self.learn, self.learn_every, self.matches)

    @abstractmethod
    def reading(self) -> Reading | None:
        """A report of what was read, if the log is a user's table."""

    def notes(self) -> list[str]:
        """What a reader should know of how the log was read."""
        return []

    def fixed(self, policy: PolicySpec) -> bool:
        """Whether a policy learns nothing on the way, and so can share it with others."""
        return self.learn == "nothing" or policy.name in (ALWAYS, LOGGED)

    def together(self, policies: Sequence[PolicySpec]) -> list[list[PolicySpec]]:
        """Those that learn nothing share the way through the log, in pieces that fill the end."""
        fixed = [policy for policy in policies if self.fixed(policy)]
        others = [[policy] for policy in policies if not self.fixed(policy)]
        return [*others, fixed] if fixed else others

    def run(self, policy: PolicySpec, seed: int) -> Run:
        (run,) = self.run_all([policy], seed)
        return run

    def run_all(self, policies: Sequence[PolicySpec], seed: int) -> list[Run]:
        """Judge several policies on one way through the log."""
        return self.runs_on(self.prepared(), policies, seed)

    def runs_on(self, prepared: Prepared, policies: Sequence[PolicySpec], seed: int) -> list[Run]:
        start, log = time.process_time(), prepared.log
        at_once = self.learn_every > 1 or all(map(self.fixed, policies))
        found = estimates(
            [partial(policy_for, log, policy, seed) for policy in policies],
            log,
            self.estimators,
            learn=self.learn,
            learn_every=self.learn_every,
            matches=self.matches,
            model=prepared.model if at_once else None,
            tick=_tick.get() or count,
        )
        return _runs(found, len(log), seconds_since(start))

    def pieces(self, policies: Sequence[PolicySpec]) -> int:
        """One for each part of the log, if nothing is learned on the way."""
        if not all(map(self.fixed, policies)):
            return 1
        return len(parts_of(self.prepared().log, self.how))

    def run_piece(self, policies: Sequence[PolicySpec], seed: int, number: int) -> Any:
        if self.pieces(policies) == 1:
            return self.run_all(policies, seed)
        start, (log, model) = time.process_time(), self.prepared()
        chosen = [policy_for(log, policy, seed) for policy in policies]
        part = parts_of(log, self.how)[number]
        sums = evaluate_part(chosen, log, self.how, part, model=model, tick=_tick.get() or count)
        return sums, seconds_since(start)

    def joined(self, policies: Sequence[PolicySpec], seed: int, pieces: Sequence[Any]) -> list[Run]:
        if len(pieces) == 1:
            return super().joined(policies, seed, pieces)
        log = self.prepared().log
        chosen = [policy_for(log, policy, seed) for policy in policies]
        sums = reduce(added, (found for found, _ in pieces))
        found = concluded(chosen, log, self.how, sums)
        return _runs(found, len(log), sum(seconds for _, seconds in pieces))


@dataclass(frozen=True)
class LogTask(JudgingTask):
    """A file by path, or a log of the catalogue by name.

    `options`: how it is read, as for `open_log`; of the catalogue's only `scaling`.
    """

    options: Settings = field(default_factory=dict)

    results_version: ClassVar[int] = 2

    @property
    def dataset_name(self) -> str | None:
        return None if is_file(self.data) else self.data

    def identity(self) -> Settings:
        settings = super().identity()
        return file_identity(settings) if is_file(self.data) else settings

    @property
    def size(self) -> tuple[int, int]:
        log = self.log()
        return len(log), log.sizes[1]

    def log(self) -> EventLog | StreamedLog:
        if is_file(self.data):
            return logged(self.data, self.content, self.options)[0]
        return named_log(self.data, self.options.get("scaling", "standard"))

    def _prepared(self) -> Prepared:
        return _prepared(self.data, self.content, canonical(self.options), tuple(self.estimators))

    def reading(self) -> Reading | None:
        if is_file(self.data):
            return logged(self.data, self.content, self.options)[1]
        return None


@dataclass(frozen=True)
class ItemLogTask(JudgingTask):
    """A log of items that is in this process, such as a loop's journal.

    `data` is its name for people.
    """

    results_version: ClassVar[int] = 2

    @classmethod
    def held(cls, log: ItemLog) -> Settings:
        """What identifies a log, which must outlive its tasks."""
        log.check()
        _held[log.fingerprint] = log
        return {"content": log.fingerprint}

    def identity(self) -> Settings:
        return super().identity() | {"data": "items"}

    @property
    def size(self) -> tuple[int, int]:
        log = self.log()
        return len(log), sum(log.sizes)

    def run_all(self, policies: Sequence[PolicySpec], seed: int) -> list[Run]:
        """Policies of arms are judged on the same log as one of arms, if it is such a one."""
        items = self.prepared().log
        assert isinstance(items, ItemLog)
        arms = items.of_arms() if any(map(chooses_arms, policies)) else None
        found: dict[PolicySpec, Run] = {}
        for log, wanted in ((items, False), (arms, True)):
            part = [each for each in policies if chooses_arms(each) is wanted]
            if part and log is not None:
                runs = self.runs_on(Prepared(log, None), part, seed)
                found |= dict(zip(part, runs, strict=True))
        return [found[policy] for policy in policies]

    def log(self) -> ItemLog:
        found = _held.get(self.content or "")
        if found is None:
            raise StoreError(f"the log of {self.data} is not in this process: evaluate it again")
        return found

    def reading(self) -> None:
        return None


@dataclass(frozen=True)
class DsjsonTask(JudgingTask):
    """A log of Vowpal Wabbit or Personalizer, by path."""

    options: Settings = field(default_factory=dict)

    results_version: ClassVar[int] = 2

    def identity(self) -> Settings:
        return file_identity(super().identity())

    @property
    def size(self) -> tuple[int, int]:
        log = self.log()
        return len(log), sum(log.sizes)

    def log(self) -> StreamedItemLog:
        return logged_choices(self.data, self.content)

    def reading(self) -> None:
        return None

    def notes(self) -> list[str]:
        return list(self.log().notes)


@contextmanager
def ticking(tick: Tick) -> Iterator[None]:
    """Have `tick` called with every event that a task of this thread goes through."""
    token = _tick.set(tick)
    try:
        yield
    finally:
        _tick.reset(token)


def estimates(
    makers: Sequence[Callable[[], Judged]],
    log: Log,
    by: Sequence[str],
    *,
    learn: str = "all",
    learn_every: int = 1,
    matches: int | None = None,
    model: FittedModel | None = None,
    tick: Tick | None = None,
) -> list[Evaluation]:
    """Estimates for policies by all these estimators; replay, which learns differently, is apart.

    Warnings become notes.
    """
    parts: list[list[Evaluation]] = []
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for names in walks_of(by):
            stop = matches if "replay" in names else None
            how = How(tuple(names), learn, learn_every, stop)
            policies = [make() for make in makers]
            parts.append(evaluate_many(policies, log, how, model=model, tick=tick))
    scales = [str(each.message) for each in caught if issubclass(each.category, ScaleWarning)]
    for warning in caught:
        if not issubclass(warning.category, ScaleWarning):
            warnings.warn_explicit(
                warning.message, warning.category, warning.filename, warning.lineno
            )
    order = {name: place for place, name in enumerate(by)}
    found = []
    for policy, *of_walks in zip(policies, *parts, strict=True):
        by_name = {each.estimator: each for part in of_walks for each in part.estimates}
        ranked = sorted(by_name.values(), key=lambda each: order.get(each.estimator, 0))
        notes = [note for part in of_walks for note in part.notes]
        notes += [scale for scale in scales if f" {getattr(policy, 'name', '?')} " in scale]
        found.append(Evaluation(tuple(ranked), learn, tuple(dict.fromkeys(notes))))
    return found


def walks_of(by: Sequence[str]) -> list[list[str]]:
    """The estimators of each way through a log."""
    others = [name for name in by if name != "replay"]
    return [*([["replay"]] if "replay" in by else []), *([others] if others or not by else [])]


def learned_from(estimator: str, learn: str) -> str:
    """What a policy learned from; replay has a rule of its own."""
    return "matched" if estimator == "replay" and learn == "all" else learn


def written(evaluation: Evaluation) -> dict[str, Any]:
    """Estimates as JSON, which `read_estimates` reads."""
    return {"estimates": [asdict(each) for each in evaluation.estimates]}


def read_estimates(extra: dict[str, Any]) -> list[ValueEstimate]:
    return [
        ValueEstimate(
            **{
                **each,
                "bootstrap": Interval(*each["bootstrap"]),
                "sure": Interval(*each["sure"]),
                "course": Course(**{key: tuple(values) for key, values in each["course"].items()}),
            }
        )
        for each in extra["estimates"]
    ]


@lru_cache(maxsize=2)
def named_log(name: str, scaling: str) -> EventLog:
    """A log of the catalogue, each row of features of an arm scaled like a row of a table."""
    import pandas as pd

    log = find_dataset(name).load()
    if not isinstance(log, EventLog):
        raise InvalidInput("log", f"a log of decisions; tables are for {function('compare')}", name)
    features = log.features
    flat = features.reshape(-1, features.shape[-1])
    return replace(log, features=encode(pd.DataFrame(flat), scaling).reshape(features.shape))


@lru_cache(maxsize=1)
def _prepared(
    data: str, content: str | None, options: str, estimators: tuple[str, ...]
) -> Prepared:
    """The log with its models, once for all policies."""
    log = LogTask(data, content, options=json.loads(options)).log()
    with one_thread():
        model = FittedModel(log) if set(estimators) & set(WITH_MODEL) else None
    return Prepared(with_propensities(log, How(estimators)), model)


def _runs(found: Sequence[Evaluation], events: int, seconds: float) -> list[Run]:
    return [
        Run(
            events, each.estimates[0].value * events, None, seconds / len(found),
            extra=written(each) | {"notes": list(each.notes)},
        )
        for each in found
    ]  # fmt: skip
