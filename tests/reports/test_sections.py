"""Every section is built from made-up results, whole and with holes."""

import pytest

from hybandit.experiments import Run
from hybandit.experiments.definitions import EXPERIMENTS
from hybandit.experiments.experiment import Scale
from hybandit.reports.reproduction import reproduction
from hybandit.reports.sections import SECTIONS
from hybandit.reports.verdicts import verdicts


def made_up(experiment, *, every=1):
    results = {}
    for number, task in enumerate(experiment.tasks):
        if number % every:
            continue
        reward = 100.0 + number % 7
        extra = {"holds": True, "largest": 0.5, "bound": 1000.0, "slope": 0.4, "seen": 1000}
        results[task.key] = Run(
            rounds=800, reward=reward, regret=800.0 - reward, seconds=0.1 + number % 3,
            at=[1, 400, 800], rewards=[0.0, reward / 2, reward], regrets=[1.0, 300.0, 700.0],
            extra=extra,
        )  # fmt: skip
    return results


@pytest.mark.parametrize("every", [1, 5])
@pytest.mark.parametrize("name", EXPERIMENTS)
def test_a_section_is_made_of_what_is_there(name, every):
    experiment = EXPERIMENTS[name](Scale(quick=True))
    section = SECTIONS[name](experiment, made_up(experiment, every=every))
    assert section.tables
    for table in section.tables:
        assert all(len(row) == len(table.columns) for row in table.rows)
        assert "nan" not in table.csv()
    for picture in section.pictures:
        assert picture.png.startswith(b"\x89PNG")


def test_published_numbers_stand_beside_ours():
    experiment = EXPERIMENTS["regret"](Scale(quick=True))
    section = SECTIONS["regret"](experiment, made_up(experiment))
    rows = {row[0]: row for row in section.tables[0].rows}
    assert "2,098 ± 50" in rows["LinUCB, alpha 1"]
    assert "20.0 ± 2.0" not in rows["StackedHybrid"]
    assert "2,062 ± 43" in rows["NeuralUCB"]


def test_verdicts_say_yes_and_no():
    experiment = EXPERIMENTS["news"](Scale(quick=True))
    results = made_up(experiment)
    right = experiment.cell("LinUCB, 1", "arm, raw").tasks[0]
    results[right.key] = Run(rounds=800, reward=424.0, regret=None, seconds=0.1)
    lines = {line[1]: line[-1] for line in verdicts([experiment], results).tables[0].rows}
    assert lines["LinUCB, 1: clicks"] == "yes"
    assert lines["LNUCB-TA, 1: clicks"] == "no"


def test_experiments_without_results_have_no_section():
    experiments = [EXPERIMENTS[name](Scale(quick=True)) for name in ("news", "drift")]
    found = reproduction(experiments, made_up(experiments[1]))
    assert [section.id for section in found] == ["verdicts", "drift"]


def test_an_unfinished_store_says_so():
    experiment = EXPERIMENTS["news"](Scale(quick=True))
    assert "NOT FINISHED" in verdicts([experiment], made_up(experiment, every=5)).about
    assert "NOT FINISHED" not in verdicts([experiment], made_up(experiment)).about
