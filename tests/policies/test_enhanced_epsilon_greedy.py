import math

import numpy as np
import pytest

from hybandit import EnhancedEpsilonGreedy


def test_scores_are_means_plus_neighbours():
    policy = EnhancedEpsilonGreedy(3, 1, epsilon=0.0)
    policy.learn_many([[0.0], [1.0], [5.0]], [0, 0, 1], [1.0, 1.0, 0.5])
    assert policy.decide([0.0]).scores.tolist() == [2.0, 1.0, math.inf]


def test_exploration_fades_with_the_attention_of_the_greedy_arm():
    policy = EnhancedEpsilonGreedy(2, 1, epsilon=0.4, gamma=0.5, k_max=1)
    policy.learn_many([[0.0]] * 4, [0, 0, 0, 1], [1.0, 1.0, 1.0, 0.0])
    share = math.exp(-0.5 * 3) / (math.exp(-0.5 * 3) + math.exp(-0.5 * 1))
    explore = 0.4 * 2 * share
    assert policy.decide([0.0]).probabilities == pytest.approx([1 - explore / 2, explore / 2])


def test_it_explores_at_most_always():
    policy = EnhancedEpsilonGreedy(2, 1, epsilon=1.0, gamma=5.0)
    policy.learn_many([[0.0]] * 3, [0, 0, 1], [0.0, 0.0, 1.0])
    assert policy.decide([0.0]).probabilities == pytest.approx([0.5, 0.5])


def test_equally_played_arms_are_explored_as_by_the_plain_policy():
    policy = EnhancedEpsilonGreedy(2, 1, epsilon=0.3)
    policy.learn_many([[0.0], [0.0]], [0, 1], [1.0, 0.0])
    np.testing.assert_allclose(policy.decide([0.0]).probabilities, [0.85, 0.15])
