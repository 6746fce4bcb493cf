import pytest

from hybandit.experiments.experiment import Scale
from hybandit.experiments.paper import EXPERIMENTS
from hybandit.experiments.runs import Run
from hybandit.experiments.section import Published, Verdict
from hybandit.experiments.spread import Spread
from hybandit.experiments.verdicts import verdicts_section


@pytest.mark.parametrize(
    ("published", "ours", "outcome"),
    [
        # The interval within 5 %, on either side of zero or about it.
        (Published(100.0, 1.0), Spread(104.0, 1.0, 20), "reproduced"),
        (Published(100.0, 1.0), Spread(96.0, 1.0, 20), "reproduced"),
        (Published(100.0, 6.0), Spread(101.0, 6.0, 20), "reproduced"),
        # Beyond 5 %, and sure.
        (Published(100.0, 1.0), Spread(104.9, 1.0, 20), "not reproduced"),
        (Published(100.0, 1.0), Spread(95.1, 1.0, 20), "not reproduced"),
        (Published(100.0), Spread(120.0, 11.0, 10), "not reproduced"),
        # Zero within, and wide: by our spread, by theirs, by few runs.
        (Published(100.0, 1.0), Spread(103.0, 15.0, 20), "cannot tell"),
        (Published(100.0, 15.0), Spread(103.0, 1.0, 20), "cannot tell"),
        (Published(100.0), Spread(103.0, 1.0, 2), "cannot tell"),
        # Numbers below zero are as near as others.
        (Published(-100.0, 1.0), Spread(-104.0, 1.0, 20), "reproduced"),
        # One run is all there is.
        (Published(567.0), Spread(567.0, 0.0, 1), "reproduced"),
        (Published(567.0), Spread(600.0, 0.0, 1), "not reproduced"),
    ],
)
def test_a_verdict_weighs_the_gap_and_both_spreads(published, ours, outcome):
    assert Verdict.of("news", "clicks", published, ours).outcome == outcome


def test_the_head_counts_the_outcomes_and_each_line_tells_its_own():
    experiment = EXPERIMENTS["regret"]
    scale = Scale()
    results = {}
    for cell in experiment.cells(scale):
        for task in cell.tasks:
            regret = 562.7 if "LinUCB" in str(cell.row) else 1.0
            results[task.key] = Run(rounds=10, reward=0.0, regret=regret, seconds=1.0)
    table = verdicts_section([experiment], scale, results).tables[0]
    outcomes = [row[-1] for row in table.rows]
    lin_ucb = [row for row in table.rows if row[1].startswith("LinUCB") and "Mushroom" in row[1]]
    assert {row[-1] for row in lin_ucb} == {"reproduced"}
    assert table.title.startswith(f"{len(outcomes)} printed numbers: ")
    assert f"{outcomes.count('reproduced')} reproduced" in table.title
    assert f"{outcomes.count('not reproduced')} not" in table.title


def test_reasons_are_given_for_what_is_shown():
    section = verdicts_section([EXPERIMENTS["news"]], Scale(), {})
    assert [note.split(":")[0] for note in section.notes] == ["news", "not compared"]
