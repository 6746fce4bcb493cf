"""A long life with a bounded memory: speed and resident memory stay flat, nothing becomes NaN.

    python stress/soak.py [POLICY ...] [--rounds N] [--memory 'window(M)'] [--forget G]
    python stress/soak.py --flat [POLICY ...]

The first plays lnucb-ta and stacked-hybrid (or those named) for ten million rounds each in a
world that slowly turns, and shows how fast it went and how much memory the process held. The
second holds a round of choose and learn after 1,000,000 observations against one after 20,000,
the two timed in turn, with window(5000). Both end with status 1 if a limit is broken.
"""

from __future__ import annotations

import os

for library in ("OMP", "OPENBLAS", "MKL", "NUMBA"):
    os.environ[f"{library}_NUM_THREADS"] = "1"

import argparse
import gc
import statistics
import sys
import time
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.progress import track

import hybandit
from hybandit.reports.tables import TableView

ARMS, FEATURES = 3, 8
LINES, BLOCK = 20, 10_000
FEW, MANY, CHUNK, CHUNKS = 20_000, 1_000_000, 200, 25
# What counts as flat: memory in the last line against that at a tenth of the rounds, cost as asked.
MEMORY_MAY_GROW, COST_MAY_GROW = 1.02, 1.1


def resident():
    """Megabytes of memory that this process holds now."""
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def blocks(rounds, seed=0):
    """Contexts of unit length and every arm's reward, in a world that slowly turns."""
    generator = np.random.default_rng(seed)
    taste = generator.normal(size=(ARMS, FEATURES))
    for start in range(0, rounds, BLOCK):
        contexts = generator.normal(size=(min(BLOCK, rounds - start), FEATURES))
        contexts /= np.linalg.norm(contexts, axis=1, keepdims=True)
        taste += 0.02 * generator.normal(size=taste.shape)
        taste /= np.linalg.norm(taste, axis=1, keepdims=True)
        noise = 0.1 * generator.normal(size=(len(contexts), ARMS))
        yield contexts, contexts @ taste.T + noise


def soundness(policy, context):
    """What is not finite in a policy, or nothing."""
    if not np.isfinite(policy.decide(context).scores).all():
        return "a score is not finite"
    bad = [path for path, array in policy.state().items() if not np.isfinite(array).all()]
    return f"{', '.join(bad)} not finite" if bad else ""


def soak(name, settings, rounds):
    """Lines of the table, and what broke."""
    policy = hybandit.make_policy(name, ARMS, FEATURES, seed=0, **settings)
    step = max(BLOCK, rounds // LINES)
    lines, broken, sizes = [], [], []
    done, earned, start = 0, 0.0, time.process_time()
    for contexts, rewards in track(blocks(rounds), name, rounds // BLOCK, transient=True):
        for x, row in zip(contexts, rewards, strict=True):
            arm = policy.choose(x)
            policy.learn(x, arm, row[arm])
            earned += row[arm]
        done += len(contexts)
        if done % step < len(contexts) or done == rounds:
            seconds = time.process_time() - start
            speed = (done - (lines[-1][0] if lines else 0)) / seconds
            sizes.append((done, resident()))
            lines.append((done, speed, sizes[-1][1], earned / done))
            fault = soundness(policy, contexts[-1])
            broken += [f"{name} at {done:,}: {fault}"] if fault else []
            start = time.process_time()
    early = min(size for at, size in sizes if at >= rounds / 10)
    if sizes[-1][1] > MEMORY_MAY_GROW * early:
        broken.append(f"{name}: resident memory grew from {early:.1f} to {sizes[-1][1]:.1f} MB")
    return lines, broken


def fill(policy, start, stop):
    """Observations of arms taken at random, so that every window is full."""
    for number, (contexts, rewards) in enumerate(blocks(stop - start, seed=start)):
        arms = np.random.default_rng([start, number]).integers(0, ARMS, len(contexts))
        policy.learn_many(contexts, arms, rewards[np.arange(len(arms)), arms])


def cost(policy, seed):
    """CPU microseconds of a round, choose and learn."""
    contexts, rewards = next(blocks(CHUNK, seed=seed))
    start = time.process_time()
    for x, row in zip(contexts, rewards, strict=True):
        arm = policy.choose(x)
        policy.learn(x, arm, row[arm])
    return (time.process_time() - start) / CHUNK * 1e6


def flat(name, settings):
    """A line of the table, and what broke."""
    young, old = (hybandit.make_policy(name, ARMS, FEATURES, seed=0, **settings) for _ in range(2))
    fill(young, 0, FEW)
    fill(old, 0, FEW)
    before = resident()
    for start in track(range(FEW, MANY, FEW), name, transient=True):
        fill(old, start, start + FEW)
    after = resident()
    times = np.array([(cost(young, seed), cost(old, seed)) for seed in range(CHUNKS)])
    few, many = (statistics.median(column) for column in times.T)
    ratio = statistics.median(times[:, 1] / times[:, 0])
    broken = []
    if ratio > COST_MAY_GROW:
        broken.append(f"{name}: {ratio:.2f} times the cost")
    if after > MEMORY_MAY_GROW * before:
        broken.append(f"{name}: resident memory grew from {before:.1f} to {after:.1f} MB")
    line = [name, f"{few:.1f} µs", f"{many:.1f} µs", f"{ratio:.3f}", f"{before:.1f} MB",
            f"{after:.1f} MB"]  # fmt: skip
    return line, broken


def main():
    parser = argparse.ArgumentParser(description="Flat cost and memory over a long life.")
    parser.add_argument("policies", nargs="*", default=["lnucb-ta", "stacked-hybrid"])
    parser.add_argument("--rounds", type=int, default=10_000_000)
    parser.add_argument("--memory", default=None, help="default: window(1000), flat window(5000)")
    parser.add_argument("--forget", type=float, default=None)
    parser.add_argument("--flat", action="store_true", help="cost at 1,000,000 against 20,000")
    arguments = parser.parse_args()
    settings = {"memory": arguments.memory or f"window({5000 if arguments.flat else 1000})"}
    if arguments.forget is not None:
        settings["forget"] = arguments.forget
    told = ", ".join(f"{key}={value}" for key, value in settings.items())
    console, broken = Console(), []
    if arguments.flat:
        rows = []
        for name in arguments.policies:
            row, faults = flat(name, settings)
            rows.append(row)
            broken += faults
        title = f"A round after {MANY:,} observations against {FEW:,}: {told}"
        columns = ["policy", "few", "many", "ratio", "resident, few", "resident, many"]
        console.print(TableView("flat", title, columns, rows).rich())
    else:
        for name in arguments.policies:
            lines, faults = soak(name, settings, arguments.rounds)
            broken += faults
            rows = [
                [f"{at:,}", f"{speed:,.0f}", f"{size:.1f} MB", f"{rate:.3f}"]
                for at, speed, size, rate in lines
            ]
            columns = ["rounds", "a CPU second", "resident", "mean reward so far"]
            console.print(TableView("soak", f"{name}: {told}", columns, rows).rich())
    for fault in broken:
        console.print(f"BROKEN: {fault}", style="bold red")
    sys.exit(1 if broken else 0)


if __name__ == "__main__":
    main()
