import numpy as np
import pytest

from hybandit import LinTS


def test_drawing_the_score_has_the_distribution_of_drawing_the_weights():
    policy = LinTS(1, 3, v=0.5, seed=1)
    generator = np.random.default_rng(0)
    for x in generator.normal(size=(20, 3)):
        policy.learn(x, 0, generator.normal())
    x = np.array([1.0, -2.0, 0.5])
    ridge = policy._estimate
    weights = generator.multivariate_normal(ridge.weights[0], 0.25 * ridge.inverse(0), 20_000)
    scores = policy.score_many(np.tile(x, (20_000, 1)))[:, 0]
    assert scores.mean() == pytest.approx((weights @ x).mean(), abs=0.02)
    assert scores.std() == pytest.approx((weights @ x).std(), rel=0.03)
