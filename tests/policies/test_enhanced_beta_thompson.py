import numpy as np
import pytest

from hybandit import EnhancedBetaThompson


def test_scores_are_draws_with_scaled_deviations_plus_neighbours():
    policy = EnhancedBetaThompson(2, 1, gamma=0.5, k_max=1, seed=2)
    policy.learn_many([[0.0], [0.0], [1.0]], [0, 0, 1], [1.0, 1.0, 0.5])
    first, second = np.array([3.0, 1.5]), np.array([1.0, 1.5])
    means = first / (first + second)
    shares = np.exp([-1.0, -0.5]) / np.exp([-1.0, -0.5]).sum()
    draws = np.random.default_rng(2).beta(first, second)
    expected = means + 2 * shares * (draws - means) + [1.0, 0.5]
    np.testing.assert_allclose(policy.decide([0.0]).scores, expected)


def test_probabilities_are_those_of_its_own_draws():
    policy = EnhancedBetaThompson(2, 1, gamma=0.5, k_max=1, seed=2)
    policy.learn_many([[0.0], [0.0], [1.0]], [0, 0, 1], [0.5, 0.4, 0.5])
    told = policy.decide([0.0]).probabilities
    seen = np.mean(policy.choose_many(np.zeros((20_000, 1))) == 0)
    assert told[0] == pytest.approx(seen, abs=0.015)
    assert 0.1 < told[0] < 0.9
