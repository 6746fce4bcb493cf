"""How long the first decision takes: compiling everything, and with compiled code on disk.

python benchmarks/start.py
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile

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


def main():
    rows = []
    for name in ("lin-ucb", "lnucb-ta", "stacked-hybrid"):
        with tempfile.TemporaryDirectory() as cache:
            cold, warm = first_decision(name, cache), first_decision(name, cache)
        rows.append([name, f"{cold:.1f} s", f"{warm:.1f} s"])
    columns = ["policy", "compiling", "compiled before"]
    title = "From import to the first reward learned"
    Console().print(TableView("start", title, columns, rows).rich())


if __name__ == "__main__":
    main()
