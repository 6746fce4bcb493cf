import math

import numpy as np
from scipy.optimize import brentq

from hybandit import KLUCB


def test_arms_never_pulled_come_first():
    policy = KLUCB(2, ties="first")
    policy.learn(None, 0, 1.0)
    assert policy.decide().scores.tolist() == [1.0, math.inf]


def test_scores_by_hand():
    policy = KLUCB(2, c=0.5)
    policy.learn_many(None, [0, 0, 0, 0, 1], [1.0, 0.0, 0.0, 0.0, 0.0])
    budget = 0.5 * math.log(6.0)
    quarter = brentq(
        lambda q: 4 * (0.25 * math.log(0.25 / q) + 0.75 * math.log(0.75 / (1 - q))) - budget,
        0.25, 1 - 1e-12,
    )  # fmt: skip
    np.testing.assert_allclose(policy.decide().scores, [quarter, 1 - math.exp(-budget)], atol=2e-9)
