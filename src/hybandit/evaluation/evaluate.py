"""Evaluation of a policy on a log by several estimators."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from hybandit.datasets import EventLog, check_arms
from hybandit.errors import EvaluationWarning, InvalidInput, Unquoted
from hybandit.evaluation import checks, value_estimators
from hybandit.evaluation.intervals import Intervals
from hybandit.evaluation.models import LinearModel, RewardModel
from hybandit.evaluation.progressive import (
    LEARN,
    Scores,
    Tick,
    logged_propensities,
    replay_matches,
    score,
)
from hybandit.evaluation.propensities import check_support, estimated_propensities, is_uniform
from hybandit.evaluation.value_estimators import DEFAULT, THRESHOLD, ValueEstimate
from hybandit.names import check_name
from hybandit.policies import ArmPolicy, ContextualPolicy
from hybandit.state import Floats
from hybandit.validation.checks import sequence
from hybandit.validation.settings import one_of

# An effective sample below this size is reported as small.
SMALL_SAMPLE = 100
ESTIMATED = (
    "the log has no propensities: they were ESTIMATED from the other columns, and all values "
    "depend on this estimate"
)


@dataclass(frozen=True)
class Evaluation:
    """The estimates for a policy, the rule by which it learned, and warnings."""

    estimates: tuple[ValueEstimate, ...]
    learn: str
    notes: tuple[str, ...]


@dataclass(frozen=True)
class _Events:
    """Everything that an estimator may need."""

    rewards: Floats
    propensities: Floats
    scores: Scores
    threshold: float
    intervals: Intervals

    def by(self, estimator: Callable[..., ValueEstimate], *more: Floats) -> ValueEstimate:
        columns = self.rewards, self.propensities, self.scores.target
        return estimator(*columns, *more, intervals=self.intervals)

    def above(self, estimator: Callable[..., ValueEstimate], *more: Floats) -> ValueEstimate:
        """The same for estimators with a threshold."""
        return self.by(partial(estimator, threshold=self.threshold), *more)

    @property
    def model(self) -> tuple[Floats, Floats]:
        return self.scores.predicted, self.scores.expected


WEIGHTED: dict[str, Callable[[_Events], ValueEstimate]] = {
    "ips": lambda events: events.by(value_estimators.ips),
    "snips": lambda events: events.by(value_estimators.snips),
    "clipped": lambda events: events.above(value_estimators.clipped),
    "switch": lambda events: events.above(value_estimators.switch, events.scores.beyond),
    "direct": lambda events: value_estimators.direct(
        events.rewards, events.scores.expected, intervals=events.intervals
    ),
    "doubly-robust": lambda events: events.by(value_estimators.doubly_robust, *events.model),
    "switch-doubly-robust": lambda events: events.above(
        value_estimators.switch_doubly_robust, *events.model
    ),
}
WITH_MODEL = ("switch", "direct", "doubly-robust", "switch-doubly-robust")
ESTIMATORS = ("replay", *WEIGHTED)


def evaluate(
    policy: ArmPolicy,
    log: EventLog,
    *,
    by: Sequence[str] = ("ips", "snips", "doubly-robust"),
    learn: str = "all",
    matches: int | None = None,
    model: RewardModel | None = None,
    threshold: float = THRESHOLD,
    intervals: Intervals = DEFAULT,
    tick: Tick | None = None,
) -> Evaluation:
    """Estimate what the policy would have earned per event in place of the logging policy.

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
    matches
        Where replay stops.
    model
        A model of the rewards. Default: a ridge for each arm, learned along the way too.
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
    by = sequence("by", by)
    _check(policy, log, by, learn)
    checks.matches(matches, by)
    threshold = checks.threshold(threshold)
    if model is not None:
        checks.has_methods("model", model, "values", "learn")
    if tick is not None and not callable(tick):
        raise InvalidInput("tick", "a function, or None", tick)
    checks.intervals(intervals).rewards(np.asarray(log.rewards, np.float64))
    if "replay" in by:
        return _replayed(policy, log, learn == "nothing", matches, intervals, tick)
    notes = []
    if log.propensities is None and tuple(by) != ("direct",):
        log = replace(log, propensities=estimated_propensities(log, seed=intervals.seed))
        notes.append(ESTIMATED)
    if model is None and any(name in WITH_MODEL for name in by):
        model = LinearModel(log.n_arms, log.features.shape[-1])
    scores = score(policy, log, learn=learn, model=model, threshold=threshold, tick=tick)
    lost = check_support(log, scores.lost)
    if lost:
        notes.append(f"{lost:.2%} of the policy's choices are arms that were never logged")
    chances = logged_propensities(log)
    given = np.ones(len(log)) if chances is None else chances
    events = _Events(log.rewards, given, scores, threshold, intervals)
    found = tuple(WEIGHTED[name](events) for name in by)
    if chances is not None:
        notes += _weak_points(scores.target / chances)
    return _told(Evaluation(found, learn, tuple(notes)))


