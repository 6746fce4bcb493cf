"""What several processes of `hybandit serve` carry on one PostgreSQL server.

    python -m benchmarks.service.workers [--workers 1,2,4] [--connections 16] [--seconds 8]
        [--rounds 3] [--learned 20000] [--wait 5]

The requests are those of `python -m benchmarks.service`. Database and client are on the same
machine. Events close after a window of 5 seconds, so that learning goes on meanwhile; with
`--wait 0` rewards close them, one after another across all processes. A pair is two calls. Beside
them stand the transactions of a pair, which are fewer than two where calls of one process share
one, and how often the database has waited for its disk, which is less often where transactions of
several processes share that.
"""

import argparse
import os
import tempfile
from collections import defaultdict

for library in ("OMP", "OPENBLAS", "MKL", "NUMBA"):
    os.environ[f"{library}_NUM_THREADS"] = "1"

import numpy as np
import psycopg
from rich.console import Console

from benchmarks.loop import World, fill
from benchmarks.service import servers
from benchmarks.service.__main__ import client, told
from hybandit.loop import Loops
from hybandit.reports.tables import TableView

LOOP = "load"
COUNTS = """
SELECT (SELECT xact_commit FROM pg_stat_database WHERE datname = current_database()),
       (SELECT sum(fsyncs)::bigint FROM pg_stat_io WHERE object = 'wal')
"""
HEADERS = [
    "processes", "pairs a second", "transactions a pair", "waits for the disk a pair",
    "rank 50 %", "rank 99 %", "server's CPU ms a pair",
]  # fmt: skip


def prepared(url, count, wait):
    """A loop that has learned so many events; from now on they wait so many seconds."""
    with Loops(url, learn=False) as loops:
        loops.create(LOOP, wait=None)
    fill(f"{url}&options=-csearch_path%3Dhybandit_{LOOP}", World(), count)
    with Loops(url) as loops:
        loops[LOOP].wait_for(timeout=1e6)
        if wait:
            loops[LOOP].change(wait=wait)


def counted(url):
    """What the database has counted so far: of sessions that have ended, all."""
    with psycopg.connect(url, autocommit=True) as connection:
        return np.array(connection.execute(COUNTS).fetchone(), np.float64)


def measured(url, workers, arguments, turn):
    """The client's report, with what the database counted of all pairs."""
    name, before = f"{turn}{workers}", counted(url)
    with servers.running(servers.serving(url, "--workers", str(workers))) as (port, server):
        warm = client(port, arguments.connections, 3.0, f"9{name}")
        cpu = servers.processor_seconds(server)
        report = client(port, arguments.connections, arguments.seconds, f"1{name}")
        report["cpu"] = servers.processor_seconds(server) - cpu
    if warm["wrong"] or report["wrong"]:
        raise RuntimeError(f"{workers} processes: {warm['wrong']} {report['wrong']}")
    report["counts"] = (counted(url) - before) / (warm["pairs"] + report["pairs"])
    return report


def line(workers, reports):
    transactions, waits = np.transpose([each["counts"] for each in reports])
    quantiles = [[each["rank"][place] for each in reports] for place in (0, 1)]
    return [
        str(workers), told([each["pairs"] / each["seconds"] for each in reports], 0),
        told(transactions, 2), told(waits, 2), *(told(each, 1) for each in quantiles),
        told([1e3 * each["cpu"] / each["pairs"] for each in reports], 3),
    ]  # fmt: skip


def main():
    parser = argparse.ArgumentParser(description="Several processes on PostgreSQL.")
    parser.add_argument("--workers", default="1,2,4")
    parser.add_argument("--connections", type=int, default=16)
    parser.add_argument("--seconds", type=float, default=8.0)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--learned", type=int, default=20_000)
    parser.add_argument("--wait", type=float, default=5.0, help="seconds until an event closes")
    arguments = parser.parse_args()
    found = defaultdict(list)
    with tempfile.TemporaryDirectory() as folder, servers.postgresql(f"{folder}/data") as server:
        url = server.get_uri()
        prepared(url, arguments.learned, arguments.wait)
        for turn in range(arguments.rounds):
            for workers in map(int, arguments.workers.split(",")):
                found[workers].append(measured(url, workers, arguments, turn))
    table = [line(*case) for case in found.items()]
    title = f"PostgreSQL, {arguments.rounds} rounds of {arguments.seconds:g} s, times in ms"
    Console(width=140).print(TableView("workers", title, HEADERS, table).rich())
    first = [each["pairs"] / each["seconds"] for each in next(iter(found.values()))]
    for workers, reports in list(found.items())[1:]:
        shares = [each["pairs"] / each["seconds"] for each in reports]
        ratio = told([a / b for a, b in zip(shares, first, strict=True)], 2)
        print(f"{workers} processes carry {ratio} of one")


if __name__ == "__main__":
    main()
