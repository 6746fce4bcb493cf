"""LNUCB-TA and its ablations as one would first write them in NumPy.

Nothing here is shared with the policies: the tests hold those to this reading round for
round, and run times are shown beside it.
"""

from __future__ import annotations

import math
from typing import ClassVar

import numpy as np

from hybandit.state import Floats, Integers


class ReferenceRidge:
    """The inverse and the weights, updated by Sherman and Morrison's formula."""

    def __init__(self, n_features: int, reg: float, prior: Floats | None = None) -> None:
        self.inverse = np.eye(n_features) / reg
        self.weights = np.zeros(n_features) if prior is None else prior.copy()

    def learn(self, x: Floats, target: float) -> None:
        gain = self.inverse @ x
        scaled = gain / (1.0 + x @ gain)
        self.weights += scaled * (target - x @ self.weights)
        self.inverse -= np.outer(scaled, gain)

    def width(self, x: Floats) -> float:
        return math.sqrt(max(float(x @ self.inverse @ x), 0.0))


class ReferenceLog:
    """Contexts, arms and rewards, in arrays that double."""

    def __init__(self, n_features: int) -> None:
        self.contexts = np.empty((16, n_features))
        self.rewards = np.empty(16)
        self.arms = np.empty(16, np.int64)
        self.size = 0

    def append(self, x: Floats, arm: int, reward: float) -> None:
        if self.size == len(self.rewards):
            self.contexts = np.concatenate([self.contexts, np.empty_like(self.contexts)])
            self.rewards = np.concatenate([self.rewards, np.empty_like(self.rewards)])
            self.arms = np.concatenate([self.arms, np.empty_like(self.arms)])
        self.contexts[self.size] = x
        self.rewards[self.size] = reward
        self.arms[self.size] = arm
        self.size += 1

    def nearest(self, x: Floats, k: int) -> Integers:
        squares = ((self.contexts[: self.size] - x) ** 2).sum(axis=1)
        order: Integers = np.argsort(squares, kind="stable")[:k].astype(np.int64)
        return order


class ReferenceHybrid:
    """LinUCB, ablation b, (Lin+k-NN)-UCB and LNUCB-TA, by its switches; ties to the first."""

    name: ClassVar[str] = "reference-lnucb-ta"
    results_version: ClassVar[int] = 1

    def __init__(
        self,
        n_arms: int,
        n_features: int,
        *,
        alpha: float = 1.0,
        reg: float = 1.0,
        kappa: float = 0.5,
        k_min: int = 1,
        k_max: int = 5,
        neighbours: bool = True,
        target: str = "residual",
        attention: bool = True,
        seed: int | None = None,
    ) -> None:
        """The seed is taken as policies take one; nothing here is left to chance."""
        self.n_arms, self.alpha, self.kappa = n_arms, alpha, kappa
        self.k_min, self.k_max = k_min, k_max
        self.neighbours, self.target, self.attention = neighbours, target, attention
        self.ridges = [ReferenceRidge(n_features, reg) for _ in range(n_arms)]
        self.logs = [ReferenceLog(n_features) for _ in range(n_arms)]

    def choose(self, contexts: Floats) -> int:
        return int(self.scores(contexts).argmax())

    def scores(self, contexts: Floats) -> Floats:
        means = [log.rewards[: log.size].mean() if log.size else 0.0 for log in self.logs]
        overall = np.mean(means)
        scores = np.empty(self.n_arms)
        for arm in range(self.n_arms):
            x = contexts if contexts.ndim == 1 else contexts[arm]
            rate = self.alpha
            if self.attention:
                pulls = self.logs[arm].size
                rate *= (self.kappa * overall + (1 - self.kappa) * means[arm]) / (pulls + 1)
            ridge = self.ridges[arm]
            scores[arm] = x @ ridge.weights + self.local(x, arm) + rate * ridge.width(x)
        return scores

    def local(self, x: Floats, arm: int) -> float:
        log = self.logs[arm]
        rewards = log.rewards[: log.size]
        variance = rewards.var() if log.size else 0.0
        k = max(1, int(np.floor(self.k_min + (self.k_max - self.k_min) * variance + 1e-9)))
        if not self.neighbours or log.size < k:
            return 0.0
        return float(rewards[log.nearest(x, k)].mean())

    def learn(self, contexts: Floats, arm: int, reward: float) -> None:
        x = contexts if contexts.ndim == 1 else contexts[arm]
        expected = self.local(x, arm) if self.target == "residual" else 0.0
        self.ridges[arm].learn(x, reward - expected)
        self.logs[arm].append(x, arm, reward)

    def overhear(self, contexts: Floats, arm: int, reward: float) -> None:
        """An event of a log that was not chosen: neighbours and counts learn it, not the ridge."""
        x = contexts if contexts.ndim == 1 else contexts[arm]
        self.logs[arm].append(x, arm, reward)
