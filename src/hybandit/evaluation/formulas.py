"""The formulas of the estimators, event by event.

Of each event: its reward, the propensity with which the logged arm was chosen, and `target`,
the probability with which the evaluated policy would have chosen it. Their quotient
``w = target / propensity`` is the event's weight. A model of the rewards adds what it predicts:
`predicted` for the logged arm, `expected` on average over the policy's choices,
``sum_a pi(a) q(a)``, and `beyond`, the part of that from arms of a large weight.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from hybandit.state import Floats

NONE = np.empty(0)
# Terms, shares and weights: an estimate is the sum of its terms by the sum of its shares.
Parts = tuple[Floats, Floats, Floats]


class Events(NamedTuple):
    """Columns of consecutive events of a log; what no formula asks for may be left out."""

    rewards: Floats
    propensities: Floats = NONE
    target: Floats = NONE
    predicted: Floats = NONE
    expected: Floats = NONE
    beyond: Floats = NONE

    @property
    def weights(self) -> Floats:
        quotients: Floats = self.target / self.propensities
        return quotients


class Extent(NamedTuple):
    """The least and the most of what was seen."""

    low: float = np.inf
    high: float = -np.inf

    @classmethod
    def of(cls, values: Floats) -> Extent:
        return cls(float(values.min()), float(values.max())) if len(values) else cls()

    def joined(self, other: Extent) -> Extent:
        return Extent(min(self.low, other.low), max(self.high, other.high))

    @property
    def width(self) -> float:
        return self.high - self.low

    def times(self, weight: float) -> Extent:
        """The extent of such values times any weight from 0 to this one."""
        return Extent(min(0.0, weight * self.low), max(0.0, weight * self.high))


class Extents(NamedTuple):
    """How far the columns of events reach."""

    rewards: Extent = Extent()
    weights: Extent = Extent()
    predicted: Extent = Extent()
    expected: Extent = Extent()
    beyond: Extent = Extent()

    @classmethod
    def of(cls, events: Events, weights: Floats) -> Extents:
        model = events.predicted, events.expected, events.beyond
        return cls(*(Extent.of(each) for each in (events.rewards, weights, *model)))

    def joined(self, other: Extents) -> Extents:
        return Extents(*(mine.joined(yours) for mine, yours in zip(self, other, strict=True)))


@dataclass(frozen=True)
class Formula:
    """An estimator: its terms, and within which span a term less value times share can be.

    `is_mean`: whether all shares are 1.
    """

    name: str
    parts: Callable[[Events, float], Parts]
    span: Callable[[Extents], float]
    is_mean: bool = True


def _replay(events: Events, threshold: float) -> Parts:
    matched = events.target
    return matched * events.rewards, matched, matched


def _ips(events: Events, threshold: float) -> Parts:
    weights = events.weights
    return weights * events.rewards, np.ones(len(weights)), weights


def _snips(events: Events, threshold: float) -> Parts:
    weights = events.weights
    return weights * events.rewards, weights, weights


def _clipped(events: Events, threshold: float) -> Parts:
    weights = np.minimum(events.weights, threshold)
    return weights * events.rewards, np.ones(len(weights)), weights


def _switch(events: Events, threshold: float) -> Parts:
    weights = _small(events.weights, threshold)
    return weights * events.rewards + events.beyond, np.ones(len(weights)), weights


def _direct(events: Events, threshold: float) -> Parts:
    ones = np.ones(len(events.rewards))
    return events.expected, ones, ones


def _mean(events: Events, threshold: float) -> Parts:
    return _direct(events._replace(expected=events.rewards), threshold)


def _doubly_robust(events: Events, threshold: float) -> Parts:
    return _corrected(events, events.weights)


def _switch_doubly_robust(events: Events, threshold: float) -> Parts:
    return _corrected(events, _small(events.weights, threshold))


def _corrected(events: Events, weights: Floats) -> Parts:
    terms = events.expected + weights * (events.rewards - events.predicted)
    return terms, np.ones(len(weights)), weights


def _small(weights: Floats, threshold: float) -> Floats:
    return np.where(weights <= threshold, weights, 0.0)


def _of_rewards(extents: Extents) -> float:
    return extents.rewards.width


def _of_ratio(extents: Extents) -> float:
    return extents.weights.high * extents.rewards.width


def _of_direct(extents: Extents) -> float:
    return extents.rewards.joined(extents.expected).width


def _of_weighted(extents: Extents) -> float:
    return extents.rewards.times(extents.weights.high).width


def _of_switch(extents: Extents) -> float:
    return _of_weighted(extents) + extents.beyond.width


def _of_corrected(extents: Extents) -> float:
    rewards, logged = extents.rewards, extents.predicted
    errors = Extent(rewards.low - logged.high, rewards.high - logged.low)
    return errors.times(extents.weights.high).width + extents.expected.width


FORMULAS = {
    formula.name: formula
    for formula in (
        Formula("replay", _replay, _of_rewards, is_mean=False),
        Formula("ips", _ips, _of_weighted),
        Formula("snips", _snips, _of_ratio, is_mean=False),
        Formula("clipped", _clipped, _of_weighted),
        Formula("switch", _switch, _of_switch),
        Formula("direct", _direct, _of_direct),
        Formula("doubly-robust", _doubly_robust, _of_corrected),
        Formula("switch-doubly-robust", _switch_doubly_robust, _of_corrected),
    )
}
# The value of what made the log itself.
MEAN = Formula("its mean reward", _mean, _of_rewards)
WITH_MODEL = ("switch", "direct", "doubly-robust", "switch-doubly-robust")
# Estimators that need no propensities.
WITHOUT_PROPENSITIES = ("replay", "direct")
