import pytest

from hybandit.experiments import Run
from hybandit.experiments.experiment import Effort, Findings
from hybandit.paper.experiments.sparse import (
    FITTED,
    LIN_UCB,
    OURS,
    PAPERS,
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


def found_at_the_first_place(speeds):
    """Runs of some models with a regret each round, at the first place alone."""
    scale = Effort(runs=2, quick=True)
    cells = Sparse().cells(scale)
    results = {
        task.key: run(speeds[cell.row], speeds[cell.row])
        for cell in cells if cell.row in speeds and cell.column == PLACES[0]
        for task in cell.tasks
    }  # fmt: skip
    return Findings(cells, scale, results)


def test_who_earns_less_than_the_best_arm_always_is_counted():
    # The best arm earns 4.0 in 100 rounds of the first place, and pays 0.1 or 0.02 there.
    speeds = {OURS: 0.04, PAPERS: 0.079, FITTED: 0.01, LIN_UCB[0]: 0.08, LIN_UCB[1]: 0.06}
    found = found_at_the_first_place(speeds)
    counted = "LNUCB-TA in 1 of 1 cases; LNUCB-TA, fitted to rewards in 0 of 1 cases"
    (sentence,) = Sparse().conclusions(found)
    assert f"{counted}; StackedHybrid in 0 of 1 cases." in sentence.text
    assert sentence.text.endswith("those of LinUCB's better setting by +50.0 % to +50.0 %.")
