"""How many of the nearest an approximate index finds, and how fast it is (extra `ann`).

    OMP_NUM_THREADS=1 python benchmarks/recall.py [STREAM ...] [--entries N]

The streams are those of long_life.py; 10 arms. Printed: the share of each arm's true 1, 5 and
20 nearest that is among those found, over 200 queries, and the median CPU time of a search for 20
of every arm, exact and approximate, with as many entries.
"""

from __future__ import annotations

import argparse
import statistics
import time

import numpy as np
from long_life import ARMS, STREAMS
from rich.console import Console
from rich.progress import track

from hybandit.estimators import Memory
from hybandit.reports.tables import TableView

QUERIES = 200
SIZES = 1, 5, 20


def timed(memory, query):
    start = time.process_time()
    near = memory.nearest_of_each_arm(query, np.full(ARMS, SIZES[-1]))
    return near, time.process_time() - start


def measured(stream, entries):
    rows, arms = STREAMS[stream](entries + QUERIES, np.random.default_rng(0))
    memories = [Memory(rows.shape[1], approximate=approximate) for approximate in (False, True)]
    for row in track(range(entries), stream, transient=True):
        for memory in memories:
            memory.append(rows[row], int(arms[row]), 1.0)
    hits = {size: [] for size in SIZES}
    seconds = [], []
    for query in rows[entries:, None]:
        found = [timed(memory, query) for memory in memories]
        for spent, (_, each) in zip(seconds, found, strict=True):
            spent.append(each)
        for size, shares in hits.items():
            truth, near = (each.indices[:, :size] for each, _ in found)
            shares += [np.isin(own, near[arm]).mean() for arm, own in enumerate(truth)]
    spent = [f"{1e6 * statistics.median(each):,.0f} µs" for each in seconds]
    return [stream, *(f"{np.mean(shares):.3f}" for shares in hits.values()), *spent]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("streams", nargs="*", default=list(STREAMS), metavar="STREAM")
    parser.add_argument("--entries", type=int, default=50_000)
    arguments = parser.parse_args()
    rows = [measured(stream, arguments.entries) for stream in arguments.streams]
    columns = ["stream", *(f"of the {size} nearest" for size in SIZES), "exact", "approximate"]
    title = f"Recall of usearch, {arguments.entries:,} entries, 10 arms"
    Console(width=110).print(TableView("recall", title, columns, rows).rich())


if __name__ == "__main__":
    main()
