"""Every section is built from made-up results, whole and with holes."""

import csv
import io
import re

import pytest

from hybandit.experiments import Run
from hybandit.experiments.experiment import Effort
from hybandit.paper.experiments import EXPERIMENTS
from hybandit.reports.figures import LIGHT, drawn
from hybandit.reports.tables import csv_of

QUICK = Effort(quick=True)
THEORY = (
    "ball", "width", "optimism", "squares", "plain_bound", "claimed_slope", "determinant",
    "potential", "largest_reward", "limit", "fixed", "own", "rising", "leftover", "width_there",
    "width_rounds", "optimism_there", "optimism_rounds", "all_squares", "step", "of_most",
    "rising_positive", "bias",
)  # fmt: skip


def made_up(experiment, *, every=1):
    results = {}
    for number, task in enumerate(experiment.tasks(QUICK)):
        if number % every:
            continue
        reward = 100.0 + number % 7
        extra = {"holds": True, "largest": 0.5, "bound": 1000.0, "slope": 0.4, "seen": 1000}
        extra |= {"frequencies": {"all": 0.3, "late": 0.3}}
        extra |= dict.fromkeys(THEORY, 0.5)
        results[task.key] = Run(
            rounds=800, reward=reward, regret=800.0 - reward, seconds=0.1 + number % 3,
            at=[1, 400, 800], rewards=[0.0, reward / 2, reward], regrets=[1.0, 300.0, 700.0],
            extra=extra,
        )  # fmt: skip
    return results


def section_of(name, results):
    experiment = EXPERIMENTS[name]
    return experiment.section(experiment.findings(QUICK, results))


@pytest.mark.parametrize("every", [1, 5])
@pytest.mark.parametrize("name", EXPERIMENTS)
def test_a_section_is_made_of_what_is_there(name, every):
    section = section_of(name, made_up(EXPERIMENTS[name], every=every))
    assert section.tables
    for table in section.tables:
        assert all(len(row) == len(table.columns) for row in table.rows)
        assert not re.search(r"\bnan\b", csv_of(table))
    for figure in section.figures:
        assert drawn(figure, LIGHT).axes


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_csv_files_hold_numbers_under_names_that_differ(name):
    for table in section_of(name, made_up(EXPERIMENTS[name])).tables:
        text = csv_of(table)
        assert "±" not in text
        head, *rows = csv.reader(io.StringIO(text))
        assert len(set(head)) == len(head)
        assert all(len(row) == len(head) for row in rows)
