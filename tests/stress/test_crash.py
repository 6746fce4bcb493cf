import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    "arguments",
    [
        ["--kills", "3"],
        pytest.param(["--kills", "10"], marks=pytest.mark.slow),
        pytest.param(["--kills", "5", "--wait", "0.3"], marks=pytest.mark.slow),
        pytest.param(["--kills", "5", "--postgres"], marks=pytest.mark.slow),
    ],
    ids=" ".join,
)
def test_kills_lose_and_double_nothing(arguments):
    command = [sys.executable, ROOT / "stress" / "crash.py", *arguments]
    found = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
    assert found.returncode == 0, found.stdout + found.stderr
    assert "events acknowledged" in found.stdout
