import numpy as np
import pytest
from twins import HybridTwin

from hybandit import LinKNNUCB


@pytest.mark.parametrize(
    ("n_arms", "n_features", "shared", "k_max"),
    [(2, 1, True, 5), (12, 40, True, 5), (12, 1, False, 50), (2, 40, False, 50), (5, 7, True, 50)],
)
def test_every_choice_is_the_one_the_equations_give(follows, n_arms, n_features, shared, k_max):
    settings = {"alpha": 0.3, "reg": 2.0, "k_max": k_max}
    policy = LinKNNUCB(n_arms, n_features, ties="first", **settings)
    plain = HybridTwin(
        n_arms, n_features, neighbours=True, target="reward", attention=False, **settings
    )
    follows(policy, plain, shared=shared)


def test_rewards_may_be_any_numbers(follows):
    policy = LinKNNUCB(4, 6, ties="first")
    plain = HybridTwin(4, 6, alpha=1.0, neighbours=True, target="reward", attention=False)
    follows(policy, plain, shared=True, binary=False)


def test_scores_by_hand():
    policy = LinKNNUCB(2, 1, alpha=2.0)
    policy.learn([1.0], 0, 1.0)
    np.testing.assert_allclose(policy.decide([1.0]).scores, [0.5 + 1.0 + 2.0 * 0.5**0.5, 2.0])
