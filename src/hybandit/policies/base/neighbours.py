"""The adaptive neighbours that a policy's settings describe."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from hybandit.estimators import AdaptiveKNN, ArmStatistics
from hybandit.estimators.limits import Limit


class HasNeighbours(Protocol):
    """A policy with the settings of the adaptive neighbours."""

    n_features: int
    k_min: int
    k_max: int
    weights: str
    rounding: str
    memory: str | None
    statistics: ArmStatistics
    _generator: np.random.Generator


def adaptive_neighbours(policy: HasNeighbours, forget: float | None = None) -> AdaptiveKNN:
    """The part, which reads the policy's own statistics."""
    return AdaptiveKNN(
        len(policy.statistics.counts),
        policy.n_features,
        k_min=policy.k_min,
        k_max=policy.k_max,
        weights=policy.weights,
        rounding=policy.rounding,
        limit=Limit.of(policy.memory),
        generator=policy._generator,
        forget=forget,
        statistics=policy.statistics,
    )
