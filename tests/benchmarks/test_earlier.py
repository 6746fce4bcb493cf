"""What is played again of an earlier store, and how it is compared."""

import json
import sqlite3

import pytest

from benchmarks.earlier import chosen, row

SPARSE = {"data": "digits", "probabilities": [0.02, 0.1], "rounds": 100}


@pytest.fixture
def store(tmp_path):
    """A store of a newer format, with runs of 10 seconds, those of a rival and of a setting."""
    path = tmp_path / "earlier.sqlite"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE runs (task TEXT, result TEXT)")
        for name, settings in (("lin-ucb", {}), ("stacked-hybrid", {"alpha": 9}),
                               ("stacked-hybrid", {})):  # fmt: skip
            for data in (SPARSE, {"data": "iris"}):
                for seed in (1002, 1000, 1001):
                    place = {"name": "classification", "settings": data}
                    policy = {"name": name, "settings": settings}
                    task = {"environment": place, "policy": policy, "seed": seed}
                    run = {"rounds": 100, "regret": seed - 999.0, "seconds": 10.0}
                    connection.execute(
                        "INSERT INTO runs VALUES (?, ?)", (json.dumps(task), json.dumps(run))
                    )
    return path


@pytest.mark.parametrize(("most", "seconds", "seeds"), [
    (2, 100.0, [1000, 1001]), (9, 25.0, [1000, 1001]), (9, 5.0, [1000]),
    (9, 99.0, [1000, 1001, 1002]),
])  # fmt: skip
def test_the_first_seeds_that_were_quick_enough_are_played_again(store, most, seconds, seeds):
    (runs,) = chosen(store, "digits.*prob", most, seconds).values()
    assert [task.seed for task in runs] == seeds
    assert {task.policy.label for task in runs} == {"stacked-hybrid"}


def test_the_difference_is_in_expected_rewards(store):
    ((place, then),) = chosen(store, "prob", 9, 99.0).items()
    now = {task: {**run, "regret": run["regret"] - 0.5} for task, run in then.items()}
    name, runs, before, after, gap, share = row(place, then, now)
    # Ten clicks of 100 are possible, 1 to 3 were missed.
    assert (runs, before, after, gap) == (
        "3", "8.00 ± 1.00", "8.50 ± 1.00", "+0.500 [+0.500, +0.500]",
    )  # fmt: skip
    assert share == "+6.25 %"
    assert "digits" in name
