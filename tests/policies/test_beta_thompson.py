import numpy as np
import pytest

from hybandit import BetaThompson, EnhancedBetaThompson


def test_scores_are_draws_from_the_arms_posteriors():
    policy = BetaThompson(2, a=2.0, b=3.0, seed=6)
    policy.learn_many(None, [0, 0, 1], [1.0, 0.5, 0.25])
    draws = np.random.default_rng(6).beta([2.0 + 1.5, 2.0 + 0.25], [3.0 + 0.5, 3.0 + 0.75])
    np.testing.assert_allclose(policy.decide().scores, draws)


def test_probabilities_by_hand():
    policy = BetaThompson(2, seed=0)
    policy.learn_many(None, [0, 0], [1.0, 1.0])
    assert policy.decide().probabilities == pytest.approx([3 / 4, 1 / 4], abs=1e-4)


@pytest.mark.parametrize("kind", [BetaThompson, EnhancedBetaThompson])
@pytest.mark.parametrize("a", [0.1, 1.0, 1e12])
@pytest.mark.parametrize("b", [0.1, 1.0, 1e12])
def test_probabilities_are_finite_for_all_priors(kind, a, b):
    sizes = {"n_features": 1} if kind is EnhancedBetaThompson else {}
    policy = kind(3, **sizes, a=a, b=b, seed=0)
    for number in range(4):
        probabilities = policy.decide([1.0]).probabilities
        assert probabilities.min() >= 0.0
        assert probabilities.sum() == pytest.approx(1.0)
        policy.learn([1.0], 0, number % 2)
