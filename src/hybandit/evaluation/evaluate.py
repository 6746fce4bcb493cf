"""Evaluation of policies on a log by several estimators."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np

from hybandit.datasets import EventLog, Log, check_arms
from hybandit.datasets.dsjson import COSTS
from hybandit.datasets.log import ArmLog
from hybandit.errors import EvaluationWarning, InvalidInput, Unquoted
from hybandit.evaluation import checks
from hybandit.evaluation.formulas import (
    FORMULAS,
    Events,
)
from hybandit.evaluation.intervals import Intervals
from hybandit.evaluation.item_log import ItemLog
from hybandit.evaluation.judging import (
    Evaluation,
    How,
    Judged,
    Sums,
    concluded,
    walked,
    with_propensities,
)
from hybandit.evaluation.models import (
    FittedModel,
    Model,
    RewardModel,
)
from hybandit.evaluation.progressive import (
    FIRST,
    Always,
    Logged,
    Replaying,
    Tick,
    rows_of,
)
from hybandit.evaluation.propensities import Estimated, is_uniform
from hybandit.evaluation.tally import Tally
from hybandit.evaluation.value_estimators import DEFAULT, THRESHOLD
from hybandit.evaluation.watch import SMALL_SAMPLE
from hybandit.names import check_name
from hybandit.policies import ArmPolicy, ContextualPolicy, ItemPolicy
from hybandit.validation.checks import sequence


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
        hour, and much faster on a long log. The model is then fitted to other events before.
    matches
        Where replay stops.
    model
        A model of the rewards, learned along the way too. Default: `LinearModel`, a ridge for
        each arm, which for policies that do not learn at each event is fitted to a sample of other
        events before; for items `ItemModel`.
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
    model: Model | None = None,
    tick: Tick | None = None,
) -> list[Evaluation]:
    """As `evaluate` for each of several policies, which share the reading and the model.

    Warnings are only noted. `tick` counts an event once for all policies.
    """
    _check_all(policies, log, how, model, tick)
    with one_thread():
        if "replay" in how.by:
            given = log.log if isinstance(log, Estimated) else log
            return [
                _replayed(policy, given, how, None if number else tick)
                for number, policy in enumerate(policies)
            ]
        log = with_propensities(log, how)
        return concluded(policies, log, how, walked(policies, log, how, model=model, tick=tick))


def evaluate_part(
    policies: Sequence[Judged],
    log: Log,
    how: How,
    part: slice,
    *,
    model: Model | None = None,
    tick: Tick | None = None,
) -> list[Sums]:
    """One of the `parts_of` a log, for policies that learn nothing: `concluded` takes all parts."""
    _check_all(policies, log, how, model, tick)
    with one_thread():
        return walked(policies, log, how, part=part, model=model, tick=tick)


def one_thread() -> Any:
    """A context in which products take one thread.

    Threads would wait for one another in many small products, most of all on a busy machine, and
    the last digits would depend on their number.
    """
    from threadpoolctl import threadpool_limits

    return threadpool_limits(1)


def _replayed(policy: Any, log: Log, how: How, tick: Tick | None) -> Evaluation:
    if isinstance(policy, Logged):
        return concluded([policy], log, how, walked([policy], log, how, tick=tick))[0]
    notes = []
    if not log.has_propensities:
        assert isinstance(log, ArmLog)
        looks = "look like that" if is_uniform(log) else "DO NOT look like that"
        notes.append(
            "the log has no propensities: replay takes its arms for uniformly random, and by their "
            f"counts and features they {looks}"
        )
    replaying = Replaying(
        policy, log, matches=how.matches, frozen=how.learn == "nothing", seed=how.intervals.seed
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
    learn = "nothing" if how.learn == "nothing" else "matched"
    return Evaluation((found,), learn, tuple(notes))


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


def _check_all(
    policies: Sequence[Judged], log: Log, how: How, model: Model | None, tick: Tick | None
) -> None:
    how.check()
    if model is not None and not isinstance(model, FittedModel):
        checks.has_methods("model", model, "values", "learn")
    if tick is not None and not callable(tick):
        raise InvalidInput("tick", "a function, or None", tick)
    check_log(log)
    for policy in policies:
        _check(policy, log, how)
    how.intervals.rewards(log.facts.rewards)


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
    if refused and how.learn != "nothing":
        why = "".join(f"; {note}" for note in getattr(log, "notes", []) if note == COSTS)
        found = Unquoted(f"{refused[0]} in the log{why}")
        raise InvalidInput("rewards", f"{policy.rewards.text} for {policy.name}", found)
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
