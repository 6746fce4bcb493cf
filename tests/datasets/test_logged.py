import re

import numpy as np
import pandas as pd
import pytest
from messy import read_log

from hybandit import LinUCB
from hybandit.datasets import find_dataset
from hybandit.errors import DataFileError, InvalidInput, UnknownName
from hybandit.evaluation import evaluate

COUNT = 60
GENERATOR = np.random.default_rng(0)
FRAME = pd.DataFrame(
    {
        "age": GENERATOR.integers(18, 90, COUNT),
        "arm": ["tea", "beer", "wine"] * 20,
        "paid": GENERATOR.random(COUNT),
        "p": np.full(COUNT, 0.5),
    }
)


def changed(name, places, value):
    column = FRAME[name].astype(object)
    column[places] = value
    return FRAME.assign(**{name: column})


@pytest.mark.parametrize(
    ("name", "value", "reason"),
    [
        ("p", 0.0, "p: 0 is not above 0 and at most 1"),
        ("p", 1.5, "p: 1.5 is not above 0 and at most 1"),
        ("p", None, "no value in 'p'"),
        ("paid", "much", "paid: 'much' is not a number"),
        ("arm", None, "no arm in 'arm'"),
    ],
)
def test_a_row_that_cannot_be_used_is_counted_and_many_are_an_error(name, value, reason):
    log, reading = read_log(changed(name, [4, 9], value), "arm", "paid", propensity="p")
    assert [row.line for row in reading.set_aside] == [4, 9]
    assert reading.set_aside[0].reason.replace("nan", "None") == reason
    assert len(log) == COUNT - 2
    with pytest.raises(DataFileError, match="more than 20%"):
        read_log(changed(name, range(20), value), "arm", "paid", propensity="p")


def test_rewards_that_are_text_are_refused():
    frame = FRAME.assign(paid=["yes", "no"] * 30)
    with pytest.raises(
        DataFileError, match=r"must hold numbers \(reward=\.\.\.\), such as 1 and 0; it"
    ):
        read_log(frame, "arm", "paid")


def test_rewards_may_be_true_and_false():
    log, _ = read_log(FRAME.assign(paid=[True, False] * 30), "arm", "paid", propensity="p")
    assert log.rewards.tolist() == [1.0, 0.0] * 30


@pytest.mark.parametrize(
    ("values", "told"),
    [
        (["tea"] * COUNT, r"always holds 'tea': .* arm=\.\.\."),
        (GENERATOR.normal(size=COUNT), "holds real numbers"),
        (range(COUNT), "has 60 different values in 60 rows"),
    ],
)
def test_a_column_that_cannot_be_the_arm_is_refused(values, told):
    with pytest.raises(DataFileError, match=told):
        read_log(FRAME.assign(arm=values), "arm", "paid", propensity="p")


def test_without_arm_or_reward_the_columns_are_named():
    missing = {
        (): "arm=... and reward=...",
        (None, "paid"): "arm=...",
        ("arm",): "reward=...",
    }
    for names, arguments in missing.items():
        with pytest.raises(
            DataFileError, match=f"give {re.escape(arguments)}; there are age, arm, paid"
        ):
            read_log(FRAME, *names)


def test_a_column_that_is_not_there_is_suggested():
    with pytest.raises(
        UnknownName, match=r"no column 'pade'; did you mean 'paid'\? \(reward=\.\.\.\)"
    ):
        read_log(FRAME, "arm", "pade")


def test_what_was_decided_and_paid_is_no_feature():
    _, reading = read_log(FRAME, "arm", "paid", propensity="p")
    assert reading.encoder.columns == ("age",)


def test_arms_may_have_features_of_their_own():
    prices = {f"x_{arm}_price": GENERATOR.random(COUNT) for arm in ("tea", "beer", "wine")}
    frame = FRAME.assign(**prices)
    log, reading = read_log(frame, "arm", "paid", propensity="p", arm_features="x_", scaling="raw")
    assert log.features.shape == (COUNT, 3, 2)
    assert reading.encoder.columns == ("age", "x_price")
    for place, arm in enumerate(log.names):
        assert log.features[:, place, 1].tolist() == frame[f"x_{arm}_price"].tolist()
        assert log.features[:, place, 0].tolist() == frame["age"].tolist()


def test_features_of_arms_that_do_not_fit_are_refused():
    with pytest.raises(DataFileError, match="no column begins with 'z_'"):
        read_log(FRAME, "arm", "paid", arm_features="z_")
    with pytest.raises(
        DataFileError, match="arm 'tea' has a column 'x_tea_price', arm 'beer' has none"
    ):
        read_log(FRAME.assign(x_tea_price=1.5), "arm", "paid", arm_features="x_")
    with pytest.raises(DataFileError, match="'x_milk_price' names no arm"):
        read_log(FRAME.assign(x_milk_price=1.5), "arm", "paid", arm_features="x_")


