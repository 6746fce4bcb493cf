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
from hybandit.experiments.provenance import provenance
from hybandit.experiments.specs import canonical
from hybandit.paper.experiments import EXPERIMENTS
from hybandit.reports.page import markdown

GOLDEN = Path(__file__).parent / "golden"
EFFORTS = {"full": Effort(), "quick": Effort(quick=True)}
# Where those who were first are last, and where chance may explain much.
OTHERS = {"turned": {"turned": True}, "noisy": {"noise": 60.0}}


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


def rounded(text):
    """Numbers to six digits."""
    return re.sub(r"-?\d+\.\d+(e-?\d+)?", lambda found: f"{float(found[0]):.6g}", text)


def report():
    """The report without the lines about the machine."""
    with tempfile.TemporaryDirectory() as folder:
        text = markdown(*whole_report(), provenance(Store(Path(folder) / "s.sqlite")))
    return rounded(re.sub(r"^This page: .*$", "", text, flags=re.M))


def judged(name):
    """Conclusions, and what becomes of the paper's claims and best settings."""
    first, *_, last = whole_report(**OTHERS[name])[1]
    tables = {table.name: table for table in (*last.tables, *last.details)}
    rows = [*tables["claims"].rows, *tables["verdicts-words"].rows]
    lines = [each.text for each in first.sentences] + [" | ".join(row) for row in rows]
    return rounded("".join(f"{line}\n" for line in lines))


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_an_experiment_runs_what_it_did(name):
    assert tasks_of(EXPERIMENTS[name]) in (GOLDEN / "tasks.txt").read_text().splitlines()


def test_the_report_shows_what_it_did():
    assert report() == (GOLDEN / "report.md").read_text()


@pytest.mark.parametrize("name", OTHERS)
def test_sentences_and_claims_follow_their_numbers(name):
    assert judged(name) == (GOLDEN / f"{name}.txt").read_text()


if __name__ == "__main__":
    (GOLDEN / "tasks.txt").write_text(
        "".join(f"{tasks_of(each)}\n" for each in EXPERIMENTS.values())
    )
    (GOLDEN / "report.md").write_text(report())
    for name in OTHERS:
        (GOLDEN / f"{name}.txt").write_text(judged(name))
