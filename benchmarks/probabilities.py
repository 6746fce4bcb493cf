"""How long the true probabilities of Thompson sampling take, and how true they are.

    python benchmarks/probabilities.py                # up to 10,000 arms: about a minute
    python benchmarks/probabilities.py --arms 10 100  # a first look: some seconds
    python benchmarks/probabilities.py --policies     # instead: `decide` of every such policy

Worlds: "learned", arms of different worth seen 1 to 1,000 times; "alike", arms that hardly
differ, so that each may win; "wild", scales from 1e-8 to 1 that all begin at one place; of beta
draws also "decades", shapes from 0.1 to 1e6, and "stretched", the same up to 1e4 moved and
stretched by attention. The error is the largest relative one of any probability of at least 1e-5,
against ten times the nodes; "lost" counts arms that win with more than 1e-12 but are told to have
0. Memory is what a call takes at its height.
"""

from __future__ import annotations

import os

for library in ("OMP", "OPENBLAS", "MKL", "NUMBA"):
    os.environ[f"{library}_NUM_THREADS"] = "1"

import argparse
import statistics
import time
import tracemalloc

import numpy as np
from rich.console import Console
from rich.progress import track

import hybandit
from hybandit.policies import find_policy, policy_names
from hybandit.policies.base import probability
from hybandit.reports.tables import TableView


def learned(generator, count):
    return generator.normal(size=count), 1.0 / np.sqrt(generator.integers(1, 1001, count))


def alike(generator, count):
    return 1e-3 * generator.normal(size=count), generator.uniform(0.99, 1.01, count)


def wild(generator, count):
    scales = 10.0 ** generator.uniform(-8, 0, count)
    return scales * generator.uniform(-6, 6, count), scales


def decades(generator, count):
    shapes = 10.0 ** generator.uniform(-1, 6, (2, count))
    return (*shapes, np.zeros(count), np.ones(count))


def stretched(generator, count):
    shapes = 10.0 ** generator.uniform(-1, 4, (2, count))
    return (*shapes, 0.1 * generator.normal(size=count), 10.0 ** generator.uniform(-2, 0.5, count))


def normal(world, generator, count):
    return probability.of_largest_normal, world(generator, count)


def student(world, generator, count):
    return probability.of_largest_student, (
        *world(generator, count),
        generator.uniform(12, 1000, count),
    )


def beta(world, generator, count):
    if world in (decades, stretched):
        return probability.of_largest_beta, world(generator, count)
    centres, scales = world(generator, count)
    if world is wild:
        first, second = generator.uniform(0.7, 50, (2, count))
        return probability.of_largest_beta, (first, second, centres, scales)
    likely = 1.0 / (1.0 + np.exp(-centres))
    shapes = (1.0 + likely / scales**2, 1.0 + (1.0 - likely) / scales**2)
    return probability.of_largest_beta, (*shapes, np.zeros(count), np.ones(count))


def finely(ask, times=10):
    step, many = probability.STEP, probability.MANY
    probability.STEP, probability.MANY = step / times, many * times
    try:
        return ask()
    finally:
        probability.STEP, probability.MANY = step, many


def milliseconds(ask, repeats):
    taken = []
    for _ in range(repeats):
        start = time.perf_counter()
        ask()
        taken.append(1e3 * (time.perf_counter() - start))
    return f"{statistics.median(taken):.2f}"


def judged(ask, count):
    """Milliseconds, megabytes and what is wrong with the probabilities."""
    found = ask()
    taken = milliseconds(ask, 15 if count <= 1000 else 5)
    tracemalloc.start()
    ask()
    peak = tracemalloc.get_traced_memory()[1] / 1e6
    tracemalloc.stop()
    expected = finely(ask)
    likely = expected >= 1e-5
    error = np.abs(found[likely] / expected[likely] - 1.0).max()
    lost = int((found[expected > 1e-12] == 0.0).sum())
    return [taken, f"{peak:.1f}", f"{error:.0e}", f"{abs(found.sum() - 1.0):.0e}", f"{lost}"]


def of_draws(kind, world, count):
    function, parameters = kind(world, np.random.default_rng(count), count)
    everyone = np.ones(count, bool)
    figures = judged(lambda: function(*parameters, everyone, "random"), count)
    return [kind.__name__, world.__name__, f"{count:,}", *figures]


def of_policy(name, count, size=10, lessons=300):
    generator = np.random.default_rng(0)
    policy = hybandit.make_policy(name, count, size, seed=0)
    contexts = generator.normal(size=(lessons, size)) / np.sqrt(size)
    policy.learn_many(contexts, generator.integers(count, size=lessons), generator.random(lessons))
    context = contexts[0].copy()
    chosen = milliseconds(lambda: policy.choose(context), 15)
    figures = judged(lambda: policy.decide(context).probabilities, count)
    return [name, f"{count:,}", chosen, *figures]


def drawing():
    """The policies of arms that draw their scores, by name."""
    kinds = {name: find_policy(name) for name in policy_names(hybandit.ArmPolicy)}
    given = hybandit.ArmPolicy._probabilities
    return [name for name, kind in kinds.items() if kind._probabilities is not given]


def main():
    parser = argparse.ArgumentParser(description="Probabilities of the largest draw.")
    parser.add_argument("--arms", nargs="+", type=int, default=[10, 100, 1000, 10_000])
    parser.add_argument("--policies", action="store_true", help="decide of every such policy")
    given = parser.parse_args()
    columns = ["ms", "MB", "worst error", "sum off by", "lost"]
    if given.policies:
        cases = [*((name, 1000) for name in drawing()), ("lin-ts", 10_000)]
        rows = [of_policy(*case) for case in track(cases, "policies", transient=True)]
        columns = ["policy", "arms", "choose ms", "decide ms", *columns[1:]]
        title = "Decisions with their probabilities, d = 10"
    else:
        worlds = [
            (kind, each) for kind in (normal, student, beta) for each in (learned, alike, wild)
        ]
        worlds += [(beta, decades), (beta, stretched)]
        cases = [(*world, count) for world in worlds for count in given.arms]
        rows = [of_draws(*case) for case in track(cases, "probabilities", transient=True)]
        columns = ["draws", "world", "arms", *columns]
        title = "Probabilities of the largest draw"
    table = TableView("probabilities", title, columns, rows, left=1 if given.policies else 2)
    Console(width=100).print(table.rich())


if __name__ == "__main__":
    main()
