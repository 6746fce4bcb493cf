"""Evaluation of policies on a log by several estimators."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from hybandit.datasets import EventLog, Log, check_arms
from hybandit.errors import EvaluationWarning, InvalidInput, Unquoted
from hybandit.evaluation import checks
from hybandit.evaluation.formulas import (
    FORMULAS,
    MEAN,
    WITH_MODEL,
    WITHOUT_PROPENSITIES,
    Events,
)
from hybandit.evaluation.intervals import Intervals, Moments
from hybandit.evaluation.item_log import ItemLog
from hybandit.evaluation.models import (
    ItemModel,
    LinearModel,
    RewardModel,
    SteppedModel,
    predictions,
)
from hybandit.evaluation.progressive import (
    FIRST,
    LEARN,
    Always,
    Logged,
    Replaying,
    Table,
    Tick,
    Walk,
    rows_of,
    scores_of,
)
from hybandit.evaluation.propensities import Estimated, EstimatedEvents, is_uniform
from hybandit.evaluation.tally import Tally, ValueEstimate
from hybandit.evaluation.value_estimators import DEFAULT, THRESHOLD, unheard_of
from hybandit.evaluation.watch import SMALL_SAMPLE, check_support
from hybandit.names import check_name
from hybandit.policies import ArmPolicy, ContextualPolicy, ItemPolicy
from hybandit.validation.checks import sequence
from hybandit.validation.settings import one_of, size

ESTIMATED = (
    "the log has no propensities: they were ESTIMATED from the other columns, and all values "
    "depend on this estimate"
)
ESTIMATORS = tuple(FORMULAS)
# The fewest and the most events that a policy may learn at once.
LEARN_EVERY = size(1, 10_000_000)
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

    @property
    def fixed(self) -> bool:
        return self.learn == "nothing"


def evaluate(
    policy: Judged,
    log: Log,
    *,
    by: Sequence[str] = ("ips", "snips", "doubly-robust"),
    learn: str = "all",
    learn_every: int = 1,
    matches: int | None = None,
    model: RewardModel | None = None,
    threshold: float = THRESHOLD,
    intervals: Intervals = DEFAULT,
    tick: Tick | None = None,
) -> Evaluation:
    """Estimate what the policy would have earned per event in place of the logging policy.

    A policy of arms is evaluated on an `EventLog`, or on a log that `open_log` reads batch by
    batch; one of items on an `ItemLog`. `Always` is evaluated on any.

    The policy learns along the way, and is scored on each event before it learns it. After the
    call it has learned the log.

    Parameters
    ----------
    by
        Names of estimators, all from one walk through the log. ``replay`` stands alone: it
        learns from matches only, or ``nothing``.
    learn
        What the policy learns from: ``all`` events, also those of arms that it would not have
        chosen, which live it could not learn; ``matched`` ones, fewer than live, which is
        more cautious; or ``nothing``, for a policy that stays as it is.
    learn_every
        After how many events the policy learns these: with 1,000, as one that is taught once an
        hour, and much faster on a long log. The model then learns in steps, too.
    matches
        Where replay stops.
    model
        A model of the rewards, learned along the way too. Default: `LinearModel`, a ridge for
        each arm; for items `ItemModel`.
    threshold
        The weight above which ``clipped`` and the switches treat an event differently.
    tick
        Called with the number of events done since the last call.

    Examples
    --------
    >>> import hybandit
    >>> generator = np.random.default_rng(0)
    >>> arms = generator.integers(0, 2, 2000)
    >>> log = EventLog(arms, arms.astype(float), np.ones((2000, 1)), np.full(2000, 0.5))
    >>> found = evaluate(hybandit.LinUCB(2, 1, seed=0), log, by=["snips"])
    >>> found.estimates[0].value > 0.95
    True
    """
    how = How(tuple(sequence("by", by)), learn, learn_every, matches, threshold, intervals)
    (found,) = evaluate_many([policy], log, how, model=model, tick=tick)
    for note in found.notes:
        warnings.warn(note, EvaluationWarning, stacklevel=2)
    return found


def evaluate_many(
    policies: Sequence[Judged],
    log: Log,
    how: How,
    *,
    model: RewardModel | None = None,
    tick: Tick | None = None,
) -> list[Evaluation]:
    """As `evaluate` for each of several policies, which share the reading and the model.

    Warnings are only noted.
    """
    from threadpoolctl import threadpool_limits

    how.check()
    if model is not None:
        checks.has_methods("model", model, "values", "learn")
    if tick is not None and not callable(tick):
        raise InvalidInput("tick", "a function, or None", tick)
    check_log(log)
    for policy in policies:
        _check(policy, log, how)
    how.intervals.rewards(log.facts.rewards)
    # Threads would wait for one another in many small products, most of all on a busy machine, and
    # the last digits would depend on their number.
    with threadpool_limits(1):
        return _evaluated(policies, log, how, model, tick)


def _evaluated(
    policies: Sequence[Judged],
    log: Log,
    how: How,
    model: RewardModel | None,
    tick: Tick | None,
) -> list[Evaluation]:
    if "replay" in how.by:
        given = log.log if isinstance(log, Estimated) else log
        return [
            _replayed(policy, given, how, tick)
            if not isinstance(policy, Logged)
            else _walked([_LogJudge(given, how)], given, how, None, tick)[0].judged([])
            for policy in policies
        ]
    if not log.has_propensities and not set(how.by) <= set(WITHOUT_PROPENSITIES):
        log = Estimated(log, seed=how.intervals.seed)
    notes = [ESTIMATED] if isinstance(log, Estimated) else []
    judges = [
        _LogJudge(log, how) if isinstance(policy, Logged) else _Judge(policy, log, how)
        for policy in policies
    ]
    wanted: RewardModel | SteppedModel | None = model
    if model is None and any(name in WITH_MODEL for name in how.by):
        wanted = _model(log, by_steps=not any(judge.learns_each for judge in judges))
    return [judge.judged(notes) for judge in _walked(judges, log, how, wanted, tick)]


def _walked(
    judges: list[_Judge | _LogJudge],
    log: Log,
    how: How,
    model: RewardModel | SteppedModel | None,
    tick: Tick | None,
) -> list[_Judge | _LogJudge]:
    """The judges, after the whole log."""
    first = 0
    for batch in log.batches(rows_of(log, how.learn_every)):
        values = None if model is None else predictions(model, batch)
        for judge in judges:
            judge.add(first, batch, values, tick)
        first += len(batch)
    return judges


class _LogJudge:
    """The mean reward of the log itself."""

    learns_each = False

    def __init__(self, log: Log, how: How) -> None:
        self._tally = Tally(MEAN, len(log), intervals=how.intervals)

    def add(self, first: int, batch: Any, values: Table | None, tick: Tick | None) -> None:
        self._tally.add(first, Events(np.asarray(batch.rewards, np.float64)))
        if tick is not None:
            tick(len(batch))

    def judged(self, notes: Sequence[str]) -> Evaluation:
        return Evaluation((self._tally.estimate(),), "nothing", tuple(notes))


class _Judge:
    """A policy on its way through a log, and the sums of its estimators."""

    def __init__(self, policy: Judged, log: Log, how: How) -> None:
        self._log, self._how = log, how
        self._walk = Walk(policy, learn=how.learn, every=how.learn_every)
        self._never = None if log.of_items else log.facts.chosen == 0
        self._tallies = [
            Tally(FORMULAS[name], len(log), intervals=how.intervals, threshold=how.threshold)
            for name in how.by
        ]
        self._weights = Moments()
        self._squares = self._lost = self._doubt = 0.0

    @property
    def learns_each(self) -> bool:
        """Whether it learns every event at once."""
        return not self._walk.fixed and self._how.learn_every == 1

    def add(self, first: int, batch: Any, values: Table | None, tick: Tick | None) -> None:
        chances = self._walk.chances(batch, tick)
        scores = scores_of(batch, chances, values, never=self._never, threshold=self._how.threshold)
        logged = batch.logged_propensities
        ones = np.ones(len(batch))
        events = Events(
            np.asarray(batch.rewards, np.float64), ones if logged is None else logged,
            scores.target, scores.predicted, scores.expected, scores.beyond,
        )  # fmt: skip
        for tally in self._tallies:
            tally.add(first, events)
        weights = events.weights
        self._weights.add(weights, ones)
        self._squares += float(np.square(weights).sum())
        self._lost += float(scores.lost.sum())
        if isinstance(batch, EstimatedEvents) and batch.doubts is not None:
            self._doubt += float(weights @ batch.doubts)

    def judged(self, notes: Sequence[str]) -> Evaluation:
        """The estimates, once the whole log was added."""
        lost = check_support(self._log, self._lost / len(self._log))
        never = [f"{lost:.2%} of the policy's choices are never logged"] if lost else []
        if not self._weights.means[0] and set(self._how.by) != {"direct"}:
            raise unheard_of()
        found = tuple(tally.estimate() for tally in self._tallies)
        weak = self._weak_points() if self._log.has_propensities else []
        return Evaluation(found, self._how.learn, (*notes, *never, *weak))

    def _weak_points(self) -> list[str]:
        """Notes on weights that suggest few effective events, or wrong propensities."""
        notes = []
        count, mean = self._weights.count, float(self._weights.means[0])
        if (mean * count) ** 2 / self._squares < SMALL_SAMPLE:
            notes.append(
                f"the effective sample is small: the log says no more than {SMALL_SAMPLE} events "
                "of equal weight would"
            )
        chance = self._weights.variance(0.0) / count
        if isinstance(self._log, Estimated):
            # An estimate from few events adds its own error, and 1 / p is on average too large.
            chance += self._weights.variance(0.0) / self._log.model.events
        allowed = 4.0 * np.sqrt(chance) + self._doubt / count + 1e-9
        if abs(mean - 1.0) > allowed:
            notes.append(
                f"the weights are too {'large' if mean > 1.0 else 'small'} on average: the "
                "propensities may not be those of the logged arms"
            )
        return notes


def _model(log: Log, *, by_steps: bool) -> RewardModel | SteppedModel:
    if log.of_items:
        return ItemModel(*log.sizes)
    return SteppedModel(*log.sizes) if by_steps else LinearModel(*log.sizes)


def _replayed(policy: Any, log: Log, how: How, tick: Tick | None) -> Evaluation:
    notes = []
    if not log.has_propensities:
        looks = "look like that" if is_uniform(log) else "DO NOT look like that"
        notes.append(
            "the log has no propensities: replay takes its arms for uniformly random, and by their "
            f"counts and features they {looks}"
        )
    replaying = Replaying(
        policy, log, matches=how.matches, frozen=how.fixed, seed=how.intervals.seed
    )
    tally = Tally(FORMULAS["replay"], len(log), intervals=how.intervals)
    first = 0
    for batch in log.batches(rows_of(log)):
        matched = replaying.matched(batch, tick).astype(np.float64)
        tally.add(first, Events(np.asarray(batch.rewards, np.float64), target=matched))
        first += len(batch)
    if not tally.weight:
        raise InvalidInput("matched", "true for at least one event", Unquoted("no match"))
    found = tally.estimate()
    if found.rows < SMALL_SAMPLE:
        notes.append(f"only {found.rows} events match")
    return Evaluation((found,), "nothing" if how.fixed else "matched", tuple(notes))


def check_log(log: Log) -> None:
    """Check that the columns of a log fit together and hold what they should."""
    if not isinstance(log, Log):
        raise InvalidInput("log", "an EventLog or an ItemLog, or what open_log gives", log)
    if isinstance(log, ItemLog):
        log.check()
    if not isinstance(log, EventLog):
        # One that is read batch by batch is checked while it is read.
        return
    if len(log) < checks.FEWEST:
        raise InvalidInput("log", f"at least {checks.FEWEST} events", len(log))
    checks.features(log.features, len(log))
    check_arms(log.arms, log.n_arms)
    checks.numbers("rewards", log.rewards, len(log))
    given = log.propensities
    if given is not None and given.shape not in ((len(log),), (len(log), log.n_arms)):
        rule = f"of shape ({len(log)},) or ({len(log)}, {log.n_arms})"
        raise InvalidInput("propensities", rule, Unquoted(f"shape {given.shape}"))
    if log.logged_propensities is not None:
        checks.propensities(log.logged_propensities, len(log))


def _check(policy: Judged, log: Log, how: How) -> None:
    """Check everything before the walk, which may take long and changes the policy."""
    if isinstance(policy, Logged):
        return
    if not isinstance(policy, (ArmPolicy, ItemPolicy, Always)):
        raise InvalidInput("policy", "a policy of arms or of items", policy)
    if "switch" in how.by and log.has_propensities and not log.has_every_propensity:
        rule = "without 'switch' where only the logged arm's propensity is known"
        raise InvalidInput("by", rule, list(how.by))
    if isinstance(policy, Always):
        if not (log.of_items and policy.choice == FIRST):
            check_name("policy", "choice of the log", policy.choice, log.choice_names)
        return
    refused = [each for each in log.facts.rewards if not policy.rewards.holds(each)]
    if refused and not how.fixed:
        raise InvalidInput("rewards", f"{policy.rewards.text} for {policy.name}", refused[0])
    if log.of_items:
        _check_items(policy, log)
    else:
        _check_arms(policy, log)


def _check_items(policy: ArmPolicy | ItemPolicy, log: Log) -> None:
    if not isinstance(policy, ItemPolicy):
        raise InvalidInput("policy", "a policy of items, as the log's choices are", policy.name)
    if (policy.n_context, policy.n_item) != log.sizes:
        rule = f"one of {log.sizes[0]} features of a context and {log.sizes[1]} of an item"
        raise InvalidInput("policy", rule, Unquoted(f"{policy.n_context} and {policy.n_item}"))


def _check_arms(policy: ArmPolicy | ItemPolicy, log: Log) -> None:
    if not isinstance(policy, ArmPolicy):
        raise InvalidInput("policy", "a policy of arms, as the log's choices are", policy.name)
    n_arms, width = log.sizes
    if policy.n_arms != n_arms:
        raise InvalidInput("policy", f"one of {n_arms} arms, as the log", policy.n_arms)
    if isinstance(policy, ContextualPolicy) and policy.n_features != width:
        rule = f"one of {width} features, as the log has"
        raise InvalidInput("policy", rule, policy.n_features)
