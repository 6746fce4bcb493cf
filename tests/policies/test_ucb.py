import math

import numpy as np

from hybandit import UCB


def test_arms_never_pulled_come_first():
    policy = UCB(3, ties="first")
    for arm in range(3):
        assert policy.choose() == arm
        policy.learn(None, arm, 0.0)


def test_scores_by_hand():
    policy = UCB(2, rho=0.5)
    policy.learn_many(None, [0, 0, 0, 1], [1.0, 0.0, 1.0, 0.5])
    budget = 0.5 * math.log(5.0)
    expected = [2 / 3 + math.sqrt(budget / 3), 0.5 + math.sqrt(budget)]
    np.testing.assert_allclose(policy.decide().scores, expected)
