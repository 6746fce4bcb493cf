import numpy as np
import pytest

from hybandit import EpsilonGreedy


def taught(**settings):
    policy = EpsilonGreedy(3, **settings)
    policy.learn_many(None, [0, 1, 1, 2], [0.4, 1.0, 0.6, 0.1])
    return policy


def test_arms_never_pulled_come_first():
    policy = EpsilonGreedy(2, epsilon=0.0)
    policy.learn(None, 0, 5.0)
    assert policy.choose() == 1


def test_without_epsilon_the_largest_mean_is_always_played():
    policy = taught(epsilon=0.0, seed=0)
    assert [policy.choose() for _ in range(20)] == [1] * 20
    np.testing.assert_allclose(policy.decide().scores, [0.4, 0.8, 0.1])


def test_epsilon_is_shared_by_all_eligible_arms():
    policy = taught(epsilon=0.3)
    assert policy.decide().probabilities == pytest.approx([0.1, 0.8, 0.1])
    masked = policy.decide(eligible=[True, False, True]).probabilities
    assert masked == pytest.approx([0.85, 0.0, 0.15])
