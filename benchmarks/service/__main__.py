"""Load on `hybandit serve`: beside an echo on the same stack, and the loop in a process.

    python -m benchmarks.service [--connections 1,8,32] [--seconds 5] [--rounds 3]
        [--learned 100000] [--folder FOLDER]

20 actions of 10 features, connections that stay open, the client in a process of its own. What
is compared runs in turn, so many rounds of it, each on a copy of the same loop. The processor
seconds are those of the server's process until it has learned every pair. `half` is the service
with half the pairs a second that it has just carried, asked for at even times. A folder such as
/dev/shm, which is in memory, leaves the disk out.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

for library in ("OMP", "OPENBLAS", "MKL", "NUMBA"):
    os.environ[f"{library}_NUM_THREADS"] = "1"

import numpy as np
from rich.console import Console

from benchmarks.loop import World, fill
from benchmarks.service import servers
from hybandit.loop import Loops
from hybandit.reports.tables import TableView

KINDS = SERVICE, HALF, ECHO, EMBEDDED = "service", "half", "echo", "embedded"
HEADERS = [
    "", "connections", "pairs a second", "rank 50 %", "rank 99 %", "reward 50 %", "reward 99 %",
    "CPU ms a pair",
]  # fmt: skip


def prepared(folder, count):
    """A loop that has learned so many events, in a folder that later runs take again."""
    place = Path(folder) / f"learned-{count}"
    if not (place / "load.db").exists():
        making = place.with_name("making")
        shutil.rmtree(making, ignore_errors=True)
        with Loops(making, learn=False) as loops:
            loops.create("load", wait=None)
        fill(str(making / "load.db"), World(), count)
        with Loops(making) as loops:
            loops["load"].wait_for(timeout=1e6)
        making.rename(place)
    return place


def played(command):
    found = subprocess.run(command, stdout=subprocess.PIPE, check=True)
    return json.loads(found.stdout)


def client(port, connections, seconds, seed, *more):
    options = ["--connections", connections, "--seconds", seconds, "--seed", seed, *more]
    words = [str(port), *map(str, options)]
    return played([sys.executable, "-m", "benchmarks.service.client", *words])


def over_http(command, connections, seconds, seed, *more):
    """The client's report of one server, with its processor seconds."""
    with servers.running(command) as (port, server):
        client(port, connections, 1.0, f"9{seed}")
        servers.wait_until_learned(port)
        before = servers.processor_seconds(server)
        report = client(port, connections, seconds, f"1{seed}", *more)
        servers.wait_until_learned(port)
        report["cpu"] = servers.processor_seconds(server) - before
        return report


def embedded(place, connections, seconds, seed):
    options = ["--connections", connections, "--seconds", seconds, "--seed", seed]
    words = [str(place), *map(str, options)]
    return played([sys.executable, "-m", "benchmarks.service.embedded", *words])


def measured(arguments):
    """The reports of each kind and number of connections."""
    place = prepared(arguments.folder, arguments.learned)
    found = defaultdict(list)
    for turn in range(arguments.rounds):
        for connections in arguments.connections:
            for kind in arguments.kinds:
                with tempfile.TemporaryDirectory(dir=arguments.folder) as copy:
                    shutil.copytree(place, copy, dirs_exist_ok=True)
                    asked, more = (connections, arguments.seconds, turn), []
                    if kind == HALF:
                        whole = found[SERVICE, connections][-1]
                        more = ["--rate", whole["pairs"] / whole["seconds"] / 2.0]
                    if kind == EMBEDDED:
                        report = embedded(copy, *asked)
                    else:
                        command = servers.ECHO if kind == ECHO else servers.serving(copy)
                        report = over_http(command, *asked, *more)
                    if report.get("wrong"):
                        raise RuntimeError(f"{kind}: {report['wrong']}")
                    found[kind, connections].append(report)
    return found


def told(values, digits):
    """Mean and spread of the rounds."""
    spread = f" ± {np.std(values, ddof=1):.{digits}f}" if len(values) > 1 else ""
    return f"{np.mean(values):,.{digits}f}{spread}"


def line(kind, connections, reports):
    quantiles = [
        told([report[verb][place] for report in reports], 1)
        for verb in ("rank", "reward")
        for place in (0, 1)
    ]
    return [
        kind, str(connections), told([each["pairs"] / each["seconds"] for each in reports], 0),
        *quantiles, told([1e3 * each["cpu"] / each["pairs"] for each in reports], 3),
    ]  # fmt: skip


def compared(found, connections):
    """The service beside the loop in a process, round by round."""
    pairs = list(zip(found[SERVICE, connections], found[EMBEDDED, connections], strict=True))
    speed = [(a["pairs"] / a["seconds"]) / (b["pairs"] / b["seconds"]) for a, b in pairs]
    more = [1e3 * (a["cpu"] / a["pairs"] - b["cpu"] / b["pairs"]) for a, b in pairs]
    return [str(connections), told(speed, 2), told(more, 3)]


def main():
    parser = argparse.ArgumentParser(description="Load on the service.")
    parser.add_argument("--connections", default="1,8,32")
    parser.add_argument("--kinds", default=",".join(KINDS))
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--learned", type=int, default=100_000)
    parser.add_argument("--folder", default=tempfile.gettempdir(), help="where the loops are")
    arguments = parser.parse_args()
    arguments.connections = [int(each) for each in arguments.connections.split(",")]
    arguments.kinds = arguments.kinds.split(",")
    found = measured(arguments)
    table = [line(*case, reports) for case, reports in found.items()]
    title = f"{arguments.rounds} rounds of {arguments.seconds:g} s, times in ms"
    console = Console(width=140)
    console.print(TableView("load", title, HEADERS, table).rich())
    if {SERVICE, EMBEDDED} <= set(arguments.kinds):
        heads = ["connections", "pairs a second, of embedded", "CPU ms a pair more than embedded"]
        table = [compared(found, each) for each in arguments.connections]
        console.print(TableView("compared", "Beside the loop in a process", heads, table).rich())


if __name__ == "__main__":
    main()
