"""A million rounds of extreme but finite inputs: nothing may become NaN or infinite.

    python stress/endurance.py [POLICY ...] [--rounds N]

Contexts and rewards have sizes from 1e-100 to 1e100, signs at random, zeros among them.
The ridge's inverse and weights after 100,000 ordinary updates are held against a fresh solve.
"""

from __future__ import annotations

import argparse

import numpy as np
from rich.console import Console
from rich.progress import track

import hybandit
from hybandit.estimators import Ridge
from hybandit.reports.tables import TableView

ARMS, FEATURES = 3, 4


def extreme(name, rounds):
    generator = np.random.default_rng(0)
    policy = hybandit.make_policy(name, ARMS, FEATURES, seed=0)
    limit = 0.0 if not policy.rewards.holds(2.0) else 100.0
    for number in track(range(rounds), name, transient=True):
        signs = generator.choice([-1.0, 0.0, 1.0], FEATURES)
        x = signs * 10.0 ** generator.uniform(-100, 100, FEATURES)
        size = 10.0 ** generator.uniform(-100, limit)
        reward = -size if limit and signs[0] < 0 else size
        policy.learn(x, policy.choose(x), reward)
        if number % 10_000 == 0 or number == rounds - 1:
            assert not np.isnan(policy.decide(x).scores).any(), f"{name}: NaN at {number}"
            for path, array in policy.state().items():
                assert np.isfinite(array).all(), f"{name}: {path} is not finite at {number}"
    return [f"{name}, extreme inputs", f"{rounds:,} rounds", "all finite"]


def drift_from_a_fresh_solve(size=50, updates=100_000):
    generator = np.random.default_rng(0)
    ridge = Ridge(1, size)
    gram, moment = np.eye(size), np.zeros(size)
    mix = generator.normal(size=(size, size))
    for _ in track(range(updates), "ridge", transient=True):
        x = mix @ generator.normal(size=size) / size
        target = float(x.sum() + generator.normal())
        ridge.learn(x[None], 0, target)
        gram += np.outer(x, x)
        moment += target * x
    inverse = np.linalg.inv(gram)
    fresh = np.linalg.solve(gram, moment)
    of_inverse = np.abs(ridge.inverse(0) - inverse).max() / np.abs(inverse).max()
    of_weights = np.abs(ridge.weights[0] - fresh).max() / np.abs(fresh).max()
    return ["ridge against a fresh solve", f"{updates:,} updates, d = {size}",
            f"inverse {of_inverse:.1e}, weights {of_weights:.1e} relative"]  # fmt: skip


def main():
    parser = argparse.ArgumentParser(description="Nothing breaks, however long and extreme.")
    parser.add_argument("policies", nargs="*", default=["lin-ucb", "lin-ts", "ucb"])
    parser.add_argument("--rounds", type=int, default=1_000_000)
    arguments = parser.parse_args()
    rows = [drift_from_a_fresh_solve()]
    rows += [extreme(name, arguments.rounds) for name in arguments.policies]
    columns = ["what", "how long", "found"]
    Console().print(TableView("endurance", "Endurance", columns, rows, left=3).rich())


if __name__ == "__main__":
    main()
