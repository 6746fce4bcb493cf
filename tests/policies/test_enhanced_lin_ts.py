import numpy as np

from hybandit import EnhancedLinTS


def test_scores_are_linear_plus_neighbours_plus_draws_scaled_by_attention():
    policy = EnhancedLinTS(2, 1, v=0.7, gamma=0.5, k_max=1, seed=2)
    policy.learn_many([[1.0], [1.0], [2.0]], [0, 0, 1], [1.0, 0.0, 0.5])
    shares = np.exp([-1.0, -0.5]) / np.exp([-1.0, -0.5]).sum()
    draws = np.random.default_rng(2).standard_normal(2)
    linear, local = np.array([1.0 / 3.0, 0.2]), np.array([1.0, 0.5])
    widths = np.sqrt([1.0 / 3.0, 0.2])
    expected = linear + local + 0.7 * 2 * shares * widths * draws
    np.testing.assert_allclose(policy.decide([1.0]).scores, expected)
