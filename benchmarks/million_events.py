"""A log of a million events and 50 features, evaluated for LinUCB: seconds and peak memory.

    python benchmarks/million_events.py [--events 1000000] [--features 50] [--before FOLDER]

Makes the log as Parquet in a folder of its own, runs `hybandit evaluate` on it as people do, in
a process of its own, and prints how long that took and how much memory it had at most. On two
idle cores it must stay below two minutes and 2 GB. With a clone of an earlier version, it is run
first, and the answers of both are compared.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd

MOST_SECONDS, MOST_MEGABYTES = 120.0, 2048.0


def make_log(path: Path, events: int, features: int, arms: int = 5) -> None:
    generator = np.random.default_rng(0)
    contexts = generator.normal(size=(events, features))
    weights = generator.normal(size=(arms, features)) / np.sqrt(features)
    shown = generator.integers(0, arms, events)
    chance = 1.0 / (1.0 + np.exp(-(contexts * weights[shown]).sum(axis=1)))
    frame = pd.DataFrame(contexts, columns=[f"x{place}" for place in range(features)])
    frame["shown"] = shown
    frame["clicked"] = (generator.random(events) < chance).astype(np.int8)
    frame["p"] = 1.0 / arms
    frame.to_parquet(path)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--events", type=int, default=1_000_000)
    parser.add_argument("--features", type=int, default=50)
    parser.add_argument("--before", type=Path, help="a clone of an earlier version")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "log.parquet"
        code = (
            "import sys; from pathlib import Path; from benchmarks.million_events import make_log; "
            "make_log(Path(sys.argv[1]), *map(int, sys.argv[2:]))"
        )
        writer = [sys.executable, "-c", code]
        root = Path(__file__).parents[1]
        # Made by a process of its own, whose memory does not count.
        sizes = [str(options.events), str(options.features)]
        subprocess.run([*writer, str(path), *sizes], cwd=root, check=True)
        print(f"{options.events:,} x {options.features} log, {path.stat().st_size / 1e6:,.0f} MB")
        if options.before:
            before = evaluated(path, Path(folder) / "before", options.before)
            told("before", before)
        now = evaluated(path, Path(folder) / "now", root)
        told("now", now)
        if options.before:
            apart = max(abs(now.values[key] - value) for key, value in before.values.items())
            print(f"{len(before.values)} values and limits, apart by at most {apart:.1e}")
        if now.seconds > MOST_SECONDS or now.megabytes > MOST_MEGABYTES:
            sys.exit(f"limits: {MOST_SECONDS:.0f} s and {MOST_MEGABYTES:,.0f} MB")


class Evaluated(NamedTuple):
    seconds: float
    processor: float
    megabytes: float
    values: dict[tuple[str, str, str], float]


def evaluated(path: Path, out: Path, root: Path) -> Evaluated:
    """One evaluation by a clone, in a process of its own."""
    call = "from hybandit.cli import main; main()"
    columns = ["--arm", "shown", "--reward", "clicked", "--propensity", "p"]
    more = ["--policies", "lin-ucb", "--out", str(out), "--json"]
    command = [sys.executable, "-c", call, "evaluate", str(path), *columns, *more]
    environment = {**os.environ, "PYTHONPATH": str(root / "src")}
    start = time.perf_counter()
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        text = process.stdout.read()
        _, status, usage = wait4(process)
    if status:
        sys.exit(f"{root} failed")
    rows = json.loads(text)["rows"]
    values = {
        (row["policy"], row["estimator"], name): float(row[name])
        for row in rows
        for name in row
        if row["policy"] == "lin-ucb" and isinstance(row[name], float)
    }
    spent = usage.ru_utime + usage.ru_stime
    return Evaluated(time.perf_counter() - start, spent, usage.ru_maxrss / 1024, values)


def told(name: str, found: Evaluated) -> None:
    print(
        f"{name}: {found.seconds:.0f} s ({found.processor:.0f} s of processors), "
        f"{found.megabytes:,.0f} MB at most",
        flush=True,
    )


def wait4(process: subprocess.Popen[bytes]) -> tuple[int, int, resource.struct_rusage]:
    """The end of a process, with what it used."""
    answer = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(answer[1])
    return answer


if __name__ == "__main__":
    main()
