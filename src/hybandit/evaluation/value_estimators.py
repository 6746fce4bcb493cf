"""Estimators of what a policy would have earned, from a log of other decisions.

Every function takes plain arrays with an entry for each event: `rewards` that were
logged, `propensities` with which the logged arm was chosen, and `target`, the
probability with which the evaluated policy would have chosen it. Their quotient
``w = target / propensity`` is the event's weight. Those with a model of the rewards also
take what it predicts: `predicted` for the logged arm, and `expected` on average over the
policy's choices, ``sum_a pi(a) q(a)``.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from hybandit.errors import InvalidInput, Unquoted
from hybandit.evaluation import checks
from hybandit.evaluation.intervals import Interval, Intervals
from hybandit.state import Floats
from hybandit.validation.checks import array

DEFAULT = Intervals()
# The number of points of a course.
COURSE_POINTS = 200
# The weight above which `clipped` and the switch estimators treat an event differently.
THRESHOLD = 10.0


@dataclass(frozen=True)
class Course:
    """The estimate along the log: sums over the first events, at up to 200 points.

    The estimate after `at` events is ``earned / counted``.
    """

    at: tuple[int, ...]
    earned: tuple[float, ...]
    counted: tuple[float, ...]

    @classmethod
    def of(cls, terms: Floats, shares: Floats) -> Course:
        count = len(terms)
        at = np.unique(np.linspace(1, count, min(COURSE_POINTS, count)).round().astype(int))
        earned, counted = (np.cumsum(each)[at - 1].tolist() for each in (terms, shares))
        return cls(tuple(at.tolist()), tuple(earned), tuple(counted))


@dataclass(frozen=True)
class ValueEstimate:
    """The mean reward that a policy would have earned, and how reliable that is.

    Attributes
    ----------
    estimator
        Its name.
    value
        The estimate, in rewards per event.
    bootstrap, bernstein
        Two intervals: the first is approximate and good for many events, the second is valid
        for any number of events, and wider. Decide by the first, unless the effective sample is
        small (below 100).
    effective_sample_size
        ``(sum w)^2 / sum w^2``: this many events of equal weight would be as informative.
    largest_weight
        The weight of the event that counts most.
    rows
        How many events were used; replay uses only those that match.
    course
        The estimate as the log went on.
    """

    estimator: str
    value: float
    bootstrap: Interval
    bernstein: Interval
    effective_sample_size: float
    largest_weight: float
    rows: int
    course: Course = field(repr=False)


def replay(
    rewards: npt.ArrayLike, matched: npt.ArrayLike, *, intervals: Intervals = DEFAULT
) -> ValueEstimate:
    """The mean reward of the events where policy and log chose the same arm.

    Unbiased where the log's arms were drawn uniformly, or matches were kept with a
    probability of ``least propensity / propensity`` (rejection sampling).

    References
    ----------
    Li, Chu, Langford, Wang (2011). Unbiased offline evaluation of contextual-bandit-based
    news article recommendation algorithms. WSDM.

    Examples
    --------
    >>> replay([1.0, 0.0, 1.0, 1.0], [True, True, False, True]).value
    0.6666666666666666
    """
    paid = checks.numbers("rewards", rewards)
    flags = array("matched", matched, f"a mask of the {len(paid)} events")
    if flags.dtype != np.bool_ or flags.shape != paid.shape:
        raise InvalidInput(
            "matched", f"a mask of the {len(paid)} events", Unquoted(f"{flags.dtype}")
        )
    if not flags.any():
        raise InvalidInput("matched", "true for at least one event", Unquoted("no match"))
    shares = flags.astype(np.float64)
    low, high = checks.intervals(intervals).rewards(paid)
    found = _ratio("replay", shares * paid, shares, shares, high - low, paid, intervals)
    return replace(found, rows=int(flags.sum()))


def ips(
    rewards: npt.ArrayLike,
    propensities: npt.ArrayLike,
    target: npt.ArrayLike,
    *,
    intervals: Intervals = DEFAULT,
) -> ValueEstimate:
    """Inverse propensity scoring: the mean of ``w r``.

    References
    ----------
    Horvitz, Thompson (1952). A generalization of sampling without replacement from a finite
    universe. JASA.

    Examples
    --------
    >>> ips([1.0, 0.0, 1.0], [0.5, 0.5, 0.25], [1.0, 0.0, 0.5]).value
    1.3333333333333333
    """
    paid, weights = _weighted(rewards, propensities, target)
    return _weighted_mean("ips", paid, weights, intervals)


def snips(
    rewards: npt.ArrayLike,
    propensities: npt.ArrayLike,
    target: npt.ArrayLike,
    *,
    intervals: Intervals = DEFAULT,
) -> ValueEstimate:
    """Self-normalised: ``sum w r / sum w``, which never leaves the range of the rewards.

    References
    ----------
    Swaminathan, Joachims (2015). The self-normalized estimator for counterfactual learning.
    NeurIPS.

    Examples
    --------
    >>> snips([1.0, 0.0, 1.0], [0.5, 0.5, 0.25], [1.0, 0.5, 0.5]).value
    0.8
    """
    paid, weights = _weighted(rewards, propensities, target)
    low, high = checks.intervals(intervals).rewards(paid)
    span = float(weights.max()) * (high - low)
    return _ratio("snips", weights * paid, weights, weights, span, paid, intervals)


def clipped(
    rewards: npt.ArrayLike,
    propensities: npt.ArrayLike,
    target: npt.ArrayLike,
    *,
    threshold: float = THRESHOLD,
    intervals: Intervals = DEFAULT,
) -> ValueEstimate:
    """IPS with no weight above `threshold`: ``min(w, threshold) r``. Steadier, and biased low.

    Examples
    --------
    >>> clipped([1.0, 1.0], [0.01, 0.5], [1.0, 0.5], threshold=10.0).value
    5.5
    """
    paid, weights = _weighted(rewards, propensities, target)
    cut = np.minimum(weights, checks.threshold(threshold))
    return _weighted_mean("clipped", paid, cut, intervals)


def switch(
    rewards: npt.ArrayLike,
    propensities: npt.ArrayLike,
    target: npt.ArrayLike,
    beyond: npt.ArrayLike,
    *,
    threshold: float = THRESHOLD,
    intervals: Intervals = DEFAULT,
) -> ValueEstimate:
    """SWITCH: IPS up to a weight of `threshold`, the model for arms of larger weight.

    ``w r [w <= threshold] + beyond``, where `beyond` is ``sum_a pi(a) q(a) [w(a) > threshold]``
    over all arms: it takes the propensity of every arm, not of the logged one alone.

    References
    ----------
    Wang, Agarwal, Dudik (2017). Optimal and adaptive off-policy evaluation in contextual
    bandits. ICML.

    Examples
    --------
    >>> switch([1.0, 1.0], [0.01, 0.5], [1.0, 0.5], [0.5, 0.0], threshold=10.0).value
    0.75
    """
    paid, weights = _weighted(rewards, propensities, target)
    model = checks.numbers("beyond", beyond, len(paid))
    kept = np.where(weights <= checks.threshold(threshold), weights, 0.0)
    low, high = _weighted_range(kept, checks.intervals(intervals).rewards(paid))
    span = high - low + float(np.ptp(model))
    ones = np.ones(len(paid))
    return _ratio("switch", kept * paid + model, ones, kept, span, paid, intervals)


def direct(
    rewards: npt.ArrayLike, expected: npt.ArrayLike, *, intervals: Intervals = DEFAULT
) -> ValueEstimate:
    """The direct method: the mean of what a model of the rewards expects of the policy.

    It needs no propensities and is as wrong as its model; its intervals do not know that.

    Examples
    --------
    >>> direct([1.0, 0.0], [0.5, 0.25]).value
    0.375
    """
    paid = checks.numbers("rewards", rewards)
    model = checks.numbers("expected", expected, len(paid))
    low, high = checks.intervals(intervals).rewards(paid)
    span = max(high, float(model.max())) - min(low, float(model.min()))
    ones = np.ones(len(paid))
    return _ratio("direct", model, ones, ones, span, paid, intervals)


def doubly_robust(
    rewards: npt.ArrayLike,
    propensities: npt.ArrayLike,
    target: npt.ArrayLike,
    predicted: npt.ArrayLike,
    expected: npt.ArrayLike,
    *,
    intervals: Intervals = DEFAULT,
) -> ValueEstimate:
    """The model, corrected by the logged rewards: the mean of ``expected + w (r - predicted)``.

    Unbiased if the propensities are right, whatever the model; a good model makes it
    steadier than IPS.

    References
    ----------
    Dudik, Langford, Li (2011). Doubly robust policy evaluation and learning. ICML.

    Examples
    --------
    >>> doubly_robust([1.0, 0.0], [0.5, 0.5], [1.0, 0.0], [0.75, 0.25], [0.75, 0.5]).value
    0.875
    """
    paid, weights = _weighted(rewards, propensities, target)
    return _corrected("doubly-robust", paid, weights, predicted, expected, intervals)


def switch_doubly_robust(
    rewards: npt.ArrayLike,
    propensities: npt.ArrayLike,
    target: npt.ArrayLike,
    predicted: npt.ArrayLike,
    expected: npt.ArrayLike,
    *,
    threshold: float = THRESHOLD,
    intervals: Intervals = DEFAULT,
) -> ValueEstimate:
    """SWITCH-DR: doubly robust, but events of a weight above `threshold` correct nothing.

    References
    ----------
    Wang, Agarwal, Dudik (2017). Optimal and adaptive off-policy evaluation in contextual
    bandits. ICML.

    Examples
    --------
    >>> columns = [1.0, 1.0], [0.01, 0.5], [1.0, 0.5], [0.5, 0.5], [0.5, 0.5]
    >>> switch_doubly_robust(*columns, threshold=10.0).value
    0.75
    """
    paid, weights = _weighted(rewards, propensities, target)
    kept = np.where(weights <= checks.threshold(threshold), weights, 0.0)
    return _corrected("switch-doubly-robust", paid, kept, predicted, expected, intervals)


def model_terms(
    arms: npt.ArrayLike, target: npt.ArrayLike, predictions: npt.ArrayLike
) -> tuple[Floats, Floats]:
    """`predicted` and `expected` from tables of (events, arms): probabilities and predictions.

    Examples
    --------
    >>> model_terms([1], [[0.5, 0.5]], [[0.0, 1.0]])
    (array([1.]), array([0.5]))
    """
    values, chances = np.asarray(predictions, np.float64), np.asarray(target, np.float64)
    return values[np.arange(len(values)), np.asarray(arms)], (chances * values).sum(axis=1)


def _weighted(
    rewards: npt.ArrayLike, propensities: npt.ArrayLike, target: npt.ArrayLike
) -> tuple[Floats, Floats]:
    """Rewards and weights, checked."""
    paid = checks.numbers("rewards", rewards)
    weights = checks.probabilities(target, len(paid)) / checks.propensities(propensities, len(paid))
    if not weights.any():
        rule = "above 0 for at least one logged arm: the log says nothing of this policy"
        raise InvalidInput("target", rule, Unquoted("0 everywhere"))
    return paid, weights


def _weighted_mean(
    name: str, rewards: Floats, weights: Floats, intervals: Intervals
) -> ValueEstimate:
    low, high = _weighted_range(weights, checks.intervals(intervals).rewards(rewards))
    ones = np.ones(len(rewards))
    return _ratio(name, weights * rewards, ones, weights, high - low, rewards, intervals)


def _corrected(
    name: str,
    rewards: Floats,
    weights: Floats,
    predicted: npt.ArrayLike,
    expected: npt.ArrayLike,
    intervals: Intervals,
) -> ValueEstimate:
    logged = checks.numbers("predicted", predicted, len(rewards))
    model = checks.numbers("expected", expected, len(rewards))
    low, high = checks.intervals(intervals).rewards(rewards)
    errors = low - float(logged.max()), high - float(logged.min())
    least, most = _weighted_range(weights, errors)
    span = most - least + float(np.ptp(model))
    terms = model + weights * (rewards - logged)
    return _ratio(name, terms, np.ones(len(rewards)), weights, span, rewards, intervals)


def _weighted_range(weights: Floats, values: tuple[float, float]) -> tuple[float, float]:
    """The range of a weight times a value."""
    largest = float(weights.max())
    return min(0.0, largest * values[0]), max(0.0, largest * values[1])


def _ratio(
    name: str,
    terms: Floats,
    shares: Floats,
    weights: Floats,
    span: float,
    rewards: Floats,
    intervals: Intervals,
) -> ValueEstimate:
    squares = float(np.square(weights).sum())
    return ValueEstimate(
        estimator=name,
        value=float(terms.sum() / shares.sum()),
        bootstrap=intervals.bootstrap(terms, shares),
        bernstein=intervals.bernstein(terms, shares, span, intervals.limits(rewards)),
        effective_sample_size=float(weights.sum()) ** 2 / squares if squares else 0.0,
        largest_weight=float(weights.max()),
        rows=len(terms),
        course=Course.of(terms, shares),
    )
