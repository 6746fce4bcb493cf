"""Rules that choose among candidates rather than arms, for exploring a network."""

from __future__ import annotations

from typing import Any, ClassVar, Protocol

import numpy as np

from hybandit.experiments.specs import PolicySpec
from hybandit.policies import make_policy
from hybandit.state import Floats

NEIGHBOURS = 20
FEATURES = 4


class Prober(Protocol):
    """Chooses a candidate by its features, and learns what probing it showed."""

    def choose(self, candidates: Floats) -> int: ...
    def learn(self, candidate: Floats, reward: float) -> None: ...


def largest_of(scores: Floats, generator: np.random.Generator) -> int:
    """The place of the largest score, a random one if several share it."""
    return int(generator.choice(np.flatnonzero(scores == scores.max())))


class OneArm:
    """A policy with one arm whose candidates are the nodes: the argmax runs over them."""

    def __init__(self, name: str, seed: int, **settings: Any) -> None:
        self.policy = make_policy(name, 1, FEATURES, seed=seed, **settings)
        self._generator = np.random.default_rng(seed)

    def choose(self, candidates: Floats) -> int:
        return largest_of(self.policy.score_many(candidates)[:, 0], self._generator)

    def learn(self, candidate: Floats, reward: float) -> None:
        self.policy.learn(candidate, 0, reward)


class KNNEpsilonGreedy:
    """The largest distance-weighted mean reward of the k nearest probed nodes.

    With probability epsilon a random candidate (Madhawa and Murata).
    """

    name: ClassVar[str] = "knn-epsilon-greedy"
    results_version: ClassVar[int] = 1

    def __init__(self, seed: int, epsilon: float = 0.1) -> None:
        self.epsilon = epsilon
        self.contexts: list[Floats] = []
        self.rewards: list[float] = []
        self._generator = np.random.default_rng(seed)

    def choose(self, candidates: Floats) -> int:
        if not self.rewards or self._generator.random() < self.exploration():
            return int(self._generator.integers(len(candidates)))
        return largest_of(self.scores(candidates), self._generator)

    def exploration(self) -> float:
        """The probability of a random candidate."""
        return self.epsilon

    def scores(self, candidates: Floats) -> Floats:
        return self.means_and_distances(candidates, NEIGHBOURS)[0]

    def means_and_distances(self, candidates: Floats, k: int) -> tuple[Floats, Floats]:
        """Distance-weighted mean reward of the k nearest, and their mean distance."""
        from scipy.spatial import cKDTree

        k = min(k, len(self.rewards))
        distances, places = cKDTree(np.array(self.contexts)).query(candidates, k=k)
        distances, places = distances.reshape(-1, k), places.reshape(-1, k)
        weights = 1.0 / np.maximum(distances, 1e-9)
        rewards = np.array(self.rewards)[places]
        means: Floats = (weights * rewards).sum(axis=1) / weights.sum(axis=1)
        return means, distances.mean(axis=1)

    def learn(self, candidate: Floats, reward: float) -> None:
        self.contexts.append(candidate)
        self.rewards.append(reward)


class AttentionKNNEpsilonGreedy(KNNEpsilonGreedy):
    """The paper's k-NN with attention: k from the rewards' variance, exploration fading.

    The paper gives no formula; ours explores with probability ``epsilon / sqrt(N + 1)``
    and asks ``1 + 19 v`` neighbours, v the variance of rewards so far.
    """

    name: ClassVar[str] = "attention-knn-epsilon-greedy"

    def exploration(self) -> float:
        return float(self.epsilon / np.sqrt(len(self.rewards) + 1.0))

    def scores(self, candidates: Floats) -> Floats:
        k = 1 + int((NEIGHBOURS - 1) * np.var(self.rewards) + 1e-9)
        return self.means_and_distances(candidates, k)[0]


class KNNUpperConfidence(KNNEpsilonGreedy):
    """Madhawa and Murata's KNN-UCB: that mean plus alpha times the mean distance."""

    name: ClassVar[str] = "probing-knn-ucb"

    def __init__(self, seed: int, alpha: float = 2.0) -> None:
        super().__init__(seed, epsilon=0.0)
        self.alpha = alpha

    def scores(self, candidates: Floats) -> Floats:
        means, distances = self.means_and_distances(candidates, NEIGHBOURS)
        scores: Floats = means + self.alpha * distances
        return scores


class RandomNode:
    """Any candidate."""

    name: ClassVar[str] = "random-node"
    results_version: ClassVar[int] = 1

    def __init__(self, seed: int) -> None:
        self._generator = np.random.default_rng(seed)

    def choose(self, candidates: Floats) -> int:
        return int(self._generator.integers(len(candidates)))

    def learn(self, candidate: Floats, reward: float) -> None:
        """Nothing to learn."""


class HighestDegree(RandomNode):
    """The candidate with most edges seen."""

    name: ClassVar[str] = "highest-degree"

    def choose(self, candidates: Floats) -> int:
        return largest_of(candidates[:, 0], self._generator)


PROBERS: tuple[type[KNNEpsilonGreedy] | type[RandomNode], ...] = (
    KNNEpsilonGreedy,
    AttentionKNNEpsilonGreedy,
    KNNUpperConfidence,
    RandomNode,
    HighestDegree,
)


def make_prober(policy: PolicySpec, seed: int) -> Prober:
    """A prober by name; a policy becomes one by having one arm."""
    settings = {"seed": seed, **policy.settings}
    for prober in PROBERS:
        if prober.name == policy.name:
            return prober(**settings)
    return OneArm(policy.name, **settings)
