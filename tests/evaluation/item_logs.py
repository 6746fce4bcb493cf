"""Made-up logs of items whose truth is known, and a policy whose value on them is."""

from __future__ import annotations

import numpy as np

from hybandit import ItemPolicy
from hybandit.evaluation import ItemLog

WORLD = np.random.default_rng(11)
ITEMS = WORLD.normal(size=(8, 3))
LOGGING, REWARDS, NOISE = WORLD.normal(size=(3, 2, 3))
TARGET = REWARDS + 0.5 * NOISE
NAMES = tuple(f"item {number}" for number in range(len(ITEMS)))
EXPLORE = 0.3


def means_of(context, items):
    """The expected reward of each item on a context."""
    return 1.0 / (1.0 + np.exp(-1.5 * context @ REWARDS @ items.T))


def offers(count, seed):
    """A context, and the numbers of three to six items that are there."""
    generator = np.random.default_rng([seed, 2])
    for _ in range(count):
        size = int(generator.integers(3, 7))
        yield generator.normal(size=2), generator.choice(len(ITEMS), size, replace=False)


def known_item_log(count, seed):
    """Clicks, by a logging policy that looks at the context and at the items."""
    generator = np.random.default_rng([seed, 3])
    rows, items, names, choices, rewards, propensities = [], [], [], [], [], []
    for context, numbers in offers(count, seed):
        powers = np.exp(0.2 * context @ LOGGING @ ITEMS[numbers].T)
        chances = powers / powers.sum()
        choice = int(generator.choice(len(numbers), p=chances))
        rows.append(context)
        items.append(ITEMS[numbers])
        names.append(tuple(NAMES[number] for number in numbers))
        choices.append(choice)
        rewards.append(float(generator.random() < means_of(context, ITEMS[numbers])[choice]))
        propensities.append(chances)
    return ItemLog(np.array(rows), items, names, np.array(choices), np.array(rewards), propensities)


def true_value(count=20_000):
    """The mean reward of `Steady` in this world."""
    total = 0.0
    for context, numbers in offers(count, seed=99):
        means = means_of(context, ITEMS[numbers])
        best = int((context @ TARGET @ ITEMS[numbers].T).argmax())
        total += (1.0 - EXPLORE) * means[best] + EXPLORE * means.mean()
    return total / count


class Steady(ItemPolicy):
    """Learns nothing: the best by TARGET, and at times any item."""

    def _values(self, context, items, ids):
        return context @ TARGET @ items.T

    def _learn(self, context, item, name, reward):
        return 0.0

    def _forget(self, name):
        pass


def steady():
    return Steady(2, 3, explore=EXPLORE, seed=0)
