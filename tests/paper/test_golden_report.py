"""What every experiment runs, as hashes, and the whole report of made-up runs, as golden files.

After a change that is meant, other tuned settings for one,
``PYTHONPATH=src:tests python tests/paper/test_golden_report.py`` writes the files anew: look at
what changed in them.
"""

import re
import tempfile
import zlib
from pathlib import Path

import pytest
from paper.whole import whole_report

from hybandit.experiments import Store
from hybandit.experiments.experiment import Effort
from hybandit.experiments.specs import canonical
from hybandit.paper.experiments import EXPERIMENTS
from hybandit.reports.page import markdown

GOLDEN = Path(__file__).parent / "golden"
EFFORTS = {"full": Effort(), "quick": Effort(quick=True)}


def told(task):
    """All that a task says, apart from the content of data files."""
    environment = f"{task.environment.name} {canonical(task.environment.settings)}"
    return f"{environment} | {task.policy.label} | {task.seed}"


def checksum(lines):
    return zlib.crc32("\n".join(lines).encode())


def tasks_of(experiment):
    """A line: how many tasks there are, and a checksum of them, in full and quick."""
    found = [experiment.id]
    for name, effort in EFFORTS.items():
        lines = [told(task) for task in experiment.tasks(effort)]
        found.append(f"{name} {len(lines)} {checksum(lines):08x}")
    return ": ".join([found[0], ", ".join(found[1:])])


def report():
    """The report without the lines about the machine; numbers to six digits."""
    with tempfile.TemporaryDirectory() as folder:
        text = markdown(*whole_report(), Store(Path(folder) / "s.sqlite"))
    text = re.sub(r"^This page: .*$", "", text, flags=re.M)
    return re.sub(r"-?\d+\.\d+(e-?\d+)?", lambda found: f"{float(found[0]):.6g}", text)


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_an_experiment_runs_what_it_did(name):
    assert tasks_of(EXPERIMENTS[name]) in (GOLDEN / "tasks.txt").read_text().splitlines()


def test_the_report_shows_what_it_did():
    assert report() == (GOLDEN / "report.md").read_text()


if __name__ == "__main__":
    (GOLDEN / "tasks.txt").write_text(
        "".join(f"{tasks_of(each)}\n" for each in EXPERIMENTS.values())
    )
    (GOLDEN / "report.md").write_text(report())
