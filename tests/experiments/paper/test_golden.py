"""Reports on tiny stores made by hand: a flipped sign, a wrong column or a wrong digit fails."""

import re

import numpy as np
import pytest

from hybandit import LinUCB
from hybandit.experiments import Run, environments
from hybandit.experiments.environments import NetworkTask, news_log
from hybandit.experiments.experiment import Scale
from hybandit.experiments.network_probers import largest_of
from hybandit.experiments.paper import EXPERIMENTS
from hybandit.experiments.paper.ablation import MODELS as ABLATION
from hybandit.experiments.paper.drift import FORGETFUL, LIN_UCB, STAYING
from hybandit.experiments.paper.parameters import MODELS as PARAMETERS
from hybandit.experiments.paper.regret import Place, _published_place
from hybandit.experiments.published import published
from hybandit.experiments.specs import PolicySpec

TWO = Scale(runs=2)


def findings(name, reward):
    """Every run of an experiment, its reward told by cell and seed; regret is 1,000 less that."""
    experiment = EXPERIMENTS[name]
    results = {}
    for cell in experiment.cells(TWO):
        for task in cell.tasks:
            value = reward(cell, task.seed)
            results[task.key] = Run(
                rounds=1000, reward=value, regret=1000.0 - value, seconds=1.0, at=[1, 1000],
                rewards=[0.0, value], regrets=[0.0, 1000.0 - value],
            )  # fmt: skip
    return experiment, experiment.findings(TWO, results)


def table(name, title, reward):
    experiment, found = findings(name, reward)
    (wanted,) = [each for each in experiment.section(found).tables if each.name == title]
    return {row[0]: row[1:] for row in wanted.rows}


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
     ("Adult", "LNUCB-TA", "standard"), ("Mushroom", "NeuralTS", "ordinal")],
)  # fmt: skip
def test_a_printed_regret_is_held_against_the_encoding_it_was_taken_on(data, model, encoding):
    assert _published_place(data, model) == Place(data, data.lower(), encoding)


@pytest.mark.parametrize(("contexts", "size"), [("arm", 10), ("shared", 100)])
def test_unit_contexts_of_the_news_have_unit_length(data_folder, contexts, size):
    rows = news_log(contexts, "unit").features.reshape(-1, size)
    lengths = np.linalg.norm(rows, axis=1)
    assert lengths[lengths > 0.0] == pytest.approx(1.0)
    assert np.linalg.norm(news_log(contexts, "raw").features.reshape(-1, size), axis=1).max() > 2.0


def test_a_prober_learns_shares_of_the_largest_reward_so_far(data_folder, monkeypatch):
    learned = []

    class Spy:
        def choose(self, candidates):
            return len(learned) % len(candidates)

        def learn(self, candidate, reward):
            learned.append(reward)

    class Player:
        def on_candidates(self, seed, settings):
            return Spy()

    monkeypatch.setattr(environments, "find_player", lambda name: Player())
    run = NetworkTask(budget=40).run(PolicySpec("random-node"), 0)
    rewards = np.diff([0.0, *run.rewards])
    largest = np.maximum.accumulate(np.maximum(rewards, 1.0))
    assert learned == pytest.approx((rewards / largest).tolist())
    assert max(rewards) > 1.0


def test_ties_of_two_go_to_either_as_often():
    generator = np.random.default_rng(0)
    firsts = sum(largest_of(np.array([1.0, 0.0, 1.0]), generator) == 0 for _ in range(2000))
    assert 900 < firsts < 1100
    choices = [LinUCB(2, 1, seed=seed).choose([1.0]) for seed in range(600)]
    assert 240 < sum(choices) < 360


@pytest.fixture(scope="module")
def paper(request):
    import os
    from pathlib import Path

    source = Path(os.environ.get("HYBANDIT_DATA", ".")).parent / "paper" / "LNUCB-TA.tex"
    if not source.exists():
        pytest.skip("the paper's source is not beside the data sets")
    return source.read_text()


def numbers(text):
    return [float(each) for each in re.findall(r"\d+\.\d+|\d+", text)]


def test_the_printed_regrets_are_those_of_the_paper(paper):
    start = paper.index(r"\textbf{Model} & \textbf{Adult}")
    lines = paper[start : paper.index(r"\bottomrule", start)].splitlines()
    rows = [line for line in lines if r"\pm" in line]
    assert len(rows) == len(published()["regret"])
    for line, (model, by_data) in zip(rows, published()["regret"].items(), strict=True):
        for entry, (data, printed) in zip(line.split("&")[1:], by_data.items(), strict=True):
            assert numbers(entry)[:2] == printed, f"{model} on {data}"


def test_the_printed_clicks_and_seconds_are_those_of_the_paper(paper):
    start = paper.index("Exploration Rate ($\\alpha/\\rho$) & Cumulative Reward")
    lines = paper[start : paper.index(r"\bottomrule", start)].splitlines()
    rows = [line.split("&") for line in lines if line.count("&") == 5 and "Model" not in line]
    printed = [
        [float(rate), *values]
        for by_rate in published()["news"].values()
        for rate, values in by_rate.items()
    ]
    found = [[*numbers(row[1]), *numbers(row[2]), *numbers(row[4])] for row in rows]
    assert found == printed
