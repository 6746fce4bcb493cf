"""How long a decision takes among 1,000 arms at d = 50, on one core, from a cold start.

    python benchmarks/arms.py                     # everything: about half an hour
    python benchmarks/arms.py --rounds 2000       # a first look: some minutes
    python benchmarks/arms.py --worlds spread narrow   # one context for all arms: some minutes
    python benchmarks/arms.py --parallel          # instead: one core against all of them
    python benchmarks/arms.py --churn             # instead: 10,000 arms come and go, 20 live

Worlds: "spread", contexts of unit length in all directions and linear rewards; "narrow", the same
within four directions and rewards of 0 or 1, where many arms look alike and bounds are loose;
"each", a context of its own for every arm. Milliseconds of the thread's own processor time.
"""

from __future__ import annotations

import os
import sys

if "--parallel" not in sys.argv:
    for library in ("OMP", "OPENBLAS", "MKL", "NUMBA"):
        os.environ[f"{library}_NUM_THREADS"] = "1"

import argparse
import copy
import statistics
import tempfile
import time
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.progress import track

import hybandit
from hybandit.estimators import Ridge, parallel
from hybandit.reports.tables import TableView

ARMS, SIZE = 1000, 50
POLICIES = ("lin-ucb", "lin-ts", "lin-knn-ucb", "lnucb-ta", "stacked-hybrid")
# The all-arms neighbourhood of 1,000 different contexts is 1,000 searches: minutes at full length.
SLOW = {("stacked-hybrid", "each"): 300}


def unit(rows):
    return rows / np.linalg.norm(rows, axis=-1, keepdims=True)


def spread(generator, rounds):
    truth = generator.normal(size=(ARMS, SIZE))
    for _ in range(rounds):
        context = unit(generator.normal(size=SIZE))
        yield context, truth @ context + 0.1 * generator.normal(size=ARMS)


def narrow(generator, rounds):
    truth = generator.normal(size=(ARMS, SIZE))
    directions = generator.normal(size=(SIZE, 4))
    for _ in range(rounds):
        context = unit(directions @ generator.normal(size=4))
        likely = 1.0 / (1.0 + np.exp(-2.0 * truth @ context))
        yield context, (generator.random(ARMS) < likely).astype(float)


def each(generator, rounds):
    truth = generator.normal(size=SIZE)
    for _ in range(rounds):
        contexts = unit(generator.normal(size=(ARMS, SIZE)))
        yield contexts, contexts @ truth + 0.1 * generator.normal(size=ARMS)


def durations(name, world, rounds):
    policy = hybandit.make_policy(name, ARMS, SIZE, seed=0)
    warm = hybandit.make_policy(name, ARMS, SIZE, seed=0)
    for context, rewards in world(np.random.default_rng(1), 3):
        warm.learn(context, warm.choose(context), rewards[0])
    del warm
    chosen, learned = [], []
    stream = world(np.random.default_rng(0), rounds)
    for context, rewards in track(stream, f"{name}, {world.__name__}", rounds, transient=True):
        start = time.thread_time()
        arm = policy.choose(context)
        middle = time.thread_time()
        policy.learn(context, arm, rewards[arm])
        chosen.append(middle - start)
        learned.append(time.thread_time() - middle)
    return 1e3 * np.array(chosen), 1e3 * np.array(learned)


WORLDS = {world.__name__: world for world in (spread, narrow, each)}


def one_core(rounds, worlds):
    rows = []
    for world in (WORLDS[name] for name in worlds):
        for name in POLICIES:
            count = min(rounds, SLOW.get((name, world.__name__), rounds))
            chosen, learned = durations(name, world, count)
            thirds = [np.quantile(part, 0.99) for part in np.array_split(chosen, 3)]
            rows.append(
                [name, world.__name__, f"{count:,}", f"{np.median(chosen):.2f}",
                 f"{np.quantile(chosen, 0.99):.2f}", " ".join(f"{p99:.2f}" for p99 in thirds),
                 f"{np.median(learned):.2f}", f"{np.quantile(learned, 0.99):.2f}"]
            )  # fmt: skip
    columns = ["policy", "world", "rounds", "choose p50", "p99", "p99 by thirds", "learn p50",
               "p99"]  # fmt: skip
    title = f"Milliseconds with {ARMS:,} arms, d = {SIZE}, one core"
    return TableView("arms", title, columns, rows, left=2)


