import numpy as np
import pytest
from scipy.stats import norm

from hybandit import LinTS


def taught(**settings):
    policy = LinTS(2, 1, seed=3, **settings)
    policy.learn([1.0], 0, 1.0)
    return policy


def test_scores_are_means_plus_drawn_multiples_of_the_width():
    draws = np.random.default_rng(3).standard_normal(2)
    expected = np.array([0.5, 0.0]) + 0.7 * draws * np.sqrt([0.5, 1.0])
    np.testing.assert_allclose(taught(v=0.7).decide([1.0]).scores, expected)


def test_probabilities_are_those_of_two_normals():
    first = norm.cdf(0.5 / (0.7 * np.sqrt(1.5)))
    told = taught(v=0.7).decide([1.0]).probabilities
    assert told == pytest.approx([first, 1 - first], abs=1e-4)


def test_without_spread_it_is_greedy():
    policy = taught(v=0.0)
    assert [policy.choose([1.0]) for _ in range(10)] == [0] * 10
    assert policy.decide([1.0]).probabilities.tolist() == [1.0, 0.0]
