"""Judging policies event by event, on a log or on parts of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from hybandit.datasets import Log
from hybandit.datasets.log import WHOLE, ArmLog, spans
from hybandit.errors import InvalidInput
from hybandit.evaluation import checks
from hybandit.evaluation.formulas import (
    FORMULAS,
    MEAN,
    WITH_MODEL,
    WITHOUT_PROPENSITIES,
    Events,
    Formula,
)
from hybandit.evaluation.intervals import Intervals, Moments
from hybandit.evaluation.models import FittedModel, ItemModel, LinearModel, Model, predictions
from hybandit.evaluation.progressive import (
    LEARN,
    TOGETHER,
    Always,
    Logged,
    Table,
    Tick,
    Walk,
    rows_of,
    scores_of,
)
from hybandit.evaluation.propensities import Estimated, EstimatedEvents
from hybandit.evaluation.tally import Tally, ValueEstimate
from hybandit.evaluation.value_estimators import DEFAULT, THRESHOLD, unheard_of
from hybandit.evaluation.watch import SMALL_SAMPLE, check_support
from hybandit.names import check_name
from hybandit.policies import ArmPolicy, ItemPolicy
from hybandit.validation.settings import one_of, size

ESTIMATED = (
    "the log has no propensities: they were ESTIMATED from the other columns, and all values "
    "depend on this estimate"
)
ESTIMATORS = tuple(FORMULAS)
# The fewest and the most events that a policy may learn at once.
LEARN_EVERY = size(1, 10_000_000)
# The most parts of a log that are gone through at the same time.
PARTS = 32
Judged = ArmPolicy | ItemPolicy | Always | Logged


@dataclass(frozen=True)
class Evaluation:
    """The estimates for a policy, the rule by which it learned, and warnings."""

    estimates: tuple[ValueEstimate, ...]
    learn: str
    notes: tuple[str, ...]


@dataclass(frozen=True)
class How:
    """How policies are judged on a log, as `evaluate` takes it."""

    by: tuple[str, ...] = ("ips", "snips", "doubly-robust")
    learn: str = "all"
    learn_every: int = 1
    matches: int | None = None
    threshold: float = THRESHOLD
    intervals: Intervals = DEFAULT

    def check(self) -> None:
        one_of(*LEARN).check("learn", self.learn)
        LEARN_EVERY.check("learn_every", self.learn_every)
        for name in self.by:
            check_name("by", "estimator", name, ESTIMATORS)
        if not self.by or ("replay" in self.by and len(self.by) > 1):
            raise InvalidInput("by", "one or more estimators; 'replay' stands alone", list(self.by))
        checks.matches(self.matches, self.by)
        checks.threshold(self.threshold)
        checks.intervals(self.intervals)


def with_propensities(log: Log, how: How) -> Log:
    """The log, with estimated propensities if it lacks those that the estimators need."""
    if log.has_propensities or set(how.by) <= set(WITHOUT_PROPENSITIES):
        return log
    assert isinstance(log, ArmLog)
    return Estimated(log)


def walked(
    policies: Sequence[Judged],
    log: Log,
    how: How,
    *,
    part: slice = WHOLE,
    model: Model | None = None,
    tick: Tick | None = None,
) -> list[Sums]:
    """What a way through a log, or one of its `parts_of`, says of each policy.

    Sums over the parts are added up in order, wherever they were computed: the last digits are
    those of one way through the whole log.
    """
    judges = [Judge(policy, log, how) for policy in policies]
    if model is None and any(name in WITH_MODEL for name in how.by):
        model = _model(log, by_event=any(judge.learns_each for judge in judges))
    rows, size = _sizes(log, how, fixed=all(judge.fixed for judge in judges))
    found: list[Sums] = []
    first = part.start
    for batch in log.batches(rows, part):
        if first > part.start and first % size == 0:
            found = added(found, [judge.sums for judge in judges])
            for judge in judges:
                judge.begin()
        values = None if model is None else predictions(model, batch, first)
        for judge in judges:
            judge.add(first, batch, values, tick if judge is judges[0] else None)
        first += len(batch)
    return added(found, [judge.sums for judge in judges])


def parts_of(log: Log, how: How) -> list[slice]:
    """Parts on which policies that learn nothing can be judged at the same time, anywhere.

    Only the whole log, if a model or replay has to go through it in order.
    """
    if log.of_items or "replay" in how.by:
        return [WHOLE]
    return list(spans(len(log), _sizes(log, how, fixed=True)[1]))


def _sizes(log: Log, how: How, *, fixed: bool) -> tuple[int, int]:
    """How many events a batch holds, and how many a part: whole batches."""
    if not fixed:
        return rows_of(log, how.learn_every), len(log)
    rows = min(rows_of(log), -(-len(log) // (PARTS * TOGETHER)) * TOGETHER)
    return rows, -(-len(log) // (PARTS * rows)) * rows


def concluded(
    policies: Sequence[Judged], log: Log, how: How, sums: Sequence[Sums]
) -> list[Evaluation]:
    """The estimates for each policy, by its sums over the whole log."""
    notes = [ESTIMATED] if isinstance(log, Estimated) else []
    return [
        Judge(policy, log, how).judged(each, notes)
        for policy, each in zip(policies, sums, strict=True)
    ]


class Sums:
    """What the events of a log, or of a part of it, say of a policy."""

    def __init__(self, formulas: Sequence[Formula], count: int, how: How) -> None:
        self.tallies = [
            Tally(each, count, intervals=how.intervals, threshold=how.threshold)
            for each in formulas
        ]
        self.weights = Moments()
        self.squares = self.lost = self.doubt = 0.0

    def add(self, first: int, events: Events, lost: float = 0.0, doubts: Any = None) -> None:
        """Add consecutive events; `lost` is the probability of arms that are never logged."""
        for tally in self.tallies:
            tally.add(first, events)
        if not len(events.target):
            return
        weights = events.weights
        self.weights.add(weights, np.ones(len(weights)))
        self.squares += float(np.square(weights).sum())
        self.lost += lost
        if doubts is not None:
            self.doubt += float(weights @ doubts)

    def join(self, other: Sums) -> None:
        """Add what was summed of later events."""
        for mine, theirs in zip(self.tallies, other.tallies, strict=True):
            mine.join(theirs)
        self.weights.join(other.weights)
        self.squares += other.squares
        self.lost += other.lost
        self.doubt += other.doubt


def added(found: list[Sums], more: list[Sums]) -> list[Sums]:
    """The sums of each policy, with those of the next part of the log."""
    if not found:
        return more
    for mine, theirs in zip(found, more, strict=True):
        mine.join(theirs)
    return found


class Judge:
    """A policy on its way through a log, and the sums of its estimators."""

    def __init__(self, policy: Judged, log: Log, how: How) -> None:
        self._log, self._how, self._policy = log, how, policy
        self._walk = Walk(policy, learn=how.learn, every=how.learn_every)
        self._never = None if log.of_items else log.facts.chosen == 0
        self.begin()

    def begin(self) -> None:
        """Begin with new sums."""
        logged = isinstance(self._policy, Logged)
        formulas = [MEAN] if logged else [FORMULAS[name] for name in self._how.by]
        self.sums = Sums(formulas, len(self._log), self._how)

    @property
    def fixed(self) -> bool:
        """Whether it learns nothing on the way."""
        return self._walk.fixed

    @property
    def learns_each(self) -> bool:
        """Whether it learns every event at once."""
        return not self._walk.fixed and self._how.learn_every == 1

    def add(self, first: int, batch: Any, values: Table | None, tick: Tick | None) -> None:
        rewards = np.asarray(batch.rewards, np.float64)
        if isinstance(self._policy, Logged):
            self.sums.add(first, Events(rewards))
            if tick is not None:
                tick(len(batch))
            return
        chances = self._walk.chances(batch, tick)
        scores = scores_of(batch, chances, values, never=self._never, threshold=self._how.threshold)
        logged = batch.logged_propensities
        events = Events(
            rewards, np.ones(len(batch)) if logged is None else logged,
            scores.target, scores.predicted, scores.expected, scores.beyond,
        )  # fmt: skip
        doubts = batch.doubts if isinstance(batch, EstimatedEvents) else None
        self.sums.add(first, events, float(scores.lost.sum()), doubts)

    def judged(self, sums: Sums, notes: Sequence[str]) -> Evaluation:
        """The estimates by sums over the whole log."""
        found = tuple(tally.estimate() for tally in sums.tallies)
        if isinstance(self._policy, Logged):
            return Evaluation(found, "nothing", ())
        lost = check_support(self._log, sums.lost / len(self._log))
        never = [f"{lost:.2%} of the policy's choices are never logged"] if lost else []
        if not sums.weights.means[0] and set(self._how.by) != {"direct"}:
            raise unheard_of()
        weak = self._weak_points(sums) if self._log.has_propensities else []
        return Evaluation(found, self._how.learn, (*notes, *never, *weak))

    def _weak_points(self, sums: Sums) -> list[str]:
        """Notes on weights that suggest few effective events, or wrong propensities."""
        notes = []
        count, mean = sums.weights.count, float(sums.weights.means[0])
        if (mean * count) ** 2 / sums.squares < SMALL_SAMPLE:
            notes.append(
                f"the effective sample is small: the log says no more than {SMALL_SAMPLE} events "
                "of equal weight would"
            )
        chance = sums.weights.variance(0.0) / count
        if isinstance(self._log, Estimated):
            # An estimate from few events adds its own error, and 1 / p is on average too large.
            chance += sums.weights.variance(0.0) / self._log.model.events
        allowed = 4.0 * np.sqrt(chance) + sums.doubt / count + 1e-9
        if abs(mean - 1.0) > allowed:
            notes.append(
                f"the weights are too {'large' if mean > 1.0 else 'small'} on average: the "
                "propensities may not be those of the logged arms"
            )
        return notes


def _model(log: Log, *, by_event: bool) -> Model:
    if log.of_items:
        return ItemModel(*log.sizes)
    if by_event:
        return LinearModel(*log.sizes)
    assert isinstance(log, ArmLog)
    return FittedModel(log)
