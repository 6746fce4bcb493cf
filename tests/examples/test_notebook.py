"""The notebook is executed from its first cell to its last."""

import json
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


DECISION = "is better than chance alone explains"


@pytest.fixture
def book(tmp_path):
    for name in ("offers.csv", "offers.ipynb"):
        shutil.copy(EXAMPLES / name, tmp_path)
    return tmp_path / "offers.ipynb"


def test_its_cells_run_one_after_another_and_reach_a_decision(book, monkeypatch, capsys):
    from matplotlib import pyplot

    monkeypatch.chdir(book.parent)
    names = {}
    for cell in json.loads(book.read_text())["cells"]:
        if cell["cell_type"] == "code":
            exec("".join(cell["source"]), names)
    assert pyplot.get_fignums()
    pyplot.close("all")
    assert DECISION in capsys.readouterr().out
    assert book.with_suffix(".npz").exists()
    assert book.with_suffix(".db").exists()


@pytest.mark.slow
def test_the_notebook_runs_in_jupyter_and_reaches_a_decision(book, tmp_path):
    pytest.importorskip("nbclient", reason="nbclient and ipykernel come with '.[test]'")
    done = subprocess.run(
        [sys.executable, "-c", EXECUTE, "offers.ipynb"], cwd=tmp_path,
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert DECISION in book.read_text()
    assert book.with_suffix(".npz").exists()
