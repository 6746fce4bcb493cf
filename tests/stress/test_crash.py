import contextlib
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.slow
@pytest.mark.parametrize(
    "arguments",
    [
        ["--kills", "10"],
        ["--kills", "5", "--wait", "0.3"],
        ["--kills", "5", "--postgres"],
    ],
    ids=" ".join,
)
def test_kills_lose_and_double_nothing(arguments):
    command = [sys.executable, "-m", "stress.crash", *arguments]
    found = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, timeout=600, check=False
    )
    assert found.returncode == 0, found.stdout + found.stderr
    assert "events acknowledged" in found.stdout


def running(mark):
    """Processes that were started with this argument, and those made from them."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            found += [path.parent.name] * (mark.encode() in path.read_bytes().split(b"\0"))
    return found


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/cmdline").exists(), reason="processes are read in /proc")
def test_who_is_asked_to_end_leaves_nobody_behind():
    mark = str(time.time_ns())
    command = [sys.executable, "-m", "stress.crash", "--kills", "1000", "--seed", mark]
    with subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE) as playing:
        deadline = time.monotonic() + 120.0
        while len(running(mark)) < 5:
            assert time.monotonic() < deadline, "they did not start"
            time.sleep(0.1)
        playing.terminate()
        assert b"asked to end" in playing.stderr.read()
    assert running(mark) == []
