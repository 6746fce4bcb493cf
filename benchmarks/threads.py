"""What it costs when two threads share one policy and its lock, and a learner comes to them.

    python benchmarks/threads.py          # about half a minute; needs two idle cores

Each line is measured `--repeats` times, the cases in turn; the table gives medians. "Two
policies" is two threads with a policy each: what a program gains that need not share one.
"""

from __future__ import annotations

import os

for library in ("OMP", "OPENBLAS", "MKL", "NUMBA"):
    os.environ[f"{library}_NUM_THREADS"] = "1"

import argparse
import copy
import statistics
import threading
import time

import numpy as np
from rich.console import Console
from rich.progress import track

import hybandit
from hybandit.reports.tables import TableView

SECONDS = 0.5
LEARNED = 3000
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


def rates(choosers, contexts, learner=None):
    """Decisions and rewards per second of one thread for each policy that chooses, and learns."""
    counts = {"choose": 0, "learn": 0}
    stop = threading.Event()

    def work(verb, act):
        done = 0
        while not stop.is_set():
            act(contexts[done % len(contexts)])
            done += 1
        counts[verb] += done

    def learn(context):
        learner.learn(context, 0, 0.5)
        time.sleep(1e-3)

    jobs = [("choose", policy.choose) for policy in choosers]
    jobs += [("learn", learn)] if learner else []
    threads = [threading.Thread(target=work, args=job) for job in jobs]
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
    for label, case in CASES.items():
        policy, contexts = prepared(*case)
        other = copy.copy(policy)
        found = [
            (
                rates([policy], contexts)[0],
                rates([policy, policy], contexts)[0],
                rates([policy, other], contexts)[0],
                *rates([policy, policy], contexts, learner=policy),
            )
            for _ in track(range(repeats), label, transient=True)
        ]
        medians = [statistics.median(each) for each in zip(*found, strict=True)]
        rows.append([label, *(f"{median:,.0f}" for median in medians)])
    columns = ["policy", "one thread", "two", "two policies", "two, beside a learner", "learned"]
    title = "Decisions (and rewards) per second"
    Console(width=120).print(TableView("threads", title, columns, rows, left=1).rich())


if __name__ == "__main__":
    main()
