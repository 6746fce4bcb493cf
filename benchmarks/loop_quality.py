"""What the way through dicts costs in reward.

    python benchmarks/loop_quality.py [--seeds N] [--first-seed S] [--rounds N] [--worlds ...]

On every world of items: ItemHybrid on ready-made vectors, the same with the loop's exploration
floor of 0.05, and what a loop does with the same rounds as dicts of numbers, floor included. On
the digits: StackedHybrid on vectors, and a loop that gets dicts of pixels and ten plain names.
The loop's own parts decide and learn (encoders, model, floor, draw); only the database is left
out. The ratio is the loop's reward to that of the first, which has no floor.
"""

from __future__ import annotations

import os

for library in ("OMP", "OPENBLAS", "MKL", "NUMBA"):
    os.environ[f"{library}_NUM_THREADS"] = "1"

import argparse

import numpy as np
from rich.console import Console

import hybandit
from hybandit.datasets import DATASETS
from hybandit.environments import Classification, ItemWorld, play, play_items
from hybandit.environments.items import ITEM_WORLDS
from hybandit.features.records import canonical
from hybandit.loop.learning.model import LoopModel
from hybandit.loop.settings import checked
from hybandit.loop.storage.contract import LEARN, Entry
from hybandit.loop.verbs.request import draw, explored, seed_of
from hybandit.policies import ItemHybrid
from hybandit.reports.tables import TableView

# A column for each of 64 pixels, and the constant.
PIXELS = {"context_width": 65, "action_width": 16}
FLOOR = 0.05


class ThroughDicts:
    """A loop without its database, for whoever plays a policy."""

    def __init__(self, seed, **given):
        self._settings = checked({})[0] | given
        self._model = LoopModel(self._settings)
        self._seed, self._asked, self._version = seed, 0, 0

    def choose(self, context, items, *, ids):
        self._asked += 1
        names = [str(name) for name in ids]
        told = self._model.probabilities(text(context), names, [text(item) for item in items])
        explored(told, np.arange(len(told)), 0, explore=self._settings["explore"], control=0.0)
        return draw(told, seed_of(f"{self._seed}/{self._asked}", self._version))

    def learn(self, context, item, reward, *, id):
        self._version += 1
        entry = Entry(
            self._version, LEARN, 0.0, None, text(context), str(id), text(item), float(reward)
        )
        self._model.learn(entry)


class PlainNames:
    """Arms as names without features."""

    def __init__(self, n_arms, seed, _):
        self._names, self._loop = list(range(n_arms)), ThroughDicts(seed, **PIXELS)

    def choose(self, context):
        return self._loop.choose(context, [()] * len(self._names), ids=self._names)

    def learn(self, context, arm, reward):
        self._loop.learn(context, (), reward, id=arm)


def text(values):
    return canonical("features", {f"x{place}": float(value) for place, value in enumerate(values)})


def on_items(kind, seed, rounds):
    world = ItemWorld(kind, rounds=rounds, seed=seed)
    best = np.mean([turn.best for turn in world])
    sizes = world.n_context, world.n_item
    policies = (
        ItemHybrid(*sizes, seed=seed),
        ItemHybrid(*sizes, seed=seed, explore=FLOOR),
        ThroughDicts(seed),
    )
    return [best - play_items(each, world).regrets.mean() for each in policies]


def on_digits(_, seed, rounds):
    table = DATASETS["digits"].load()
    played = min(rounds, len(table.labels))
    outcomes = []
    for encoding, make in (
        ("standard", stacked),
        ("standard", floored_stacked),
        ("raw", PlainNames),
    ):
        contexts = table.encoded(encoding)
        environment = Classification(contexts, table.labels, seed=seed, rounds=played)
        policy = make(environment.n_arms, seed, contexts.shape[1])
        outcomes.append(play(policy, environment).rewards.mean())
    return outcomes


def stacked(n_arms, seed, n_features):
    return hybandit.StackedHybrid(n_arms, n_features, seed=seed)


def floored_stacked(n_arms, seed, n_features):
    return hybandit.StackedHybrid(n_arms, n_features, explore=FLOOR, seed=seed)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--first-seed", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=10_000)
    parser.add_argument("--worlds", nargs="+", default=[*ITEM_WORLDS, "digits"])
    arguments = parser.parse_args()
    rows = []
    for kind in arguments.worlds:
        seeds = range(arguments.first_seed, arguments.first_seed + arguments.seeds)
        played = on_digits if kind == "digits" else on_items
        found = np.array([played(kind, seed, arguments.rounds) for seed in seeds])
        means = found.mean(axis=0)
        least = (found[:, 2] / found[:, 0]).min()
        ratios = means[1] / means[0], means[2] / means[0], least
        rows.append([kind, *(f"{mean:.4f}" for mean in means), *(f"{each:.1%}" for each in ratios)])
    columns = ["world", "vectors", f"vectors, {FLOOR}", f"dicts, {FLOOR}"]
    columns += ["floor alone", "ratio", "least ratio"]
    Console().print(TableView("quality", "Mean reward", columns, rows).rich())


if __name__ == "__main__":
    main()
