import numpy as np

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
