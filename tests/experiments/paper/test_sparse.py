import pytest

from hybandit.experiments import Run
from hybandit.experiments.experiment import Findings, Scale
from hybandit.experiments.paper.sparse import (
    LIN_UCB,
    OURS,
    PLACES,
    Place,
    Sparse,
    click_rate,
    constant_rate,
    late_rate,
)  # fmt: skip

PLACE = Place("digits", "digits", 0.02, 0.1)


def run(early, late):
    """A run of 400 rounds with a regret each round, other in its last quarter."""
    at = list(range(1, 401))
    regrets = [min(number, 300) * early + max(number - 300, 0) * late for number in at]
    often = {"all": 0.25, "late": 0.5}
    return Run(400, 0.0, regrets[-1], 0.0, at, [], regrets, {"frequencies": often})


def test_clicks_are_those_expected_of_what_was_played():
    found = run(0.08, 0.0)
    assert click_rate(PLACE, found) == pytest.approx(4.0)
    assert late_rate(PLACE, found) == pytest.approx(10.0)


def test_the_best_arm_earns_by_how_often_it_is_right():
    found = run(0.0, 0.0)
    assert constant_rate(PLACE, found, "all") == pytest.approx(4.0)
    assert constant_rate(PLACE, found, "late") == pytest.approx(6.0)


def test_the_better_linucb_is_what_ours_is_held_against():
    scale = Scale(runs=2, quick=True)
    cells = Sparse().cells(scale)
    speeds = {OURS: 0.04, LIN_UCB[0]: 0.08, LIN_UCB[1]: 0.06}
    results = {
        task.key: run(speeds[cell.row], speeds[cell.row])
        for cell in cells if cell.row in speeds and cell.column == PLACES[0]
        for task in cell.tasks
    }  # fmt: skip
    section = Sparse().section(Findings(cells, scale, results))
    assert section.tables[2].rows[0][1].mean == pytest.approx(150.0)
    assert section.tables[2].rows[0][2] is None
