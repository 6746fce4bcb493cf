"""A shop whose goods come and go: new ones are no strangers, for they have features.

    python examples/shop.py [--visitors N]

Every visitor sees one of ten goods; every fifty visitors one leaves and a new one comes. The
policy survives a restart in the middle. Takes less than half a minute.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

import numpy as np

import hybandit

GOODS, TASTES = 10, 4


class Shop:
    """Goods with features and ids; a visitor buys what is to their taste."""

    def __init__(self, seed):
        self.chance = np.random.default_rng(seed)
        self.ids = list(range(GOODS))
        self.goods = [self._new() for _ in self.ids]

    def _new(self):
        return self.chance.dirichlet(np.ones(TASTES))

    def visitor(self):
        return self.chance.dirichlet(0.3 * np.ones(TASTES))

    def buys(self, visitor, index):
        return float(self.chance.random() < visitor @ self.goods[index])

    def restock(self):
        """The oldest leaves. Its id never comes back."""
        self.ids = [*self.ids[1:], self.ids[-1] + 1]
        self.goods = [*self.goods[1:], self._new()]


def main():
    parser = argparse.ArgumentParser(description="A shop whose goods come and go.")
    parser.add_argument("--visitors", type=int, default=2000)
    visitors = parser.parse_args().visitors
    shop, sold, random_sold = Shop(0), [], []
    policy = hybandit.ItemHybrid(n_context=TASTES, n_item=TASTES, explore=0.05, seed=0)
    for number in range(visitors):
        visitor = shop.visitor()
        decision = policy.decide(visitor, shop.goods, ids=shop.ids)
        reward = shop.buys(visitor, decision.index)
        policy.learn(visitor, shop.goods[decision.index], reward, id=shop.ids[decision.index])
        sold.append(reward)
        random_sold.append(np.mean([visitor @ good for good in shop.goods]))
        if number % 50 == 49:
            shop.restock()
        if number == visitors // 2:
            policy = restarted(policy)
    half = visitors // 2
    print(f"first half: {np.mean(sold[:half]):.0%} bought, second half: {np.mean(sold[half:]):.0%}")
    print(f"goods at random would have sold {np.mean(random_sold):.0%}")


def restarted(policy):
    """The policy as another process would find it."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "shop.npz"
        policy.save(file)
        return hybandit.load(file)


if __name__ == "__main__":
    main()
