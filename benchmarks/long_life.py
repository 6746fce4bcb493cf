"""What a round costs after a long life: choose + learn with 10,000 and 1,000,000 observations.

    OMP_NUM_THREADS=1 python benchmarks/long_life.py [STREAM ...] [--rounds N] [--files]

Streams: `digits`, the 1,797 digits of unit length over and over, with noise of sd 0.01
(d = 64); `table`, 10 numeric columns of 4 factors and noise of sd 0.1, and two categories of
4 and 40 levels as 44 columns of 0 and 1, of unit length; `noise`, isotropic (d = 32), where no
index can help and the cost is held against that of the scan. All have 10 arms.

The neighbour memory is filled in bulk, as 1,000,000 rounds with each policy would take hours
for the scan: an observation is of the arm that pays best, one in twenty of an arm by lot, and
pays 1 or 0. The linear parts learn the last 2,000 of these one by one (their cost does not
depend on how many there were), then come the rounds that are timed, each with a new context.
The fill therefore stands for a policy that is right 95 % of the time; rounds are real.
The index is filled entry by entry, as in life, from a quarter of the observations on.

Printed: the median and the 99th percentile of a round in CPU time, the ratio of medians, the
share of leaves opened and the longest learn while the index was filled.
`--files` also saves and loads the policies with 1,000,000 observations and compares decisions.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.progress import track

import hybandit
from hybandit.estimators.memory import Memory
from hybandit.reports.tables import TableView

ARMS = 10
FEW, MANY = 10_000, 1_000_000
LEARNED = 2_000
POLICIES = "lnucb-ta", "stacked-hybrid"


def digits(count, generator):
    from sklearn.datasets import load_digits

    data = load_digits()
    rows = data.data / np.linalg.norm(data.data, axis=1, keepdims=True)
    order = np.arange(count) % len(rows)
    return rows[order] + 0.01 * generator.normal(size=(count, 64)), data.target[order]


def table(count, generator):
    mixing = np.random.default_rng(5).normal(size=(4, 10)) / 2
    numeric = generator.normal(size=(count, 4)) @ mixing + 0.1 * generator.normal(size=(count, 10))
    levels = [np.eye(size)[generator.integers(0, size, count)] for size in (4, 40)]
    rows = np.concatenate([numeric, *levels], axis=1)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    truth = np.random.default_rng(6).normal(size=(rows.shape[1], ARMS))
    return rows, (rows @ truth).argmax(axis=1)


def noise(count, generator):
    return generator.normal(size=(count, 32)), generator.integers(0, ARMS, count)


STREAMS = {"digits": digits, "table": table, "noise": noise}


class Life:
    """A policy with so many observations behind it, and the rounds that follow."""

    def __init__(self, name, stream, past, rounds):
        generator = np.random.default_rng(past)
        self.contexts, self.best = stream(past + 2 * rounds, generator)
        arms = np.where(
            generator.random(len(self.best)) < 0.05,
            generator.integers(0, ARMS, len(self.best)),
            self.best,
        )
        self.rewards = (arms == self.best).astype(float)
        self.arms = arms
        self.past = past
        self.policy = hybandit.make_policy(name, ARMS, self.contexts.shape[1], seed=0)
        self.longest = 0.0
        self._live()

    @property
    def memory(self) -> Memory:
        policy = self.policy
        return policy._stack.memory if hasattr(policy, "_stack") else policy._estimate.local.memory

    def _live(self):
        bulk = self.past - LEARNED
        start = max(0, bulk // 4)
        self._remember(range(start))
        self.memory.prepare()
        self._remember(range(start, bulk), "filling the index")
        counts = np.bincount(self.arms[:bulk], minlength=ARMS)
        paid = np.bincount(self.arms[:bulk], self.rewards[:bulk], minlength=ARMS)
        for statistics in self._statistics():
            statistics.counts[:] = counts
            statistics.means[:] = paid / counts
            statistics.squares[:] = paid - counts * statistics.means**2
        for number in range(bulk, self.past):
            self.policy.learn(self.contexts[number], int(self.arms[number]), self.rewards[number])

    def _statistics(self):
        yield self.policy.statistics
        if not hasattr(self.policy, "_stack"):
            yield self.policy._estimate.local.statistics

    def _remember(self, numbers, label=None):
        memory = self.memory
        for number in track(numbers, label, transient=True) if label else numbers:
            start = time.thread_time()
            memory.append(self.contexts[number], int(self.arms[number]), self.rewards[number])
            self.longest = max(self.longest, time.thread_time() - start)

    def round(self, number):
        """One real round; how long it took."""
        x = self.contexts[number]
        start = time.thread_time()
        arm = self.policy.choose(x)
        self.policy.learn(x, arm, float(arm == self.best[number]))
        return time.thread_time() - start

    def opened(self):
        tree = self.memory._tree
        return tree.opened if tree is not None and not tree._rest else None


def timed(life, rounds):
    spent, opened = [], []
    for number in range(life.past, life.past + rounds):
        spent.append(life.round(number))
        opened.append(life.opened())
    known = [each for each in opened if each is not None]
    return np.array(spent), np.mean(known) if 2 * len(known) > rounds else None


def scanned(life, rounds):
    """The same life without an index."""
    memory = life.memory
    memory._tree = None
    memory._make_tree_at = np.inf
    first = life.past + rounds
    return np.array([life.round(number) for number in range(first, first + rounds)])


def readable(seconds):
    return f"{1e3 * seconds:.2f} ms"


def compared(name, stream, rounds):
    few = Life(name, STREAMS[stream], FEW, rounds)
    before, opened_before = timed(few, rounds)
    many = Life(name, STREAMS[stream], MANY, rounds)
    after, opened = timed(many, rounds)
    scan = np.median(scanned(many, min(rounds, 30)))
    middle = np.median(after)
    return many, [
        stream, name, readable(np.median(before)), readable(middle),
        readable(np.percentile(after, 99)), f"{middle / np.median(before):.2f}",
        f"{middle / scan:.3f}", *(f"{100 * each:.1f} %" if each is not None else "scan"
                                  for each in (opened_before, opened)),
        readable(many.longest),
    ]  # fmt: skip


def on_disk(life):
    """Save, load, and the same decisions afterwards."""
    first = life.past
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "policy.npz"
        start = time.perf_counter()
        life.policy.save(path)
        saved = time.perf_counter()
        again = hybandit.load(path)
        loaded = time.perf_counter()
        size = path.stat().st_size
    for x in life.contexts[first : first + 30]:
        ours, theirs = life.policy.decide(x), again.decide(x)
        assert ours.arm == theirs.arm
        np.testing.assert_array_equal(ours.scores, theirs.scores)
    return [life.policy.name, f"{size / 1e6:.0f} MB", f"{saved - start:.1f} s",
            f"{loaded - saved:.1f} s", "equal"]  # fmt: skip


def main():
    parser = argparse.ArgumentParser(description="The cost of a round after a long life.")
    parser.add_argument("streams", nargs="*", default=list(STREAMS), metavar="STREAM",
                        help=f"of {', '.join(STREAMS)}; default: all")  # fmt: skip
    parser.add_argument("--policies", nargs="+", default=POLICIES)
    parser.add_argument("--rounds", type=int, default=300, help="timed rounds")
    parser.add_argument("--files", action="store_true", help="also save and load")
    arguments = parser.parse_args()
    rows, files = [], []
    for stream in arguments.streams:
        for name in arguments.policies:
            life, row = compared(name, stream, arguments.rounds)
            rows.append(row)
            if arguments.files and stream == arguments.streams[0]:
                files.append(on_disk(life))
            del life
    console = Console(width=150)
    columns = ["stream", "policy", f"at {FEW:,}", f"at {MANY:,}", "99 %", "ratio",
               "to the scan", "opened before", "opened", "longest append"]  # fmt: skip
    title = "A round, choose + learn, exact neighbours"
    console.print(TableView("long_life", title, columns, rows, left=2).rich())
    if files:
        columns = ["policy", "size", "save", "load", "decisions"]
        title = f"{MANY:,} observations on disk"
        console.print(TableView("files", title, columns, files).rich())


if __name__ == "__main__":
    main()
