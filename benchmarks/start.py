"""What a start costs: compiling everything, and with compiled code on disk.

    python benchmarks/start.py            # about a minute; needs two idle cores

The first decision in seconds; the first `hybandit compare`, all its processes, in seconds of CPU.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

from rich.console import Console

from hybandit.reports.tables import TableView

CODE = """
import time
start = time.perf_counter()
import hybandit
policy = hybandit.make_policy({name!r}, 10, 64, seed=0)
context = [0.1] * 64
policy.learn(context, policy.choose(context), 1.0)
print(time.perf_counter() - start)
"""


def first_decision(name, cache):
    environment = {**os.environ, "NUMBA_CACHE_DIR": cache}
    command = [sys.executable, "-c", CODE.format(name=name)]
    return float(subprocess.run(command, env=environment, capture_output=True, check=True).stdout)


def compare(cache, folder):
    """Seconds of CPU of the README's first command, in a folder of its own."""
    environment = {**os.environ, "NUMBA_CACHE_DIR": cache}
    command = [Path(sys.executable).with_name("hybandit"), "compare"]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, env=environment, cwd=folder, capture_output=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def main():
    rows = []
    for name in ("lin-ucb", "lnucb-ta", "stacked-hybrid"):
        with tempfile.TemporaryDirectory() as cache:
            cold, warm = first_decision(name, cache), first_decision(name, cache)
        rows.append([name, f"{cold:.1f} s", f"{warm:.1f} s"])
    with (
        tempfile.TemporaryDirectory() as cache,
        tempfile.TemporaryDirectory() as first,
        tempfile.TemporaryDirectory() as second,
    ):
        cold, warm = compare(cache, first), compare(cache, second)
    rows.append(["hybandit compare", f"{cold:.1f} s of CPU", f"{warm:.1f} s of CPU"])
    columns = ["what", "compiling", "compiled before"]
    title = "From import to the first reward learned, and all of a first compare"
    Console().print(TableView("start", title, columns, rows).rich())


if __name__ == "__main__":
    main()
