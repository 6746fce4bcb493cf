"""The notebook is executed from its first cell to its last."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"
# In a process of its own: its libraries warn of much that is not ours to mend.
EXECUTE = """
import sys, nbformat
from nbclient import NotebookClient
book = nbformat.read(sys.argv[1], as_version=4)
NotebookClient(book, timeout=300, kernel_name="python3").execute()
nbformat.write(book, sys.argv[1])
"""


def test_the_notebook_runs_and_reaches_a_decision(tmp_path):
    pytest.importorskip("nbclient", reason="nbclient and ipykernel come with '.[test]'")
    for name in ("offers.csv", "offers.ipynb"):
        shutil.copy(EXAMPLES / name, tmp_path)
    done = subprocess.run(
        [sys.executable, "-c", EXECUTE, "offers.ipynb"], cwd=tmp_path,
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "is better than chance alone explains" in (tmp_path / "offers.ipynb").read_text()
    assert (tmp_path / "offers.npz").exists()
