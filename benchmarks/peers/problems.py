"""The problems of the race, as arrays that every peer is given."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

ARMS = 10
NOISE = 0.1
GROUPS, SPREAD = 50, 0.5
HIT, MISS = 0.9, 0.1


@dataclass(frozen=True)
class Problem:
    """`kind` says what a peer must bring; `log` rounds are learned before the clock starts."""

    name: str
    title: str
    kind: str
    features: int
    rounds: int
    log: int = 0

    def save(self, path: Path, rounds: int | None = None) -> None:
        """Write contexts, rewards of all arms and their means; the log's arms as well."""
        generator = np.random.default_rng(0)
        wanted = self.log + (rounds or self.rounds)
        make = groups if self.kind == "knn" else linear
        contexts, rewards, means = make(generator, wanted, self.features)
        arms = generator.integers(ARMS, size=self.log)
        np.savez(path, contexts=contexts, rewards=rewards, means=means, log=arms)


PROBLEMS = [
    Problem("lin-ucb-20", "LinUCB, d = 20", "lin-ucb", 20, 10_000),
    Problem("lin-ucb-100", "LinUCB, d = 100", "lin-ucb", 100, 10_000),
    Problem("lin-ts-100", "LinTS, d = 100", "lin-ts", 100, 10_000),
    Problem("batch-100", "Batch scoring, 100,000 x 100", "batch", 100, 100_000, log=2_000),
    Problem("knn-20", "k-NN, d = 20", "knn", 20, 10_000),
]


def of_unit_length(vectors):
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def linear(generator, rounds, features):
    """Contexts of unit length, and for each arm a linear reward with a little noise."""
    contexts = of_unit_length(generator.normal(size=(rounds, features)))
    means = contexts @ generator.normal(size=(ARMS, features)).T
    return contexts, means + NOISE * generator.normal(size=means.shape), means


def groups(generator, rounds, features):
    """Contexts around 50 centres; in each group one arm pays 1 nine times in ten, the others once.

    Each arm is the right one in five groups, so that no linear rule finds it.
    """
    centres = generator.normal(size=(GROUPS, features))
    group = generator.integers(GROUPS, size=rounds)
    contexts = centres[group] + SPREAD * generator.normal(size=(rounds, features))
    right = generator.permutation(np.arange(GROUPS) % ARMS)[group]
    means = np.where(np.arange(ARMS) == right[:, None], HIT, MISS)
    rewards = (generator.random(means.shape) < means).astype(float)
    return of_unit_length(contexts), rewards, means
