"""How long the true probabilities of Thompson sampling take, and how true they are.

    python benchmarks/probabilities.py                # up to 10,000 arms: about a minute
    python benchmarks/probabilities.py --arms 10 100  # a first look: some seconds

Worlds: "learned", arms of different worth seen 1 to 1,000 times; "alike", arms that hardly
differ, so that each may win; "wild", scales from 1e-8 to 1 that all begin at one place. The error
is the largest relative one of any probability of at least 1e-5, against ten times the nodes;
"lost" counts arms that win with more than 1e-12 but are told to have 0. Memory is what a call
takes at its height.
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

from hybandit.policies import probability
from hybandit.reports.tables import TableView


def learned(generator, count):
    return generator.normal(size=count), 1.0 / np.sqrt(generator.integers(1, 1001, count))


def alike(generator, count):
    return 1e-3 * generator.normal(size=count), generator.uniform(0.99, 1.01, count)


def wild(generator, count):
    scales = 10.0 ** generator.uniform(-8, 0, count)
    return scales * generator.uniform(-6, 6, count), scales


def normal(world, generator, count):
    return probability.of_largest_normal, world(generator, count)


def student(world, generator, count):
    return probability.of_largest_student, (
        *world(generator, count),
        generator.uniform(12, 1000, count),
    )


def beta(world, generator, count):
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


def row(kind, world, count):
    function, parameters = kind(world, np.random.default_rng(count), count)

    def ask():
        return function(*parameters, np.ones(count, bool), "random")

    found = ask()
    taken = []
    for _ in range(15 if count <= 1000 else 5):
        start = time.perf_counter()
        ask()
        taken.append(1e3 * (time.perf_counter() - start))
    tracemalloc.start()
    ask()
    peak = tracemalloc.get_traced_memory()[1] / 1e6
    tracemalloc.stop()
    expected = finely(ask)
    likely = expected >= 1e-5
    error = np.abs(found[likely] / expected[likely] - 1.0).max()
    lost = int((found[expected > 1e-12] == 0.0).sum())
    return [kind.__name__, world.__name__, f"{count:,}", f"{statistics.median(taken):.2f}",
            f"{peak:.1f}", f"{error:.0e}", f"{abs(found.sum() - 1.0):.0e}", f"{lost}"]  # fmt: skip


def main():
    parser = argparse.ArgumentParser(description="Probabilities of the largest draw.")
    parser.add_argument("--arms", nargs="+", type=int, default=[10, 100, 1000, 10_000])
    counts = parser.parse_args().arms
    cases = [
        (kind, world, count)
        for kind in (normal, student, beta)
        for world in (learned, alike, wild)
        for count in counts
    ]
    rows = [row(*case) for case in track(cases, "probabilities", transient=True)]
    columns = ["draws", "world", "arms", "ms", "MB", "worst error", "sum off by", "lost"]
    table = TableView("probabilities", "Probabilities of the largest draw", columns, rows, left=2)
    Console(width=100).print(table.rich())


if __name__ == "__main__":
    main()
