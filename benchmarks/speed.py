"""How fast, as ratios against named references taken in the same run, on one thread.

    python benchmarks/speed.py            # everything but MNIST: half a minute
    python benchmarks/speed.py --mnist    # with MNIST (needs HYBANDIT_DATA): about 25 minutes,
                                          # nearly all of it the NumPy references

Every ratio is measured `--repeats` times, reference and hybandit in turn; the table gives the
median and the range.
"""

from __future__ import annotations

import os

for library in ("OMP", "OPENBLAS", "MKL", "NUMBA"):
    os.environ[f"{library}_NUM_THREADS"] = "1"

import argparse
import statistics
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
from references import gemm_per_arm, whole_loop_lin_ucb
from rich.console import Console
from rich.progress import track

import hybandit
from hybandit.reports.tables import TableView

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
from twins import HybridTwin, StackedTwin

ARMS, ROUNDS = 10, 10_000


def problem(size, rounds=ROUNDS):
    generator = np.random.default_rng(0)
    contexts = generator.normal(size=(rounds, size))
    contexts /= np.linalg.norm(contexts, axis=1, keepdims=True)
    truth = generator.normal(size=(ARMS, size))
    return contexts, contexts @ truth.T + 0.1 * generator.normal(size=(rounds, ARMS))


def seconds(function):
    start = time.perf_counter()
    function()
    return time.perf_counter() - start


def loop(policy, contexts, rewards):
    for x, row in zip(contexts, rewards, strict=True):
        arm = policy.choose(x)
        policy.learn(x, arm, row[arm])


def linear(size, repeats):
    contexts, rewards = problem(size)
    whole_loop_lin_ucb(contexts[:5], rewards[:5], ARMS, 1.0)
    makers = {name: lambda name=name: hybandit.make_policy(name, ARMS, size, seed=0)
              for name in ("lin-ucb", "lin-ts")}  # fmt: skip
    for make in makers.values():
        loop(make(), contexts[:50], rewards[:50])
    rows = {name: [] for name in ("reference", *makers)}
    for _ in track(range(repeats), f"linear, d = {size}", transient=True):
        rows["reference"].append(seconds(lambda: whole_loop_lin_ucb(contexts, rewards, ARMS, 1.0)))
        for name, make in makers.items():
            policy = make()
            rows[name].append(seconds(lambda policy=policy: loop(policy, contexts, rewards)))
    pairs = list(zip(rows["reference"], rows["lin-ucb"], strict=True))
    yield (f"LinUCB choose + learn, d = {size}", "whole-loop numba LinUCB",
           [ours / ROUNDS for _, ours in pairs], [ref / ours for ref, ours in pairs])  # fmt: skip
    pairs = list(zip(rows["lin-ucb"], rows["lin-ts"], strict=True))
    yield (f"LinTS choose + learn, d = {size}", "our LinUCB",
           [ours / ROUNDS for _, ours in pairs], [ref / ours for ref, ours in pairs])  # fmt: skip


def batch(repeats):
    rows, size = 100_000, 100
    contexts, rewards = problem(size, rows)
    policy = hybandit.LinUCB(ARMS, size, seed=0)
    loop(policy, contexts[:3000], rewards[:3000])
    weights = policy._estimate.weights.astype(np.float32)
    inverses = np.stack([policy._estimate.inverse(arm) for arm in range(ARMS)]).astype(np.float32)
    singles = contexts.astype(np.float32)
    policy.choose_many(contexts[:2000])
    ours, ratios = [], []
    for _ in track(range(repeats), "batch", transient=True):
        reference = seconds(lambda: gemm_per_arm(singles, weights, inverses, np.float32(1.0)))
        ours.append(seconds(lambda: policy.choose_many(contexts)))
        ratios.append(reference / ours[-1])
    yield ("choose_many, 100,000 x 100 (float64, exact)", "float32 GEMM per arm, NumPy",
           [each / rows for each in ours], ratios)  # fmt: skip


def mnist():
    from hybandit.datasets import find_dataset

    table = find_dataset("mnist").load()
    order = np.random.default_rng(0).permutation(len(table.labels))[:ROUNDS]
    contexts = table.frame.to_numpy(np.float64)[order]
    contexts /= np.linalg.norm(contexts, axis=1, keepdims=True)
    rewards = np.eye(ARMS)[table.labels[order]]
    cases = {
        "LNUCB-TA": (
            lambda: hybandit.LNUCBTA(ARMS, 784, ties="first", seed=0),
            lambda: HybridTwin(ARMS, 784, alpha=1.0, neighbours=True, target="residual",
                               attention=True),
        ),
        "StackedHybrid": (
            lambda: hybandit.StackedHybrid(ARMS, 784, ties="first", centre=False, seed=0),
            lambda: StackedTwin(ARMS, 784, seed=0),
        ),
    }  # fmt: skip
    for name, (make, make_twin) in cases.items():
        loop(make(), contexts[:600], rewards[:600])
        ours = seconds(lambda make=make: loop(make(), contexts, rewards))
        twin = make_twin()
        start = time.perf_counter()
        for x, row in track(zip(contexts, rewards, strict=True), f"NumPy {name}", total=ROUNDS,
                            transient=True):  # fmt: skip
            arm = int(np.argmax(twin.scores(x)))
            twin.learn(x, arm, row[arm])
        reference = time.perf_counter() - start
        yield (f"{name} on MNIST, T = 10,000, d = 784", "plain NumPy, tests/twins.py",
               [ours / ROUNDS], [reference / ours])  # fmt: skip


def start_up(repeats):
    def started(code):
        command = [sys.executable, "-c", code]
        return seconds(lambda: subprocess.run(command, capture_output=True, check=True))

    help_page = "import sys; sys.argv[1:] = ['--help']; from hybandit.cli import main; main()"
    for label, code in (("import hybandit", "import hybandit"), ("hybandit --help", help_page)):
        pairs = [(started("pass"), started(code)) for _ in range(repeats)]
        ratios = [bare / ours for bare, ours in pairs]
        yield label, "python -c pass", [ours for _, ours in pairs], ratios


def readable(each):
    middle = statistics.median(each)
    unit, factor = ("s", 1) if middle >= 1 else ("ms", 1e3) if middle >= 1e-3 else ("µs", 1e6)
    return f"{middle * factor:.3g} {unit}"


def main():
    parser = argparse.ArgumentParser(description="Speed as ratios against named references.")
    parser.add_argument("--mnist", action="store_true", help="also MNIST, about 25 minutes")
    parser.add_argument("--repeats", type=int, default=7)
    arguments = parser.parse_args()
    found = [*linear(20, arguments.repeats), *linear(100, arguments.repeats),
             *batch(arguments.repeats), *start_up(arguments.repeats)]  # fmt: skip
    if arguments.mnist:
        found += mnist()
    rows = [
        [what, reference, readable(ours), f"{statistics.median(ratios):.2f}",
         f"{min(ratios):.2f} to {max(ratios):.2f}" if len(ratios) > 1 else "one run"]
        for what, reference, ours, ratios in found
    ]  # fmt: skip
    columns = ["what", "reference", "ours, each", "speed, reference = 1", "range"]
    Console(width=130).print(TableView("speed", "Speed", columns, rows, left=2).rich())


if __name__ == "__main__":
    main()
