import warnings

import numpy as np
import pandas as pd
import pytest
from evaluation.item_logs import known_item_log

import hybandit
from hybandit.datasets import EventLog, find_dataset
from hybandit.errors import DataFileError, InvalidInput, UnknownName


def drinks(count=1500):
    generator = np.random.default_rng(0)
    age, shown = generator.integers(18, 90, count), generator.choice(["tea", "beer"], count)
    clicked = ((age > 50) == (shown == "tea")).astype(int)
    return pd.DataFrame({"age": age, "shown": shown, "clicked": clicked, "p": 0.5})


COLUMNS = {"arm": "shown", "reward": "clicked", "propensity": "p"}


def test_a_table_is_compared_in_one_call_the_same_by_name_and_by_class():
    people = drinks()[["age", "clicked"]].assign(old=lambda rows: rows["age"] > 50)
    found = hybandit.compare(people, "old", ["lin-ucb", hybandit.UCB], runs=2, rounds=300).runs
    assert found["policy"].tolist() == ["lin-ucb"] * 2 + ["ucb"] * 2
    assert found["run"].tolist() == [0, 1, 0, 1]
    assert (found["reward"] + found["regret"] == 300).all()
    again = hybandit.compare(people, "old", [hybandit.LinUCB, "UCB"], runs=2, rounds=300).runs
    assert again["regret"].tolist() == found["regret"].tolist()
    with pytest.raises(DataFileError, match=r"by label=\.\.\.; there are"):
        hybandit.compare(people)


@pytest.mark.parametrize("encoding", ["standard", "standard-raw", "online"])
def test_a_border_far_from_the_mean_of_the_only_column_is_learned(encoding):
    people = drinks()[["age"]].assign(old=lambda rows: rows["age"] > 70)
    found = hybandit.compare(people, "old", "lin-ucb", runs=1, encoding=encoding)
    guess = people["old"].sum()
    assert found.table["regret"].item() < 0.4 * guess


def test_a_log_is_evaluated_in_one_call_and_a_policy_given_stays_as_it_is():
    policy = hybandit.LinUCB(2, 2, seed=0)
    found = hybandit.evaluate(drinks(), policy, **COLUMNS).table
    assert found["estimator"].tolist() == ["ips", "snips", "doubly-robust"]
    assert (found["low"] <= found["value"]).all()
    assert (found["value"] <= found["high"]).all()
    assert found["value"].min() > 0.8
    assert policy.statistics.counts.sum() == 0
    named = hybandit.evaluate(drinks(), "lin-ucb", **COLUMNS).table
    assert named["value"].tolist() == found["value"].tolist()
    with pytest.raises(DataFileError, match="which column holds the arm"):
        hybandit.evaluate(drinks(), "lin-ucb", reward="clicked")


def test_rows_that_cannot_be_used_are_warned_of_and_listed():
    people = drinks().assign(age=lambda rows: rows["age"].astype(object))
    people.loc[7, "age"] = "old"
    with pytest.warns(
        hybandit.EvaluationWarning, match="1 row set aside: age: 'old' is not a number"
    ):
        found = hybandit.compare(people, "shown", "ucb", runs=1, rounds=50)
    assert found.set_aside["line"].tolist() == [7]
    with pytest.warns(hybandit.EvaluationWarning, match="1 row set aside"):
        found = hybandit.evaluate(people, "ucb", estimators=["ips"], **COLUMNS)
    assert found.set_aside["reason"].tolist() == ["age: 'old' is not a number"]


@pytest.mark.parametrize("wanted", [hybandit.ItemHybrid, hybandit.ItemHybrid(2, 2), 5, [5]])
@pytest.mark.parametrize("ask", [hybandit.compare, hybandit.evaluate])
def test_what_is_no_policy_of_arms_is_refused(ask, wanted):
    with pytest.raises(InvalidInput, match="'policies' must be names, classes or policies, all of"):
        ask(drinks(), policies=wanted)
    with pytest.raises(InvalidInput, match="one that chooses arms"):
        ask(drinks(), policies="item-hybrid")


def test_one_estimator_need_not_be_a_list_and_no_policy_is_refused():
    found = hybandit.evaluate(drinks(), "ucb", estimators="snips", **COLUMNS).table
    assert found["estimator"].tolist() == ["snips"]
    with pytest.raises(InvalidInput, match="'policies' must be at least one"):
        hybandit.compare(drinks(), "shown", [])


