import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.slow
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks for processes in /proc")
def test_a_killed_comparison_goes_on_and_leaves_nobody_behind():
    command = [sys.executable, "-m", "stress.kills", "--kills", "2", "--commands", "compare"]
    found = subprocess.run(
        command, capture_output=True, text=True, timeout=300, check=False, cwd=ROOT
    )
    assert found.returncode == 0, found.stdout + found.stderr
    assert "repeated" in found.stdout
