"""Every example runs, shortened, and tells what it promises."""

import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"
SHORT = {
    "articles.py": (["--days", "2", "--visitors", "30"], "60 shown, 60 told, 60 learned, of 60"),
    "digits.py": (["--rounds", "200"], "StackedHybrid"),
    "drinks.py": (["--events", "500"], "{'age': 80, 'town': 'Kiel'}: tea"),
    "shop.py": (["--visitors", "300"], "goods at random would have sold"),
}
# It starts four processes.
SLOW = {"articles.py": pytest.mark.slow}


@pytest.mark.parametrize("name", [pytest.param(each, marks=SLOW.get(each, ())) for each in SHORT])
def test_an_example_runs(name, tmp_path):
    arguments, promised = SHORT[name]
    found = subprocess.run(
        [sys.executable, EXAMPLES / name, *arguments], cwd=tmp_path,
        capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    assert found.returncode == 0, found.stderr
    assert promised in found.stdout


def test_every_script_is_run_here():
    assert {path.name for path in EXAMPLES.glob("*.py")} == set(SHORT)
