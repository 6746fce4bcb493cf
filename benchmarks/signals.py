"""What it costs that no signal ends a call half way, in turn by the helper thread and otherwise.

    python benchmarks/signals.py [--rounds N]

A short call in the main thread, which lets go of the interpreter's lock as a transaction does:
by `hybandit.loop.process.signals`; with handlers that note signals while it runs, and are put
back afterwards; and with no protection. Microseconds of CPU of the whole process, and of time.
"""

from __future__ import annotations

import argparse
import os
import signal
import time
from collections import defaultdict

import numpy as np
from rich.console import Console

from hybandit.loop.process.signals import uninterrupted
from hybandit.reports.tables import TableView

CALLS = 100
HEADERS = ["", "CPU, median", "CPU, of none", "time, median"]


def short_call():
    for _ in range(8):
        sum(range(1_000))
        os.stat(os.curdir)


def noting(call):
    """Signals are noted while the call runs, and handled after it."""
    noted, before = [], {}
    for number in range(1, signal.NSIG):
        handler = signal.getsignal(number)
        if callable(handler):
            before[number] = signal.signal(number, lambda *signalled: noted.append(signalled))
    try:
        return call()
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        for number, frame in noted:
            before[number](number, frame)


KINDS = {
    "by a helper": uninterrupted(short_call),
    "noted": lambda: noting(short_call),
    "none": short_call,
}


def measured(rounds):
    """CPU and time of a call, in microseconds, of each kind and round."""
    found = defaultdict(list)
    for _ in range(rounds):
        for kind, call in KINDS.items():
            cpu, began = time.process_time(), time.perf_counter()
            for _ in range(CALLS):
                call()
            spent = time.process_time() - cpu, time.perf_counter() - began
            found[kind].append(1e6 / CALLS * np.array(spent))
    return {kind: np.array(each) for kind, each in found.items()}


def main():
    parser = argparse.ArgumentParser(description="What protection from signals costs.")
    parser.add_argument("--rounds", type=int, default=50)
    found = measured(parser.parse_args().rounds)
    table = []
    for kind, each in found.items():
        (cpu, took), ratio = np.median(each, axis=0), np.median(each / found["none"], axis=0)[0]
        table.append([kind, f"{cpu:.0f}", f"{ratio:.2f}", f"{took:.0f}"])
    Console().print(TableView("signals", "A call in the main thread", HEADERS, table).rich())


if __name__ == "__main__":
    main()
