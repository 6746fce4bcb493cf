"""Estimators of what a policy would have earned, from a log of other decisions.

Every function takes plain arrays with an entry for each event: `rewards` that were
logged, `propensities` with which the logged arm was chosen, and `target`, the
probability with which the evaluated policy would have chosen it. Those with a model of the
rewards also take what it predicts. `hybandit.evaluation.formulas` has the formulas.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from hybandit.errors import InvalidInput, Unquoted
from hybandit.evaluation import checks
from hybandit.evaluation.formulas import FORMULAS, Events
from hybandit.evaluation.intervals import Intervals
from hybandit.evaluation.tally import Tally, ValueEstimate
from hybandit.state import Floats
from hybandit.validation.checks import array

DEFAULT = Intervals()
# The weight above which `clipped` and the switch estimators treat an event differently.
THRESHOLD = 10.0


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
    return _estimate("replay", Events(paid, target=shares), intervals)


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
    return _estimate("ips", _weighted(rewards, propensities, target), intervals)


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
    return _estimate("snips", _weighted(rewards, propensities, target), intervals)


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
    return _estimate("clipped", _weighted(rewards, propensities, target), intervals, threshold)


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
    events = _weighted(rewards, propensities, target)
    model = checks.numbers("beyond", beyond, len(events.rewards))
    return _estimate("switch", events._replace(beyond=model), intervals, threshold)


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
    return _estimate("direct", Events(paid, expected=model), intervals)


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
    events = _modelled(_weighted(rewards, propensities, target), predicted, expected)
    return _estimate("doubly-robust", events, intervals)


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
    events = _modelled(_weighted(rewards, propensities, target), predicted, expected)
    return _estimate("switch-doubly-robust", events, intervals, threshold)


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


def _weighted(rewards: npt.ArrayLike, propensities: npt.ArrayLike, target: npt.ArrayLike) -> Events:
    """Events with weights, checked."""
    paid = checks.numbers("rewards", rewards)
    chances = checks.probabilities(target, len(paid))
    events = Events(paid, checks.propensities(propensities, len(paid)), chances)
    if not chances.any():
        raise unheard_of()
    return events


def unheard_of() -> InvalidInput:
    """The error for a policy that makes none of the log's choices."""
    rule = "above 0 for at least one logged arm: the log says nothing of this policy"
    return InvalidInput("target", rule, Unquoted("0 everywhere"))


def _modelled(events: Events, predicted: npt.ArrayLike, expected: npt.ArrayLike) -> Events:
    logged = checks.numbers("predicted", predicted, len(events.rewards))
    model = checks.numbers("expected", expected, len(events.rewards))
    return events._replace(predicted=logged, expected=model)


def _estimate(
    name: str, events: Events, intervals: Intervals, threshold: float = THRESHOLD
) -> ValueEstimate:
    tally = Tally(
        FORMULAS[name],
        len(events.rewards),
        intervals=checks.intervals(intervals),
        threshold=checks.threshold(threshold),
    )
    tally.add(0, events)
    return tally.estimate()
