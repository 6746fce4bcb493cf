"""A log of a million events and 50 features, evaluated for LinUCB: seconds and peak memory.

    python benchmarks/million_events.py [--events 1000000] [--features 50]

Makes the log as Parquet in a folder of its own, runs `hybandit evaluate` on it as people do, in
a process of its own, and prints how long that took and how much memory it had at most. On two
idle cores it must stay below two minutes and 2 GB.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

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
        made = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
        print(f"{options.events:,} x {options.features} log, {path.stat().st_size / 1e6:,.0f} MB")
        call = "from hybandit.cli import main; main()"
        columns = ["--arm", "shown", "--reward", "clicked", "--propensity", "p"]
        command = [sys.executable, "-c", call, "evaluate", str(path), *columns]
        start = time.perf_counter()
        with subprocess.Popen([*command, "--policies", "lin-ucb", "--out", folder]) as process:
            _, status, usage = wait4(process)
        seconds, megabytes = time.perf_counter() - start, usage.ru_maxrss / 1024
        print(f"{seconds:.0f} s, {megabytes:,.0f} MB at most (making the log: {made / 1024:,.0f})")
        if status or seconds > MOST_SECONDS or megabytes > MOST_MEGABYTES:
            sys.exit(f"limits: {MOST_SECONDS:.0f} s and {MOST_MEGABYTES:,.0f} MB")


def wait4(process: subprocess.Popen[bytes]) -> tuple[int, int, resource.struct_rusage]:
    """The end of a process, with what it used."""
    import os

    answer = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(answer[1])
    return answer


if __name__ == "__main__":
    main()
