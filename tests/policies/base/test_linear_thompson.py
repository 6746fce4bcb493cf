import numpy as np
import pytest

from hybandit import EnhancedLinTS, LinTS


@pytest.mark.parametrize("kind", [LinTS, EnhancedLinTS])
def test_every_choice_of_a_batch_has_draws_of_its_own(kind):
    policy = kind(2, 1, seed=0)
    shares = np.bincount(policy.choose_many(np.ones((4000, 1))), minlength=2) / 4000
    assert shares == pytest.approx([0.5, 0.5], abs=0.04)


def test_scores_of_many_are_drawn_one_by_one():
    one, many = LinTS(2, 1, seed=0), LinTS(2, 1, seed=0)
    expected = [one.decide([1.0]).scores for _ in range(5)]
    np.testing.assert_allclose(many.score_many(np.ones((5, 1))), expected)


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