def _replayed(
    policy: ArmPolicy,
    log: EventLog,
    frozen: bool,
    matches: int | None,
    intervals: Intervals,
    tick: Tick | None,
) -> Evaluation:
    notes = []
    if log.propensities is None:
        looks = "look like that" if is_uniform(log) else "DO NOT look like that"
        notes.append(
            "the log has no propensities: replay takes its arms for uniformly random, and by their "
            f"counts and features they {looks}"
        )
    matched = replay_matches(
        policy, log, matches=matches, frozen=frozen, seed=intervals.seed, tick=tick
    )
    found = value_estimators.replay(log.rewards, matched, intervals=intervals)
    if found.rows < SMALL_SAMPLE:
        notes.append(f"only {found.rows} events match")
    return _told(Evaluation((found,), "nothing" if frozen else "matched", tuple(notes)))


def _weak_points(weights: Floats) -> list[str]:
    """Notes on weights that suggest few effective events, or wrong propensities."""
    notes = []
    size = weights.sum() ** 2 / np.square(weights).sum()
    if size < SMALL_SAMPLE:
        notes.append(
            f"the effective sample is small: the log says no more than {SMALL_SAMPLE} events of "
            "equal weight would"
        )
    mean, error = weights.mean(), weights.std() / np.sqrt(len(weights))
    if abs(mean - 1.0) > 4.0 * error + 1e-9:
        notes.append(
            f"the weights are too {'large' if mean > 1.0 else 'small'} on average: the "
            "propensities may not be those of the logged arms"
        )
    return notes


def _told(evaluation: Evaluation) -> Evaluation:
    for note in evaluation.notes:
        warnings.warn(note, EvaluationWarning, stacklevel=4)
    return evaluation


def check_log(log: EventLog) -> None:
    """Check that the columns of a log fit together and hold what they should."""
    if len(log) < checks.FEWEST:
        raise InvalidInput("log", f"at least {checks.FEWEST} events", len(log))
    checks.features(log.features, len(log))
    check_arms(log.arms, log.n_arms)
    checks.numbers("rewards", log.rewards, len(log))
    given = log.propensities
    if given is not None and given.shape not in ((len(log),), (len(log), log.n_arms)):
        rule = f"of shape ({len(log)},) or ({len(log)}, {log.n_arms})"
        raise InvalidInput("propensities", rule, Unquoted(f"shape {given.shape}"))
    chances = logged_propensities(log)
    if chances is not None:
        checks.propensities(chances, len(log))


def _check(policy: ArmPolicy, log: EventLog, by: Sequence[str], learn: str) -> None:
    """Check everything before the walk, which may take long and changes the policy."""
    if not isinstance(policy, ArmPolicy):
        raise InvalidInput("policy", "a policy of arms", policy)
    if not isinstance(log, EventLog):
        raise InvalidInput("log", "an EventLog", log)
    one_of(*LEARN).check("learn", learn)
    for name in by:
        check_name("by", "estimator", name, ESTIMATORS)
    if not by or ("replay" in by and len(by) > 1):
        raise InvalidInput("by", "one or more estimators; 'replay' stands alone", by)
    check_log(log)
    refused = [reward for reward in log.rewards.tolist() if not policy.rewards.holds(reward)]
    if refused and learn != "nothing":
        raise InvalidInput("rewards", f"{policy.rewards.text} for {policy.name}", refused[0])
    one_each = log.propensities is not None and log.propensities.ndim == 1
    if "switch" in by and one_each:
        rule = "without 'switch' where only the logged arm's propensity is known"
        raise InvalidInput("by", rule, by)
    if policy.n_arms != log.n_arms:
        raise InvalidInput("policy", f"one of {log.n_arms} arms, as the log", policy.n_arms)
    width = log.features.shape[-1]
    if isinstance(policy, ContextualPolicy) and policy.n_features != width:
        rule = f"one of {width} features, as the log has"
        raise InvalidInput("policy", rule, policy.n_features)