def all_cores(repeats=15):
    rows = []
    for n_arms, size in ((100, 178), (300, 178), (1000, 50), (1000, 178)):
        generator = np.random.default_rng(0)
        ridge = Ridge(n_arms, size)
        for arm in range(n_arms):
            ridge.learn(unit(generator.normal(size=(1, size))), arm, 1.0)
        context = unit(generator.normal(size=(1, size)))
        work = (context, np.ones(n_arms), np.ones(n_arms, bool), True)
        taken = {}
        for _ in range(repeats):
            for label, pays in (("one", np.inf), ("all", 0)):
                parallel.PAYS = pays
                start = time.perf_counter()
                ridge.upper(*work)
                taken.setdefault(label, []).append(1e3 * (time.perf_counter() - start))
        one, every = statistics.median(taken["one"]), statistics.median(taken["all"])
        rows.append([f"{n_arms:,} x {size}", f"{one:.2f}", f"{every:.2f}", f"{one / every:.2f}"])
    columns = ["all widths of", "one core", f"{parallel.allowed()} threads", "ratio"]
    return TableView("parallel", "Milliseconds", columns, rows, left=1)


def costs(policies, generator, repeats=1500):
    """Microseconds of a choice of each, at the median, one after the other on every context."""
    taken = [[] for _ in policies]
    for context in unit(generator.normal(size=(repeats, SIZE))):
        for policy, own in zip(policies, taken, strict=True):
            start = time.thread_time()
            policy.choose(context)
            own.append(1e6 * (time.thread_time() - start))
    return [statistics.median(own) for own in taken]


def kilobytes(policy):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "policy.npz"
        policy.save(path)
        return path.stat().st_size / 1024


def churn(come=10_000, live=20, lessons=3):
    """Arms come, learn a little and go, the oldest first; beside it a copy from before."""
    rows = []
    for name in POLICIES:
        generator = np.random.default_rng(0)
        policy = hybandit.make_policy(name, live, SIZE, seed=0)

        def teach(arm, policy=policy, generator=generator):
            contexts = unit(generator.normal(size=(lessons, SIZE)))
            policy.learn_many(contexts, [arm] * lessons, generator.random(lessons))

        for arm in range(live):
            teach(arm)
        before = copy.deepcopy(policy)
        for oldest in track(range(come), name, transient=True):
            teach(policy.add_arm())
            policy.retire_arm(oldest)
        both = (before, policy)
        figures = [*costs(both, generator), *map(kilobytes, both)]
        rows.append([name, *(f"{number:.1f}" for number in figures)])
    columns = ["policy", "choose us, start", "end", "file KB, start", "end"]
    title = f"{come:,} arms come and go, {live} live, d = {SIZE}, one core"
    return TableView("churn", title, columns, rows, left=1)


def main():
    parser = argparse.ArgumentParser(description="Decisions among 1,000 arms.")
    parser.add_argument("--rounds", type=int, default=20_000)
    parser.add_argument("--parallel", action="store_true", help="one core against all")
    parser.add_argument("--churn", action="store_true", help="arms that come and go")
    parser.add_argument("--worlds", nargs="+", choices=WORLDS, default=list(WORLDS))
    arguments = parser.parse_args()
    if arguments.churn:
        table = churn()
    elif arguments.parallel:
        table = all_cores()
    else:
        table = one_core(arguments.rounds, arguments.worlds)
    Console(width=120).print(table.rich())


if __name__ == "__main__":
    main()