def test_the_news_log_as_a_table_earns_the_known_clicks(data_folder, tmp_path):
    news = find_dataset("news").load()
    names = [f"x_{arm}_{place}" for arm in range(1, 11) for place in range(10)]
    frame = pd.DataFrame(news.features.reshape(len(news), -1), columns=names)
    frame["article"], frame["clicked"] = news.arms + 1, news.rewards
    frame["chance"] = 0.1
    path = tmp_path / "news.csv"
    frame.to_csv(path, index=False)
    log, _ = read_log(
        path, "article", "clicked", propensity="chance", arm_features="x_", scaling="raw"
    )
    for alpha, clicks in [(0.01, 584), (0.1, 567), (1, 424), (10, 98)]:
        policy = LinUCB(10, 10, alpha=alpha, ties="first")
        found = evaluate(policy, log, by=["replay"], matches=800).estimates[0]
        assert (found.rows, round(found.value * 800)) == (800, clicks)


def test_an_encoder_of_another_scaling_is_refused():
    with pytest.raises(InvalidInput, match="scaling"):
        read_log(FRAME, "arm", "paid", scaling="huge")


def test_kinds_and_drops_overrule_the_features_of_arms_too():
    columns = {
        f"x_{arm}_{name}": GENERATOR.integers(1, 4, COUNT)
        for arm in ("tea", "beer", "wine")
        for name in ("size", "price")
    }
    options = {"kinds": {"x_tea_size": "category"}, "drop": ["x_wine_price"]}
    _, reading = read_log(FRAME.assign(**columns), "arm", "paid", arm_features="x_", **options)
    told = {each.name: (each.role, each.kind) for each in reading.columns}
    assert told["x_size"] == ("feature", "category")
    assert told["x_price"] == ("dropped", "dropped")


def test_a_shared_column_may_be_called_as_a_feature_of_arms():
    prices = {f"x_{arm}_age": GENERATOR.random(COUNT) for arm in ("tea", "beer", "wine")}
    log, reading = read_log(FRAME.assign(**prices), "arm", "paid", arm_features="x_", scaling="raw")
    assert reading.encoder.columns == ("age", "x_age")
    assert log.features[:, 0, 0].tolist() == FRAME["age"].tolist()


def test_a_log_without_features_can_tell_which_arm_pays():
    log, reading = read_log(FRAME[["arm", "paid"]], "arm", "paid")
    assert log.features.tolist() == [[1.0]] * COUNT
    assert "no column to learn from" in reading.notes[0]
    with pytest.raises(DataFileError, match="no column to learn from: no other"):
        read_log(FRAME[["arm", "paid"]], "arm", "paid", scaling="raw")


def test_a_propensity_that_nobody_named_is_no_feature_unless_asked_for():
    frame = FRAME.assign(p=GENERATOR.uniform(0.1, 0.9, COUNT))
    _, reading = read_log(frame, "arm", "paid")
    assert reading.encoder.columns == ("age",)
    assert reading.notes == ("if 'p' is the probability of the chosen arm, give propensity='p'",)
    _, reading = read_log(frame, "arm", "paid", kinds={"p": "number"})
    assert reading.encoder.columns == ("age", "p")
    _, reading = read_log(frame.assign(p=frame["p"] * 10), "arm", "paid")
    assert reading.encoder.columns == ("age", "p")


@pytest.mark.parametrize(
    "name",
    ["prob_shown", "shown_prob", "p_shown", "action_prob", "logging-prob", "Shown Probability",
     "shownProb", "actionP", "logPScore", "PROB", "propensity_score"],
)  # fmt: skip
def test_a_propensity_is_known_by_any_word_of_its_name(name):
    chances = pd.Series(GENERATOR.uniform(0.1, 0.9, COUNT))
    chances[3] = None
    _, reading = read_log(FRAME.drop(columns="p").assign(**{name: chances}), "arm", "paid")
    assert reading.encoder.columns == ("age",)
    assert f"give propensity={name!r}" in reading.notes[0]


@pytest.mark.parametrize(
    "name", ["problem", "price", "step", "probe_depth", "improbable", "p1", "P1"]
)
def test_words_that_only_begin_like_one_of_a_propensity_are_features(name):
    frame = FRAME.drop(columns="p").assign(**{name: GENERATOR.uniform(0.1, 0.9, COUNT)})
    _, reading = read_log(frame, "arm", "paid")
    assert reading.encoder.columns == ("age", name)


def test_what_is_called_like_a_propensity_but_is_none_is_a_feature():
    towns = FRAME.drop(columns="p").assign(p_town=["Ulm", "Bonn"] * 30)
    assert read_log(towns, "arm", "paid")[1].encoder.columns == ("age", "p_town")
    prices = {f"p_{arm}_price": GENERATOR.random(COUNT) for arm in ("tea", "beer", "wine")}
    frame = FRAME.drop(columns="p").assign(**prices)
    _, reading = read_log(frame, "arm", "paid", arm_features="p_")
    assert (reading.encoder.columns, reading.notes) == (("age", "p_price"), ())
