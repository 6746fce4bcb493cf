import numpy as np
import pytest

from hybandit import NeuralEpsilonGreedy
from hybandit.errors import InvalidInput


def rounds_that_train(policy, count):
    """After which rewards the network changed."""
    found = []
    x = np.array([0.6, 0.8])
    for number in range(1, count + 1):
        before = policy._network.weights.copy()
        policy.learn(x, number % 2, number % 3 / 2.0)
        if not np.array_equal(before, policy._network.weights):
            found.append(number)
    return found


def test_fast_trains_every_fifty_rounds_and_oftener_early_on():
    policy = NeuralEpsilonGreedy(2, 2, hidden=4, steps=1, seed=0)
    found = rounds_that_train(policy, 700)
    assert found[:24] == [*range(1, 20), 20, 22, 24, 26, 28]
    assert [number for number in found if number >= 100][:4] == [100, 110, 120, 130]
    assert [number for number in found if number >= 500] == [500, 550, 600, 650, 700]


def test_published_trains_after_every_round():
    policy = NeuralEpsilonGreedy(2, 2, hidden=4, schedule="published", seed=0)
    assert rounds_that_train(policy, 12) == list(range(1, 13))


def test_a_setting_wins_over_the_schedule():
    policy = NeuralEpsilonGreedy(
        2, 2, train_every=3, steps=7, learning_rate=0.3, momentum=0.0, seed=0
    )
    plan = policy._plan
    assert (plan.train_every, plan.steps, plan.learning_rate, plan.momentum) == (3, 7, 0.3, 0.0)
    assert plan.batch == 512


@pytest.mark.parametrize(
    "setting",
    [{"schedule": "slow"}, {"steps": 0}, {"steps": 2**62}, {"momentum": 1.0},
     {"learning_rate": 0.0}, {"hidden": 0}],
)  # fmt: skip
def test_bad_settings_are_refused_by_name(setting):
    with pytest.raises(InvalidInput, match=next(iter(setting))):
        NeuralEpsilonGreedy(2, 2, **setting)
