import numpy as np
import pytest

import hybandit
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


def test_probabilities_stay_true_when_attention_has_left_the_played_arms():
    policy = hybandit.EnhancedLinTS(3, 2, seed=0)
    generator = np.random.default_rng(0)
    for number in range(1500):
        arm = number % 2 if number % 50 else 2
        reward = float(generator.random() < (0.6, 0.62, 0.1)[arm])
        policy.learn(generator.normal(size=2), arm, reward)
    x = np.array([0.3559, -0.6954])
    told = policy.decide(x).probabilities
    seen = np.bincount(policy.choose_many(np.tile(x, (2000, 1))), minlength=3) / 2000
    assert told == pytest.approx(seen, abs=0.03)


@pytest.mark.parametrize("kind", [hybandit.EnhancedLinTS, hybandit.EnhancedBetaThompson])
def test_long_played_arms_can_still_be_decided_on(kind):
    policy = kind(2, 1, seed=0)
    policy.learn_many(np.ones((7200, 1)), [0] * 7200, [1.0] * 7200)
    policy.decide([1.0])
