"""What a look at a loop costs: `status` after many events.

python -m benchmarks.service.looks [--learned 100000] [--looks 50] [--folder FOLDER]
"""

import argparse
import shutil
import tempfile
import threading
import time

import numpy as np
from rich.console import Console

from benchmarks.service.__main__ import prepared
from hybandit.loop import Loops
from hybandit.reports.tables import TableView


def looked(place, looks, lines):
    with Loops(place, learn=False) as loops:
        loop, times = loops["load"], []
        loop.status()
        for _ in range(looks):
            began = time.thread_time()
            loop.status()
            times.append(1e3 * (time.thread_time() - began))
    lines.append(["CPU ms of a look, median", f"{np.median(times):.2f}"])
    lines.append(["CPU ms of a look, 90 %", f"{np.quantile(times, 0.9):.2f}"])


def main():
    parser = argparse.ArgumentParser(description="What a look costs.")
    parser.add_argument("--learned", type=int, default=100_000)
    parser.add_argument("--looks", type=int, default=50)
    parser.add_argument("--folder", default=tempfile.gettempdir(), help="where the loop is")
    arguments = parser.parse_args()
    lines = []
    with tempfile.TemporaryDirectory(dir=arguments.folder) as copy:
        shutil.copytree(prepared(arguments.folder, arguments.learned), copy, dirs_exist_ok=True)
        # In a thread: calls of the main thread are made by another, whose time it cannot see.
        thread = threading.Thread(target=looked, args=(copy, arguments.looks, lines))
        thread.start()
        thread.join()
    title = f"status after {arguments.learned:,} events, {arguments.looks} looks"
    Console().print(TableView("looks", title, ["", ""], lines).rich())


if __name__ == "__main__":
    main()