def test_a_log_by_name_is_replayed_as_the_command_does(data_folder):
    found = hybandit.compare("news", policies="ucb", runs=1)
    assert found.runs["rounds"].tolist() == [800]
    assert found.runs["regret"].isna().all()
    assert "reward of" in found.verdict


def test_a_misspelt_name_is_told_before_options_that_are_not_for_names(tmp_path):
    with pytest.raises(UnknownName, match="did you mean 'digits'"):
        hybandit.compare("digit", "bought", "ucb")
    with pytest.raises(InvalidInput, match="'label' must be left out"):
        hybandit.compare("digits", "bought", "ucb")
    with pytest.raises(UnknownName, match="did you mean 'news'"):
        hybandit.evaluate("new", "ucb", arm="shown")
    with pytest.raises(DataFileError, match="is a folder"):
        hybandit.evaluate(str(tmp_path), "ucb", arm="shown", reward="clicked")


def test_a_log_that_cannot_judge_other_choices_is_warned_of_first():
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = hybandit.evaluate(drinks().assign(p=1.0), "ucb", **COLUMNS)
    assert found.notes[0] in {str(warning.message) for warning in caught}
    assert found.notes[0].startswith("the log cannot judge other choices")


def test_propensities_are_estimated_once_for_all_policies_and_only_where_they_are_needed():
    log = drinks().drop(columns="p")
    for estimators, times in (("ips", 1), (["replay", "snips"], 1), ("replay", 0), ("direct", 0)):
        with warnings.catch_warnings(record=True):
            warnings.simplefilter("always")
            found = hybandit.evaluate(
                log, ["lin-ucb", "ucb"], arm="shown", reward="clicked", estimators=estimators
            )
        notes = found.notes
        assert [note.startswith("the log has no") for note in notes if "ESTIMATED" in note] == [
            True
        ] * times


@pytest.mark.parametrize("name", ["lin-ucb:alpha=0.1", "epsilon-greedy"])
def test_ips_of_frozen_policies_agrees_with_replay_on_the_news(data_folder, name):
    log = find_dataset("news").load()
    half = len(log) // 2
    train, test = (
        EventLog(log.arms[part], log.rewards[part], log.features[part], log.propensities[part])
        for part in (slice(half), slice(half, None))
    )
    kind, _, settings = name.partition(":")
    options = {"alpha": 0.1} if settings else {}
    policy = hybandit.make_policy(kind, 10, 10, seed=0, **options)
    policy.learn_many(train.features, train.arms, train.rewards)
    found = hybandit.evaluate(test, policy, estimators=["replay", "ips"], learn="nothing")
    first, second = found.table.to_dict("records")
    assert first["learned_from"] == second["learned_from"] == "nothing"
    assert max(first["low"], second["low"]) <= min(first["high"], second["high"])


def test_a_log_of_items_is_evaluated_in_one_call():
    log = known_item_log(900, seed=0)
    wanted = ["item-lin-ucb:alpha=0.1", hybandit.ItemHybrid]
    found = hybandit.evaluate(log, wanted, estimators=["snips", "switch"]).table
    assert found["policy"].tolist() == [*["item-lin-ucb:alpha=0.1"] * 2, *["item-hybrid"] * 2]
    assert found["estimator"].tolist() == ["snips", "switch"] * 2
    assert (found["low"] <= found["value"]).all()
    assert found["events"].tolist() == [900] * 4
    for wrong in ("lin-ucb", hybandit.LinUCB, hybandit.LinUCB(2, 2)):
        with pytest.raises(InvalidInput, match="of items"):
            hybandit.evaluate(log, wrong)
    with pytest.raises(InvalidInput, match="all of arms"):
        hybandit.evaluate(drinks(), hybandit.ItemHybrid, **COLUMNS)


@pytest.mark.parametrize(
    ("sizes", "told"), [((3, 2), "one of 2 arms"), ((2, 5), "one of 2 features, as the log has")]
)
def test_a_policy_of_other_sizes_is_refused(sizes, told):
    with pytest.raises(InvalidInput, match=told):
        hybandit.evaluate(drinks(), hybandit.LinUCB(*sizes), **COLUMNS)
