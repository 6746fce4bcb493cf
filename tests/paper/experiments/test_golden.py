"""Reports on tiny stores made by hand: a flipped sign, a wrong column or a wrong digit fails."""

from types import SimpleNamespace

import numpy as np
import pytest
from made_up import findings, table

from hybandit import LinUCB
from hybandit.datasets import EventLog
from hybandit.experiments import environments
from hybandit.experiments.environments import news_log
from hybandit.paper.experiments.ablation import MODELS as ABLATION
from hybandit.paper.experiments.drift import FORGETFUL, LIN_UCB, STAYING
from hybandit.paper.experiments.parameters import MODELS as PARAMETERS
from hybandit.paper.experiments.regret import Place, _published_place
from hybandit.paper.players.probers import largest_of


def test_a_difference_is_the_row_less_the_reference():
    found = findings("drift", lambda cell, seed: 500.0 if cell.row == LIN_UCB else 400.0 + seed)[1]
    other = FORGETFUL[LIN_UCB]
    assert found.difference(other, LIN_UCB, "linear", "reward").mean == -99.5
    assert found.difference(other, LIN_UCB, "linear", "regret").mean == 99.5


def test_the_price_of_forgetting_is_what_it_loses():
    rows = table(
        "drift", "drift-price",
        lambda cell, seed: 450.0 if cell.row in FORGETFUL.values() else 500.0,
    )  # fmt: skip
    for prices in rows.values():
        assert [price.mean for price in prices] == [pytest.approx(10.0)] * len(STAYING)


def test_the_best_setting_is_the_one_that_earns_most():
    first, *_, last = PARAMETERS["LinUCB"]
    rewards = {policy: 100.0 + place for place, policy in enumerate(PARAMETERS["LinUCB"])}
    experiment, found = findings("parameters", lambda cell, seed: rewards.get(cell.policy, 50.0))
    assert experiment.best(found, "LinUCB").policy == last != first


def test_ablation_b_has_attention_and_no_neighbours_and_c_the_other_way_round():
    assert ABLATION["a: LinUCB"][1:] == ("lin-ucb", {})
    assert ABLATION["b: with attention"][1:] == ("lin-ucb", {"rate": "attention"})
    assert ABLATION["c: with neighbours"][1:] == ("lin-knn-ucb", {})
    assert ABLATION["d: LNUCB-TA"][1:] == ("lnucb-ta", {})


@pytest.mark.parametrize(
    ("data", "model", "encoding"),
    [("Adult", "LinUCB", "ordinal"), ("MNIST", "LinUCB", "standard"),
     ("Adult", "LNUCB-TA", "standard-raw"), ("MNIST", "LNUCB-TA", "standard-raw"),
     ("Mushroom", "NeuralTS", "ordinal")],
)  # fmt: skip
def test_a_printed_regret_is_held_against_the_encoding_it_was_taken_on(data, model, encoding):
    assert _published_place(data, model) == Place(data, data.lower(), encoding)


@pytest.fixture
def made_up_log(monkeypatch):
    """Sixty events with small integers, in the place of the news log."""
    generator = np.random.default_rng(0)
    arms, clicks = generator.integers(10, size=60), generator.integers(2, size=60).astype(float)
    features = generator.integers(1, 50, size=(60, 10, 10)).astype(float)
    log = EventLog(arms, clicks, features)
    monkeypatch.setattr(
        environments, "find_dataset", lambda name: SimpleNamespace(load=lambda: log)
    )
    news_log.cache_clear()
    yield log
    news_log.cache_clear()


@pytest.mark.parametrize(("contexts", "size"), [("arm", 10), ("shared", 100)])
def test_scales_of_a_log(made_up_log, contexts, size):
    raw = made_up_log.features.reshape(-1, size)

    def scaled(scale):
        return news_log(contexts, scale).features.reshape(-1, size)

    assert np.array_equal(scaled("raw"), raw)
    lengths = np.linalg.norm(raw, axis=1, keepdims=True)
    assert scaled("unit") == pytest.approx(raw / lengths)
    assert scaled("standard") == pytest.approx((raw - raw.mean(axis=0)) / raw.std(axis=0))


@pytest.mark.parametrize(("contexts", "size"), [("arm", 10), ("shared", 100)])
def test_unit_contexts_of_the_news_have_unit_length(data_folder, contexts, size):
    rows = news_log(contexts, "unit").features.reshape(-1, size)
    lengths = np.linalg.norm(rows, axis=1)
    assert lengths[lengths > 0.0] == pytest.approx(1.0)
    assert np.linalg.norm(news_log(contexts, "raw").features.reshape(-1, size), axis=1).max() > 2.0


def test_the_spread_of_rewards_is_the_sample_s():
    rows = table("drift", "drift", lambda cell, seed: 400.0 + 20.0 * seed)
    assert all(entry.sd == pytest.approx(200.0**0.5) for row in rows.values() for entry in row)


def test_ties_of_two_go_to_either_as_often():
    generator = np.random.default_rng(0)
    firsts = sum(largest_of(np.array([1.0, 0.0, 1.0]), generator) == 0 for _ in range(2000))
    assert 900 < firsts < 1100
    choices = [LinUCB(2, 1, seed=seed).choose([1.0]) for seed in range(600)]
    assert 240 < sum(choices) < 360
