"""The mean reward of an arm's nearest past contexts, with k set by the rewards' variance."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import ClassVar

import numpy as np

from hybandit.errors import InvalidInput
from hybandit.estimators.fading import Fading
from hybandit.estimators.index import Neighbours, Query
from hybandit.estimators.limits import Limit
from hybandit.estimators.memory import Memory
from hybandit.estimators.statistics import ArmStatistics
from hybandit.kernels import neighbours as kernels
from hybandit.state import Array, Floats, Integers, LastAnswer, Part, row_of

# Rounding of the variance must not change a k that is whole or exactly halfway.
TINY = 1e-9
# What is added to the expression for k, and the function that then makes it whole.
ROUNDING: dict[str, tuple[float, np.ufunc]] = {
    "floor": (TINY, np.floor),
    "nearest": (0.5 + TINY, np.floor),
    "ceil": (-TINY, np.ceil),
}


def check_ks(k_min: int, k_max: int) -> None:
    if k_min > k_max:
        raise InvalidInput("k_min", f"at most k_max, which is {k_max}", k_min)


class AdaptiveKNN(Part):
    """The paper's Algorithm 2: every arm remembers its own contexts and rewards.

    ``k = floor(k_min + (k_max - k_min) v + 1e-9)``, at least 1, with v the population
    variance of the arm's rewards. If the arm has k entries, the estimate is the mean reward
    of the k nearest (Euclidean; among equally near ones the older first), else 0. The paper
    writes "len(x) >= k", by which it means the length of the arm's history.

    Rewards of 0 and 1 have v <= 0.25: with the paper's k_min 1 and k_max 5, k is almost
    always 1; k_max 50 gives 1 to 13.

    Parameters
    ----------
    weights
        ``uniform``, or ``distance``: 1 / distance, exact matches alone if there are any.
    rounding
        ``floor``, ``nearest`` or ``ceil`` of the expression for k.
    limit, generator
        How many entries of each arm to keep, as for `Memory`. No k exceeds that.
    forget
        If given, the statistics fade, and an entry is removed once it counts at most half
        (see `Fading`).
    statistics
        Those of the arms' rewards, if someone else keeps them: they are read, never taught.

    Examples
    --------
    >>> local = AdaptiveKNN(n_arms=1, n_features=1, k_min=1, k_max=5)
    >>> local.learn(np.array([[0.0]]), arm=0, reward=0.0)
    >>> local.learn(np.array([[1.0]]), arm=0, reward=1.0)
    >>> local.ks()
    array([2])
    >>> local.values(np.array([[0.9]]))
    array([0.5])
    """

    _children: ClassVar = ("own_statistics", "fading", "memory")

    def __init__(
        self,
        n_arms: int,
        n_features: int,
        *,
        k_min: int = 1,
        k_max: int = 5,
        weights: str = "uniform",
        rounding: str = "floor",
        limit: Limit | None = None,
        generator: np.random.Generator | None = None,
        forget: float | None = None,
        statistics: ArmStatistics | None = None,
    ) -> None:
        check_ks(k_min, k_max)
        self.k_min = k_min
        self.k_max = k_max
        self.weights = weights
        self.rounding = rounding
        self.statistics = statistics or ArmStatistics(n_arms, forget=forget)
        self.own_statistics = self.statistics if statistics is None else None
        self.fading = Fading(n_arms, forget)
        horizon = self.fading.half_life
        self.memory = Memory(n_features, limit=limit, horizon=horizon, generator=generator)
        self._last: LastAnswer[Floats] = LastAnswer()

    def ks(self) -> Integers:
        """The k of each arm now."""
        span = self.k_max - self.k_min
        # Never more than there are entries: the variance may be huge.
        wanted = np.minimum(
            self.k_min + span * self.statistics.variances, self.memory.observations.size + 1
        )
        shift, rounded = ROUNDING[self.rounding]
        ks: Integers = np.maximum(rounded(wanted + shift), 1.0).astype(np.int64)
        most = self.memory.retention.most
        return ks if most is None else np.minimum(ks, most)

    def values(self, contexts: Floats) -> Floats:
        """The estimate f of every arm; `contexts` is (1, d) for all arms or (n_arms, d)."""
        known = self._last.answer(contexts)
        if known is not None:
            return known.copy()
        ks = self.ks()
        out = np.empty(len(ks))
        self._estimate(contexts, ks, out)
        self._last.keep(out, contexts)
        return out.copy()

    def values_of_many(self, contexts: Floats) -> Floats:
        """The estimate f of every arm for many shared contexts, (n, d) -> (n, n_arms)."""
        ks = self.ks()
        out = np.empty((len(contexts), len(ks)))
        for row in range(len(contexts)):
            self._estimate(contexts[row : row + 1], ks, out[row])
        return out

    def reach(self, contexts: Floats, arm: int) -> float:
        """The distance to the farthest neighbour that f of this arm uses, 0 if none."""
        ks = self.ks()
        near = self._nearest(contexts, ks)
        used = near.found[arm] >= ks[arm]
        return math.sqrt(near.distances[arm, ks[arm] - 1]) if used else 0.0

    def move(self, moved: Callable[[Floats], Floats]) -> None:
        """Replace every stored context by `moved` of it."""
        self.memory.move(moved)
        self._last.forget()

    def fresh(self) -> AdaptiveKNN:
        """An equal one that has learned nothing, with statistics of its own."""
        return AdaptiveKNN(
            len(self.statistics.counts), self.memory.observations.n_features,
            k_min=self.k_min, k_max=self.k_max, weights=self.weights, rounding=self.rounding,
            limit=self.memory.retention.limit, forget=self.fading.forget,
        )  # fmt: skip

    def learn(self, contexts: Floats, arm: int, reward: float) -> None:
        if self.own_statistics is not None:
            self.own_statistics.learn(arm, reward)
        for each in self.fading.arms(arm):
            self.memory.age(each)
        self.memory.append(row_of(contexts, arm), arm, reward)
        self._last.forget()

    def restore(self, arrays: dict[str, Array]) -> None:
        super().restore(arrays)
        self.memory.check_owners(len(self.statistics.counts))
        self.memory.index.prepare()
        self._last.forget()

    def add_arm(self) -> None:
        super().add_arm()
        self._last.forget()

    def drop_arm(self, arm: int) -> None:
        super().drop_arm(arm)
        self._last.forget()

    def _estimate(self, contexts: Floats, ks: Integers, out: Floats) -> None:
        near, rewards = self._nearest(contexts, ks), self.memory.observations.entries.rewards
        kernels.adaptive_mean(near, ks, rewards, self.weights == "distance", out)

    def _nearest(self, contexts: Floats, ks: Integers) -> Neighbours:
        # An arm with too short a history needs no list: its estimate is 0. Where observations are
        # removed, pulls do not say how many are left, but then every k is small.
        if self.memory.retention.most is None:
            ks = np.where(self.statistics.counts >= ks, ks, 0)
        return self.memory.index.nearest_of_each_arm(Query(contexts), ks)
