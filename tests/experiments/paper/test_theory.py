"""The words yes and NO are earned: flipped comparisons must fail here."""

import pytest

from hybandit.experiments import Run
from hybandit.experiments.experiment import Scale
from hybandit.experiments.paper.theory import (
    ARMS,
    STATEMENTS,
    Theory,
    mostly,
    none_above,
    not_steeper,
)

QUICK = Scale(runs=20, quick=True)
KEPT = {
    "ball": 0.5, "width": 0.0, "optimism": 0.0, "squares": 0.5, "bound": 0.5, "plain_bound": 0.9,
    "determinant": 1e-9, "potential": 0.5, "largest_reward": 1.0, "slope": 0.5,
    "claimed_slope": 0.55, "limit": 100.0, "spread": 1.0, "fixed": 1e-9, "own": 0.1, "rising": 0.5,
}  # fmt: skip


def findings(**changed):
    """Runs that keep everything but what is changed."""
    experiment = Theory()
    results = {
        task.key: Run(rounds=10, reward=0.0, regret=5.0, seconds=0.1, at=[1, 10],
                      regrets=[1.0, 5.0], extra=KEPT | changed)
        for task in experiment.tasks(QUICK)
    }  # fmt: skip
    return experiment.findings(QUICK, results)


def table(**changed):
    return Theory().section(findings(**changed)).tables


def words(tables, claim):
    return {row[-1] for row in tables[0].rows if row[0] == claim}


@pytest.mark.parametrize("statement", STATEMENTS, ids=lambda each: each.measure)
def test_a_statement_that_is_kept_says_yes_and_one_that_is_broken_no(statement):
    assert words(table(), statement.claim) == {"yes"}
    changed = {"slope": 0.8} if statement.measure == "steeper" else {statement.measure: 2.0}
    assert words(table(**changed), statement.claim) == {"NO"}
    for other in STATEMENTS:
        if other is not statement:
            assert words(table(**changed), other.claim) == {"yes"}


def test_theorem_2_holds_only_as_far_as_it_does():
    assert [row[-1] for row in table()[1].rows] == ["yes", "NO", "NO"]
    assert [row[-1] for row in table(fixed=0.1, own=0.0, rising=0.0)[1].rows] == [
        "NO",
        "yes",
        "yes",
    ]


def test_a_claim_that_may_fail_now_and_then_holds_in_19_of_20_runs():
    assert mostly([0.5] * 19 + [3.0])
    assert not mostly([0.5] * 18 + [3.0] * 2)


def test_a_claim_about_all_rounds_bears_no_exception():
    assert none_above(0.0)([0.0, 0.0])
    assert not none_above(0.0)([0.0, 1e-3])


def test_a_slope_is_steeper_only_beyond_two_standard_errors():
    assert not_steeper([-0.1, -0.2, -0.1])
    assert not_steeper([-0.1, 0.2, 0.0])
    assert not not_steeper([0.1, 0.2, 0.15])


def test_the_worst_run_is_shown_of_every_number_of_arms():
    experiment = Theory()
    results = {}
    for task in experiment.tasks(QUICK):
        settings = task.environment.settings
        ball = settings.get("n_arms", 0) / 100 + (0.5 if task.seed == 3 else 0.0)
        results[task.key] = Run(rounds=10, reward=0.0, regret=5.0, seconds=0.1, at=[1, 10],
                                regrets=[1.0, 5.0], extra=KEPT | {"ball": ball})  # fmt: skip
    rows = experiment.section(experiment.findings(QUICK, results)).tables[0].rows
    shown = [value.value for value in rows[0][2:-1]]
    assert shown == pytest.approx([0.5 + n_arms / 100 for n_arms in ARMS])


def test_the_first_page_counts_what_holds_and_names_what_is_broken():
    (kept,) = Theory().conclusions(findings())
    assert kept.text.endswith("18 hold: none is broken.")
    assert kept.text.startswith("Of 18 checks")
    (broken,) = Theory().conclusions(findings(bound=2.0, ball=2.0))
    assert broken.text.endswith("14 hold: broken are Proposition 1, Theorem 1.")


def test_theorem_1_is_a_claim_with_lnucb_ta_itself():
    kept = Theory().claims(findings())
    assert len(kept) == 6
    assert all(each.holds for each in kept)
    broken = Theory().claims(findings(plain_bound=1.2))
    assert [each.holds for each in broken].count(False) == 2
    assert "1.2 of it with 50 arms" in {each.found for each in broken}
