"""What a loop earns where visitors, and offers, are known by vectors of 384 numbers.

    python -m benchmarks.vectors [--seeds N] [--first-seed S] [--rounds N] [--kinds names,items,...]

The vectors lie near ten hidden directions, as those that a language model makes of texts, and
tastes follow these. Names: six actions without features, each with a direction of its own.
Items: 40 actions with vectors of the same space, of which ten are offered. Texts: these, with half
of the taste, or all of it, between the visitor's town and the action's topic. Played by a loop that
gets the vector as a list, by one that gets a key for each number, and by one that gets the hidden
numbers; all at the floor of `explore`, by the loop's own parts without the database.
"""

from __future__ import annotations

import os

for library in ("OMP", "OPENBLAS", "MKL", "NUMBA"):
    os.environ[f"{library}_NUM_THREADS"] = "1"

import argparse
import time

import numpy as np
from rich.console import Console
from scipy.special import expit

from hybandit.features.records import canonical
from hybandit.loop.learning.model import LoopModel
from hybandit.loop.settings import checked
from hybandit.loop.storage.contract import LEARN, NO_FEATURES, Entry
from hybandit.loop.verbs.request import draw, explored, seed_of
from hybandit.reports.tables import TableView

LENGTH, HIDDEN, NOISE = 384, 10, 0.3
NAMES, ITEMS, OFFERED = 6, 40, 10
TOWNS, TOPICS = 6, 5
# The share of tastes that is between towns and topics.
KINDS = {"names": 0.0, "items": 0.0, "half texts": 0.5, "texts": 1.0}


class VectorWorld:
    """Visitors and actions by hidden numbers, and the vectors that show them."""

    def __init__(self, kind, rounds, seed):
        generator = np.random.default_rng([seed, 384])
        self.kind, self.count = kind, NAMES if kind == "names" else ITEMS
        spread = generator.normal(size=(HIDDEN, LENGTH))
        away = generator.normal(size=LENGTH)

        def shown(hidden):
            noise = NOISE * generator.normal(size=(len(hidden), LENGTH))
            return (hidden @ spread / np.sqrt(HIDDEN) + noise + away).round(5)

        self.visitors = generator.normal(size=(rounds, HIDDEN))
        self.actions = generator.normal(size=(self.count, HIDDEN))
        self.seen, self.look = shown(self.visitors), shown(self.actions)
        taste = self.visitors @ self.actions.T / np.sqrt(HIDDEN)
        self.luck = generator.random(rounds)
        offered = self.count if kind == "names" else OFFERED
        self.offers = generator.random((rounds, self.count)).argsort(axis=1)[:, :offered]
        self.towns = self.topics = None
        if share := KINDS[kind]:
            self.towns = generator.integers(TOWNS, size=rounds)
            self.topics = generator.integers(TOPICS, size=self.count)
            between = generator.normal(size=(TOWNS, TOPICS))[self.towns][:, self.topics]
            taste = np.sqrt(1.0 - share) * taste + np.sqrt(share) * between
        self.chances = expit(-1.0 + 2.0 * taste)


def as_list(vector, _):
    return {"text": vector.tolist()}


def as_keys(vector, _):
    return {f"x{n}": x for n, x in enumerate(vector)}


def as_hidden(_, hidden):
    return {f"h{n}": x for n, x in enumerate(hidden)}


def told_by(told, vectors, hidden, texts):
    """The features of each visitor, or of each action, as JSON."""
    for place, each in enumerate(map(told, vectors, hidden)):
        text = {} if texts is None else {"about": f"t{texts[place]}"}
        yield canonical("features", {"member": True} | text | each)


PLAYERS = {"a list": as_list, "384 keys": as_keys, "the hidden numbers": as_hidden}


def played(world, told, seed):
    """The mean of what was shown, and CPU milliseconds a round."""
    settings = checked({})[0]
    model, earned, started = LoopModel(settings), [], time.process_time()
    looks = [NO_FEATURES] * world.count
    if world.kind != "names":
        looks = list(told_by(told, world.look, world.actions, world.topics))
    contexts = told_by(told, world.seen, world.visitors, world.towns)
    for number, (offer, context) in enumerate(zip(world.offers.tolist(), contexts, strict=True)):
        names, features = [f"a{each}" for each in offer], [looks[each] for each in offer]
        chances = model.probabilities(context, names, features)
        explored(chances, np.arange(len(names)), 0, explore=settings["explore"], control=0.0)
        place = draw(chances, seed_of(f"{seed}/{number}", number))
        chance = world.chances[number, offer[place]]
        reward = float(world.luck[number] < chance)
        model.learn(
            Entry(number + 1, LEARN, 0.0, None, context, names[place], features[place], reward)
        )
        earned.append(chance)
    return np.mean(earned), 1e3 * (time.process_time() - started) / len(earned)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--first-seed", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=3000)
    parser.add_argument("--kinds", default=",".join(KINDS))
    arguments = parser.parse_args()
    rows = []
    for kind in arguments.kinds.split(","):
        seeds = range(arguments.first_seed, arguments.first_seed + arguments.seeds)
        worlds = [VectorWorld(kind, arguments.rounds, seed) for seed in seeds]
        offered = [np.take_along_axis(world.chances, world.offers, axis=1) for world in worlds]
        by_chance, best = np.mean(offered), np.mean([each.max(axis=1) for each in offered])
        for name, told in PLAYERS.items():
            found = [played(world, told, seed) for world, seed in zip(worlds, seeds, strict=True)]
            mean, spent = np.mean(found, axis=0)
            way = (mean - by_chance) / (best - by_chance)
            rows.append([kind, name, f"{mean:.4f}", f"{way:.0%}", f"{spent:.2f}"])
    columns = ["actions", "the loop gets", "mean", "from chance to the best", "CPU ms a round"]
    Console().print(TableView("vectors", "Mean reward", columns, rows).rich())


if __name__ == "__main__":
    main()
