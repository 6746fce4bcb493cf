import json
import pickle
import warnings

import numpy as np
import pytest
from evaluation.item_logs import known_item_log
from messy import log_frame, read_log, written

import hybandit
from hybandit.errors import InvalidInput, StoreError
from hybandit.experiments import PolicySpec
from hybandit.experiments.log_players import LOGGED, always
from hybandit.experiments.logs import (
    ItemLogTask,
    LogTask,
    estimates,
    learned_from,
    named_log,
    read_estimates,
    ticking,
)
from hybandit.experiments.user_files import file_settings
from hybandit.workers import hand

COLUMNS = {"arm": "action", "reward": "clicked"}
WITH_PROPENSITY = {**COLUMNS, "propensity": "propensity"}


@pytest.fixture
def task(tmp_path):
    def make(options=WITH_PROPENSITY, count=400, **how):
        path = written(tmp_path, log_frame(count))
        return LogTask(**file_settings(str(path), options), **how)

    return make


def test_a_run_tells_every_estimate_and_no_regret(task):
    run = task(estimators=("snips", "ips")).run(PolicySpec("lin-ucb"), seed=0)
    found = read_estimates(json.loads(json.dumps(run.extra)))
    assert [each.estimator for each in found] == ["snips", "ips"]
    assert run.reward == found[0].value * run.rounds
    assert (run.rounds, run.regret) == (400, None)


def test_an_estimate_is_the_same_after_it_was_written(task):
    log = task().log()
    (found,) = estimates([lambda: hybandit.LinUCB(3, 2, seed=0)], log, ["ips"])[0].estimates
    run = task(estimators=("ips",)).run(PolicySpec("lin-ucb"), seed=0)
    assert read_estimates(run.extra) == [found]


def test_warnings_of_a_policy_reach_whoever_asked(task):
    class Old(hybandit.LinUCB):
        def _learn(self, *given):
            warnings.warn("this policy is old", FutureWarning, stacklevel=2)
            super()._learn(*given)

    with pytest.warns(FutureWarning, match="this policy is old"):
        estimates([lambda: Old(3, 2, seed=0)], task(count=20).log(), ["ips"])


def test_without_propensities_they_are_estimated_unless_no_estimator_needs_them(task):
    with_none = {**COLUMNS, "drop": ["propensity"]}
    run = task(with_none, estimators=("snips",)).run(PolicySpec("ucb"), 0)
    assert "ESTIMATED" in run.extra["notes"][0]
    run = task(with_none, estimators=("replay",)).run(PolicySpec("ucb"), 0)
    assert "ESTIMATED" not in " ".join(run.extra["notes"])


def test_estimators_come_in_the_order_asked_and_replay_learns_by_its_own_rule(task):
    made = []

    def make():
        made.append(hybandit.LinUCB(3, 2, seed=0))
        return made[-1]

    (found,) = estimates([make], task().log(), ["ips", "replay", "snips"])
    assert [each.estimator for each in found.estimates] == ["ips", "replay", "snips"]
    replayed, scored = made
    assert scored.statistics.counts.sum() == 400
    assert replayed.statistics.counts.sum() == found.estimates[1].rows < 400
    assert [learned_from(name, "all") for name in ("ips", "replay")] == ["all", "matched"]
    assert learned_from("replay", "nothing") == "nothing"


def test_progress_is_told_for_every_event(task):
    told = []
    with ticking(told.append):
        task(count=2500, estimators=("ips",)).run(PolicySpec("ucb"), 0)
    assert told == [1000, 1000, 500]
    task(count=2500, estimators=("ips",)).run(PolicySpec("ucb"), 0)
    assert sum(told) == 2500


def test_unscaled_columns_become_a_note(task):
    options = {**WITH_PROPENSITY, "scaling": "raw"}
    frame = log_frame(400).assign(income=np.linspace(20_000, 90_000, 400) + 0.5)
    log, _ = read_log(frame, **options)
    (found,) = estimates([lambda: hybandit.LinUCB(3, 2, seed=0)], log, ["ips"])
    assert any("will hardly see the smaller" in note for note in found.notes)


def test_a_table_is_no_log():
    with pytest.raises(InvalidInput, match=r"tables are for hybandit\.compare"):
        named_log("digits", "raw")


def test_a_log_of_items_is_named_by_its_content_as_long_as_it_is_held():
    log = known_item_log(200, seed=0)
    task = ItemLogTask("articles.db", **ItemLogTask.held(log), estimators=("snips",))
    assert task.log() is log
    assert (task.size, task.identity()["data"]) == ((200, 5), "items")
    run = task.run(PolicySpec("item-lin-ucb"), seed=0)
    policy = hybandit.ItemLinUCB(2, 3, seed=0)
    assert read_estimates(run.extra) == list(
        estimates([lambda: policy], log, ["snips"])[0].estimates
    )
    del log
    with pytest.raises(StoreError, match=r"the log of articles\.db is not in this process"):
        task.log()


def test_what_learns_nothing_shares_a_way_through_the_log_after_the_long_runs(task):
    policies = [PolicySpec("ucb"), always("tea"), PolicySpec("lin-ucb"), PolicySpec(LOGGED)]
    found = task().together(policies)
    assert found == [[policies[0]], [policies[2]], [policies[1], policies[3]]]


def test_workers_are_handed_a_log_of_items():
    log = known_item_log(100, seed=0)
    task = ItemLogTask("articles.db", **ItemLogTask.held(log), estimators=("snips",))
    chosen, handed = [PolicySpec("item-lin-ucb")], pickle.dumps(task.handed())
    expected = task.run_all(chosen, 0)
    del log
    hand(handed)
    try:
        (found,) = task.joined(chosen, 0, [task.run_piece(chosen, 0, 0)])
    finally:
        hand({})
    assert found.extra == expected[0].extra
