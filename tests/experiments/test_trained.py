import numpy as np
import pandas as pd
import pytest

import hybandit
from hybandit.datasets import open_log
from hybandit.errors import InvalidInput, ModelFileError
from hybandit.experiments import PolicySpec
from hybandit.experiments.trained import TrainedModel

COUNT = 300
GENERATOR = np.random.default_rng(0)
AGE, DRINK = GENERATOR.integers(18, 90, COUNT), GENERATOR.choice(["tea", "beer"], COUNT)
LOG = pd.DataFrame(
    {
        "age": AGE,
        "town": GENERATOR.choice(["Ulm", "Bonn"], COUNT),
        "drink": DRINK,
        "liked": ((AGE > 50) == (DRINK == "tea")).astype(int),
    }
)
ROWS = pd.DataFrame({"town": "Ulm", "age": [20, 30, 70, 80]})


def learned(policy="lin-ucb", **options):
    return TrainedModel.learned(PolicySpec(policy), open_log(LOG, "drink", "liked"), **options)


@pytest.mark.parametrize("policy", ["lin-ucb", "stacked-hybrid", "lnucb-ta"])
def test_it_decides_by_what_the_log_taught(policy):
    names = [decision.name for decision in learned(policy).decide(ROWS)]
    assert names == ["beer", "beer", "tea", "tea"]


def test_the_policy_is_one_that_learned_the_log_in_order():
    log = open_log(LOG, "drink", "liked").in_memory()
    policy = hybandit.LinUCB(arms=["beer", "tea"], n_features=log.features.shape[1], seed=3)
    for event in zip(log.features, log.arms.tolist(), log.rewards.tolist(), strict=True):
        policy.learn(*event)
    context = log.features[0]
    same = learned(seed=3).policy.decide(context)
    assert np.array_equal(same.scores, policy.decide(context).scores)


def test_a_saved_model_decides_the_same_and_deciding_teaches_nothing(tmp_path):
    model = learned("stacked-hybrid")
    model.save(tmp_path / "model.npz")
    again = TrainedModel.load(tmp_path / "model.npz")
    assert again.arms == ["beer", "tea"]
    first = [each.probabilities.tolist() for each in model.decide(ROWS)]
    assert [each.probabilities.tolist() for each in again.decide(ROWS)] == first
    assert [each.probabilities.tolist() for each in again.decide(ROWS)] == first


def test_progress_adds_up_to_the_log():
    told = []
    learned(tick=told.append)
    assert sum(told) == COUNT


def test_features_of_arms_are_laid_out_as_in_the_log():
    prices = {f"x_{arm}_price": GENERATOR.uniform(1, 9, COUNT) for arm in ("tea", "beer")}
    log = open_log(
        LOG.assign(**prices), "drink", "liked", arm_features="x_", scaling="standard-raw"
    )
    model = TrainedModel.learned(PolicySpec("lin-ucb"), log)
    row = pd.DataFrame({"x_beer_price": [2.0], "age": [30], "x_tea_price": [7.0], "town": ["Ulm"]})
    contexts = model.contexts(row)
    assert contexts.shape == (1, 2, 5)
    beer, tea = contexts[0, :, 3]
    assert beer < 0.0 < tea


def test_a_file_of_items_or_of_another_policy_is_refused(tmp_path):
    hybandit.ItemLinUCB(2, 2).save(tmp_path / "items.npz")
    with pytest.raises(ModelFileError, match="item-lin-ucb, a policy of items: files can be"):
        TrainedModel.load(tmp_path / "items.npz")
    hybandit.LinUCB(2, 2).save(tmp_path / "arms.npz")
    with pytest.raises(InvalidInput, match=r"'policy' must be that of .*, lin-ucb; got 'ucb'"):
        TrainedModel.load(tmp_path / "arms.npz", "ucb")


def test_what_does_not_fit_is_refused(tmp_path):
    with pytest.raises(InvalidInput, match="'rows' must be at least one"):
        list(learned().decide(ROWS.head(0)))
    with pytest.raises(InvalidInput, match="got none called 'town'"):
        list(learned().decide(ROWS[["age"]]))
    hybandit.LinUCB(2, 2).save(tmp_path / "plain.npz")
    with pytest.raises(ModelFileError, match="files of 'hybandit train' do"):
        TrainedModel.load(tmp_path / "plain.npz")
