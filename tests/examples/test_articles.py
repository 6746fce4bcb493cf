import subprocess
import sys
from pathlib import Path

EXAMPLE = Path(__file__).parents[2] / "examples" / "articles.py"


def test_nothing_is_lost_when_the_learner_is_killed():
    command = [sys.executable, EXAMPLE, "--days", "2", "--visitors", "30"]
    found = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert found.returncode == 0, found.stderr
    assert "60 shown, 60 told, 60 learned, of 60" in found.stdout
