"""What a round costs after a long life: choose + learn with 10,000 and 1,000,000 observations.

    OMP_NUM_THREADS=1 python benchmarks/long_life.py [STREAM ...] [--rounds N] [--files]

Streams: `digits`, the 1,797 digits of unit length over and over, with noise of sd 0.01
(d = 64); `table`, 10 numeric columns of 4 factors and noise of sd 0.1, and two categories of
4 and 40 levels as 44 columns of 0 and 1, of unit length; `noise`, isotropic (d = 32), where no
index can help and the cost is held against that of the scan. All have 10 arms.

The first 10,000 rounds are real. Up to 1,000,000 the past is then filled in, for real rounds
would take hours: the neighbour memory takes in observations one by one, as it does when
learning, of the right arm as often as the policy chose it in its last 5,000 real rounds, else
of an arm by lot; they pay 1 or 0. The linear parts see only every 100th of them, as their cost
does not depend on how many there were. The rounds that are timed are real again.

Printed: the median and the 99th percentile of a round in CPU time, the ratio of medians at
1,000,000 and 10,000 and to a policy that scans the same memory, the share of the tree's work
that a search had to do, and the longest that the memory ever took to take in one entry.
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
from hybandit.reports.tables import TableView

ARMS = 10
FEW, MANY = 10_000, 1_000_000
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
    """A policy, the stream it lives on, and where it stands in it."""

    def __init__(self, name, stream):
        generator = np.random.default_rng(0)
        self.contexts, self.best = stream(MANY + 10_000, generator)
        self.lots = generator.integers(0, ARMS, len(self.best))
        self.doubts = generator.random(len(self.best))
        self.policy = hybandit.make_policy(name, ARMS, self.contexts.shape[1], seed=0)
        self.now = 0
        self.longest = 0.0
        self.right = []

    @property
    def memory(self):
        policy = self.policy
        return policy._stack.memory if hasattr(policy, "_stack") else policy._estimate.local.memory

    def round(self):
        """One real round; how long it took."""
        x = self.contexts[self.now]
        start = time.thread_time()
        arm = self.policy.choose(x)
        reward = float(arm == self.best[self.now])
        self.policy.learn(x, arm, reward)
        spent = time.thread_time() - start
        self.now += 1
        self.right.append(reward)
        return spent

    def play(self, until):
        for _ in track(range(self.now, until), "real rounds", transient=True):
            self.round()

    def fill(self, until):
        """Go on without choosing, right as often as lately."""
        accuracy = np.mean(self.right[-5_000:])
        arms = np.where(self.doubts < accuracy, self.best, self.lots)
        rewards = (arms == self.best).astype(float)
        for number in track(range(self.now, until), "filling", transient=True):
            arm, reward = int(arms[number]), float(rewards[number])
            if number % 100 == 0:
                self.policy.learn(self.contexts[number], arm, reward)
                continue
            start = time.thread_time()
            self.memory.append(self.contexts[number], arm, reward)
            self.longest = max(self.longest, time.thread_time() - start)
            self.policy.statistics.learn(arm, reward)
        self.now = until

    def opened(self):
        """The share of the work that the last search had to do, None if it was a scan."""
        index = self.memory.index
        return index._tree.share if index.by_tree else None


def timed(life, rounds):
    spent, opened = [], []
    for _ in range(rounds):
        spent.append(life.round())
        opened.append(life.opened())
    known = [each for each in opened if each is not None]
    return np.array(spent), np.mean(known) if 2 * len(known) > rounds else None


def without_index(life, rounds):
    """The same life with a scan."""
    index = life.memory.index
    index._tree, index.prepare = None, lambda *_: None
    return np.array([life.round() for _ in range(rounds)])


def readable(seconds):
    return f"{1e3 * seconds:.2f} ms"


def compared(name, stream, arguments):
    life = Life(name, STREAMS[stream])
    life.play(FEW)
    before, opened_before = timed(life, arguments.rounds)
    life.fill(MANY)
    after, opened = timed(life, arguments.rounds)
    file = on_disk(life) if arguments.files and stream == arguments.streams[0] else None
    scan = np.median(without_index(life, 30))
    middle = np.median(after)
    return file, [
        stream, name, readable(np.median(before)), readable(middle),
        readable(np.percentile(after, 99)), f"{middle / np.median(before):.2f}",
        f"{middle / scan:.3f}", *(f"{100 * each:.1f} %" if each is not None else "scan"
                                  for each in (opened_before, opened)),
        readable(life.longest),
    ]  # fmt: skip


def on_disk(life):
    """Save, load, and the same decisions afterwards."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "policy.npz"
        start = time.perf_counter()
        life.policy.save(path)
        saved = time.perf_counter()
        again = hybandit.load(path)
        loaded = time.perf_counter()
        size = path.stat().st_size
    for x in life.contexts[life.now : life.now + 30]:
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
            file, row = compared(name, stream, arguments)
            rows.append(row)
            files += [file] if file else []
    console = Console(width=150)
    columns = ["stream", "policy", f"at {FEW:,}", f"at {MANY:,}", "99 %", "ratio",
               "to the scan", "looked at before", "looked at", "longest append"]  # fmt: skip
    title = "A round, choose + learn, exact neighbours"
    console.print(TableView("long_life", title, columns, rows, left=2).rich())
    if files:
        columns = ["policy", "size", "save", "load", "decisions"]
        title = f"{MANY:,} observations on disk"
        console.print(TableView("files", title, columns, files).rich())


if __name__ == "__main__":
    main()
