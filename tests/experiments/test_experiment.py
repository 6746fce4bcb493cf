"""Golden values on a tiny store built by hand."""

import pytest

from hybandit.experiments import EnvironmentSpec, PolicySpec, Run
from hybandit.experiments.experiment import (
    Cell,
    Effort,
    Findings,
    Row,
    curve,
    differences_table,
    spreads_table,
)

GOOD = Row("good", PolicySpec("lin-ucb"))
POOR = Row("poor", PolicySpec("ucb"), "rho 1")
REGRETS = {GOOD: (10.0, 12.0), POOR: (30.0, 36.0)}


@pytest.fixture
def findings():
    environment = EnvironmentSpec("synthetic", {"kind": "linear"})
    cells = [Cell.of(model, "linear", environment, model.policy, range(3)) for model in REGRETS]
    results = {
        task.key: Run(100, 50.0, regret, 2.0, at=[1, 100], regrets=[0.0, regret])
        for cell in cells
        for task, regret in zip(cell.tasks, REGRETS[cell.row], strict=False)
    }
    return Findings(cells, Effort(), results)


def test_a_spread_is_of_finished_runs(findings):
    assert findings.spread(GOOD, "linear", "regret").mean == 11.0
    assert findings.spread(GOOD, "linear", "regret").runs == 2
    assert findings.spread(GOOD, "linear", "mean reward").mean == 0.5
    assert findings.spread(GOOD, "nowhere", "regret") is None


def test_a_difference_is_row_less_reference(findings):
    assert findings.difference(POOR, GOOD, "linear", "regret").mean == 22.0
    table = differences_table(findings, "name", reference=GOOD, measure="regret")
    assert [[row[0], row[1].mean] for row in table.rows] == [["poor, rho 1", 22.0]]
    assert table.title == "How much more regret than good"


def test_a_table_of_spreads_has_rows_and_columns_of_the_cells(findings):
    table = spreads_table(findings, "name", "title", "regret")
    assert [column.head for column in table.columns] == ["policy", "linear"]
    assert [row[1].mean for row in table.rows] == [11.0, 33.0]


def test_lines_carry_whose_they_are(findings):
    lines = findings.lines("linear", [POOR, GOOD], "regrets")
    assert [(line.label, line.policy, line.y[-1]) for line in lines] == [
        ("poor, rho 1", "ucb", 33.0),
        ("good", "lin-ucb", 11.0),
    ]


def test_runs_of_different_lengths_count_over_the_rounds_all_played():
    short = Run(10, 0.0, None, 1.0, at=[1, 5, 10], rewards=[1.0, 5.0, 10.0])
    long = Run(20, 0.0, None, 1.0, at=[1, 10, 20], rewards=[1.0, 10.0, 20.0])
    assert curve("a", "ucb", [short, long], "rewards").y == [1.0, 5.0, 10.0]
    assert curve("a", "ucb", [short, long], "mean rewards").y == [1.0, 1.0, 1.0]
    assert curve("a", "ucb", [short], "rewards").sd is None
