"""Environments as a user writes them, and faulty ones."""

import numpy as np

from hybandit.environments import FullItemRound, FullRound
from hybandit.policies import ArmPolicy


class Shop:
    """Three offers; the third sells equally well to everybody."""

    n_arms, n_features = 3, 2

    def __init__(self, seed, rounds=120):
        self.seed, self.rounds = seed, rounds

    def __len__(self):
        return self.rounds

    def __iter__(self):
        generator = np.random.default_rng(self.seed)
        for _ in range(self.rounds):
            context = generator.normal(size=2)
            means = np.array([*context, 0.2])
            yield FullRound(context, means + 0.1 * generator.normal(size=3), means)


class Shelf:
    """Three of nine items at a time; their first feature sells."""

    n_context, n_item = 1, 2

    def __init__(self, seed, rounds=120):
        self.seed, self.rounds = seed, rounds

    def __len__(self):
        return self.rounds

    def __iter__(self):
        generator = np.random.default_rng(self.seed)
        items = generator.random((9, 2))
        for _ in range(self.rounds):
            offered = generator.choice(9, 3, replace=False)
            rewards = 1.0 * (generator.random(3) < items[offered, 0])
            yield FullItemRound(
                np.ones(1), rewards, items[offered, 0], items=items[offered], ids=offered.tolist()
            )


class Bare(Shelf):
    def __iter__(self):
        yield from Shop(0)


class Turn:
    context, best = np.zeros(2), 1.0

    def reward(self, arm):
        return 1.0


class Incomplete(Shop):
    def __iter__(self):
        yield Turn()


class Forgetful(ArmPolicy):
    """Chooses, and cannot learn of the last arm; without a name it is among no tests of all."""

    def _scores(self, contexts, allowed, exact):
        return np.arange(3.0)

    def _learn(self, contexts, arm, reward):
        return 1 / (arm - 2)
