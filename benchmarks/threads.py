"""How many more decisions two threads make than one, and what a learner beside them costs.

    python benchmarks/threads.py          # about half a minute; needs two idle cores

The kernels release the GIL, so threads gain where kernels are most of a decision. Every line
is measured `--repeats` times, the cases in turn; the table gives medians. The first line is a
kernel of a millisecond and nothing else: what two threads can gain on this machine as it is now.
"""

from __future__ import annotations

import os

for library in ("OMP", "OPENBLAS", "MKL", "NUMBA"):
    os.environ[f"{library}_NUM_THREADS"] = "1"

import argparse
import statistics
import threading
import time

import numpy as np
from rich.console import Console
from rich.progress import track

import hybandit
from hybandit.kernels import selection
from hybandit.reports.tables import TableView

SECONDS = 0.5
LEARNED = 3000
AHEAD = np.zeros((1000, 2000))
CASES = {
    "LinUCB, 10 arms, d = 20": (hybandit.LinUCB, 10, 20),
    "LinUCB, 1,000 arms, d = 50": (hybandit.LinUCB, 1000, 50),
    "LNUCB-TA, 10 arms, d = 64": (hybandit.LNUCBTA, 10, 64),
    "StackedHybrid, 10 arms, d = 64": (hybandit.StackedHybrid, 10, 64),
}


def prepared(kind, n_arms, size):
    generator = np.random.default_rng(0)
    contexts = generator.normal(size=(LEARNED, size))
    contexts /= np.linalg.norm(contexts, axis=1, keepdims=True)
    policy = kind(n_arms, size, seed=0)
    policy.learn_many(contexts, generator.integers(n_arms, size=LEARNED), contexts[:, 0])
    policy.choose(contexts[0])
    return policy, contexts


class Bare:
    """Not a policy: a kernel long enough for the time in Python not to count."""

    def choose(self, context):
        return selection.all_within(AHEAD, 1e100)

    def learn(self, context, arm, reward):
        pass


def rates(policy, contexts, choosers, learners):
    """Decisions and rewards per second of that many threads at once."""
    counts = {"choose": 0, "learn": 0}
    stop = threading.Event()

    def work(verb, act):
        done = 0
        while not stop.is_set():
            act(contexts[done % len(contexts)])
            done += 1
        counts[verb] += done

    def learn(context):
        policy.learn(context, 0, 0.5)
        time.sleep(1e-3)

    threads = [
        threading.Thread(target=work, args=("choose", policy.choose)) for _ in range(choosers)
    ]
    threads += [threading.Thread(target=work, args=("learn", learn)) for _ in range(learners)]
    start = time.perf_counter()
    for thread in threads:
        thread.start()
    time.sleep(SECONDS)
    stop.set()
    for thread in threads:
        thread.join()
    elapsed = time.perf_counter() - start
    return counts["choose"] / elapsed, counts["learn"] / elapsed


def main():
    parser = argparse.ArgumentParser(description="Decisions per second of one and two threads.")
    parser.add_argument("--repeats", type=int, default=7)
    repeats = parser.parse_args().repeats
    rows = []
    cases = {"a bare kernel": lambda: (Bare(), np.zeros((1, 1)))}
    cases |= {label: lambda case=case: prepared(*case) for label, case in CASES.items()}
    for label, prepare in cases.items():
        policy, contexts = prepare()
        policy.choose(contexts[0])
        found = [
            (rates(policy, contexts, 1, 0)[0], rates(policy, contexts, 2, 0)[0],
             *rates(policy, contexts, 2, 1))
            for _ in track(range(repeats), label, transient=True)
        ]  # fmt: skip
        one, two, beside, learned = (statistics.median(each) for each in zip(*found, strict=True))
        ratio = statistics.median(second / first for first, second, _, _ in found)
        rows.append([label, f"{one:,.0f}", f"{two:,.0f}", f"{ratio:.2f}", f"{beside:,.0f}",
                     f"{learned:,.0f}"])  # fmt: skip
    columns = ["policy", "one thread", "two threads", "ratio", "two, beside a learner", "learned"]
    title = "Decisions (and rewards) per second"
    Console(width=120).print(TableView("threads", title, columns, rows, left=1).rich())


if __name__ == "__main__":
    main()
