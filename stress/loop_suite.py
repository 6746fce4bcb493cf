"""The tests of the loop, again and again, while every core is busy: none may fail.

    python stress/loop_suite.py [--times N] [--load L] [pytest's arguments]

L processes compute all the time, by default one for each core. Ends with status 1 after the first
time that a test fails, and shows what pytest told.
"""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parents[1]
# Computes until the process that started it has ended, however that was.
COMPUTE = """
import os
parent = os.getppid()
while os.getppid() == parent:
    for _ in range(1_000_000):
        pass
"""


@contextmanager
def busy(count):
    """Processes that compute until the block ends."""
    computing = [subprocess.Popen([sys.executable, "-c", COMPUTE]) for _ in range(count)]
    try:
        yield
    finally:
        for process in computing:
            process.kill()
            process.wait()


def tested(arguments):
    """Run the tests once: the exit code, and what pytest told."""
    with tempfile.TemporaryDirectory() as folder:
        ran = subprocess.run(
            [sys.executable, "-m", "pytest", "-q", f"--basetemp={folder}/tests", *arguments],
            cwd=ROOT, capture_output=True, text=True, check=False,
        )  # fmt: skip
    return ran.returncode, ran.stdout + ran.stderr


def main():
    parser = argparse.ArgumentParser(description="The tests of the loop under load.")
    parser.add_argument("--times", type=int, default=20)
    parser.add_argument("--load", type=int, default=os.cpu_count(), help="busy processes")
    given, rest = parser.parse_known_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("asked to end"))
    with busy(given.load):
        for number in range(1, given.times + 1):
            code, told = tested(rest or ["tests/loop"])
            if code:
                sys.exit(f"{told}\ntime {number} of {given.times}: FAILED")
            print(f"time {number} of {given.times}: {told.splitlines()[-1]}", flush=True)


if __name__ == "__main__":
    main()
