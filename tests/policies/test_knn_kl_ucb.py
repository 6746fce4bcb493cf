import math

import numpy as np

from hybandit import KNNKLUCB


def largest(mean, count, budget):
    """The largest q that the divergence allows, by halving."""
    low, high = mean, 1.0
    for _ in range(60):
        q = (low + high) / 2
        parts = ((mean, q), (1 - mean, 1 - q))
        kl = sum(a * math.log(a / b) if b > 0 else math.inf for a, b in parts if a > 0)
        low, high = (q, high) if count * kl <= budget else (low, q)
    return low


def test_the_score_at_the_surest_k_is_the_largest_mean_plus_the_price_of_distance():
    policy = KNNKLUCB(2, 1, theta=0.5, phi=0.25, unit="raw")
    contexts = [[0.0], [1.0], [3.0], [0.5], [4.0]]
    policy.learn_many(contexts, [0, 0, 0, 1, 1], [1.0, 0.0, 1.0, 0.0, 1.0])
    budget = 0.5 * math.log(6.0)
    # For every k: N_k, F_k and rho_k of either arm.
    tables = (
        [(1, 1.0, 0.0), (1, 1.0, 0.5), (2, 0.5, 1.0), (3, 2 / 3, 3.0), (3, 2 / 3, 4.0)],
        [(1, 0.0, 0.5), (1, 0.0, 1.0), (1, 0.0, 3.0), (2, 0.5, 4.0)],
    )
    expected = []
    for table in tables:
        n, mean, rho = min(table, key=lambda row: math.sqrt(budget / row[0]) + 0.25 * row[2])
        expected.append(largest(mean, n, budget) + 0.25 * rho)
    np.testing.assert_allclose(policy.decide([0.0]).scores, expected, atol=1e-8)
