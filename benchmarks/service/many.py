"""What many loops in one server cost while nearly all of them are idle.

    python -m benchmarks.service.many [--loops 200] [--url postgresql://...] [--seconds 20]

Prints threads, open files, connections to PostgreSQL, memory, the processor's share while nothing
happens, and while one of the loops gets a rank and a reward ten times a second.
"""

import argparse
import subprocess
import sys
import tempfile
import time
import urllib.request

import psutil
from rich.console import Console

from benchmarks.service import servers
from hybandit.loop import Loops
from hybandit.reports.tables import TableView

SESSIONS = "SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend'"


def made(place, count):
    with Loops(place, learn=False) as loops:
        for number in range(count):
            loops.create(f"loop-{number}", wait="10 min")


def opened(port, count):
    """Wait until all loops have been opened: the server does it before it answers."""
    urllib.request.urlopen(f"http://127.0.0.1:{port}/v1/loops/loop-{count - 1}/status").read()


def share(server, seconds):
    """Of one processor, in percent."""
    before = servers.processor_seconds(server)
    time.sleep(seconds)
    return f"{100 * (servers.processor_seconds(server) - before) / seconds:.1f} %"


def measured(arguments, place):
    made(place, arguments.loops)
    with servers.running(servers.serving(place)) as (port, server):
        opened(port, arguments.loops)
        time.sleep(5.0)
        process = psutil.Process(server.pid)
        yield "threads", f"{process.num_threads()}"
        yield "open files", f"{process.num_fds()}"
        if arguments.url:
            with Loops(place, learn=False) as loops:
                yield "connections, with this one", f"{loops._place._run(SESSIONS)[0][0]}"
        yield "memory", f"{process.memory_info().rss / 1e6:,.0f} MB"
        yield "processor while idle", share(server, arguments.seconds)
        words = [str(port), "--loop", "loop-0", "--connections", "1", "--rate", "10"]
        words += ["--seconds", str(arguments.seconds + 1.0)]
        command = [sys.executable, "-m", "benchmarks.service.client", *words]
        client = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        time.sleep(1.0)
        yield "processor with ten pairs a second in one", share(server, arguments.seconds)
        client.wait()


def main():
    parser = argparse.ArgumentParser(description="Many idle loops in a server.")
    parser.add_argument("--loops", type=int, default=200)
    parser.add_argument("--url", help="default: a folder of SQLite files that is deleted")
    parser.add_argument("--seconds", type=float, default=20.0)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        table = [list(line) for line in measured(arguments, arguments.url or folder)]
    Console().print(TableView("many", f"{arguments.loops} loops", ["", ""], table).rich())


if __name__ == "__main__":
    main()
