"""ItemHybrid in plain worlds, where each arm is an item with an id and a one-hot vector.

python -m benchmarks.plain_items --kinds revenue
python -m benchmarks.plain_items --kinds revenue --unit 100
"""

from __future__ import annotations

import argparse

import numpy as np
from rich.console import Console

from hybandit import ItemHybrid
from hybandit.environments.plain_world import KINDS, PlainWorld
from hybandit.reports.spread import Spread
from hybandit.reports.tables import TableView


def played(kind, rounds, seed, unit):
    """The regret of a round, and that of a random choice."""
    world = PlainWorld(kind, rounds=rounds, seed=seed)
    policy = ItemHybrid(world.n_features, world.n_arms, seed=seed)
    items, ids = np.eye(world.n_arms), list(range(world.n_arms))
    lost = chance = 0.0
    for turn in world:
        arm = policy.choose(turn.context, items, ids=ids)
        policy.learn(turn.context, items[arm], turn.reward(arm) / unit, id=arm)
        lost += turn.best - turn.expected(arm)
        chance += turn.best - float(turn.means.mean())
    return lost / rounds, chance / rounds


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--kinds", default="revenue", help=f"of {', '.join(KINDS)}")
    parser.add_argument("--rounds", type=int, default=8_000)
    parser.add_argument("--seeds", type=int, default=20, help="how many, from 2,000 upwards")
    parser.add_argument("--unit", type=float, default=1.0, help="what is learned as a reward of 1")
    options = parser.parse_args()
    rows = []
    for kind in options.kinds.split(","):
        seeds = range(2_000, 2_000 + options.seeds)
        found = [played(kind, options.rounds, seed, options.unit) for seed in seeds]
        lost, chance = (Spread.of(list(each)) for each in zip(*found, strict=True))
        beyond = sum(own > random for own, random in found)
        worst = f"{max(own for own, _ in found):.4g}"
        rows.append([kind, str(lost), worst, f"{chance.mean:.4g}", str(beyond)])
    heads = ["", "regret of a round", "worst run", "random play", "runs above random play"]
    title = f"ItemHybrid in plain worlds, {options.seeds} runs of {options.rounds:,} rounds"
    Console().print(TableView("", title, heads, rows).rich())


if __name__ == "__main__":
    main()
