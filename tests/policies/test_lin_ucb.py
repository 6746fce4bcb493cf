import numpy as np
import pytest
from fading_twins import FadingHybridTwin
from twins import HybridTwin

from hybandit import LinUCB

CASES = [
    (2, 1, True), (2, 1, False), (12, 40, True), (12, 40, False), (2, 40, True), (12, 1, False),
    (5, 7, True), (3, 16, False),
]  # fmt: skip


def twin(n_arms, n_features, **settings):
    return HybridTwin(n_arms, n_features, neighbours=False, target="reward", **settings)


@pytest.mark.parametrize(("n_arms", "n_features", "shared"), CASES)
@pytest.mark.parametrize("rate", ["constant", "attention"])
def test_every_choice_is_the_one_the_equations_give(follows, rate, n_arms, n_features, shared):
    settings = {"alpha": 0.7, "reg": 0.5, "kappa": 0.3}
    policy = LinUCB(n_arms, n_features, rate=rate, ties="first", **settings)
    plain = twin(n_arms, n_features, attention=rate == "attention", **settings)
    follows(policy, plain, shared=shared)


@pytest.mark.parametrize("rate", ["constant", "attention"])
def test_rewards_may_be_any_numbers(follows, rate):
    policy = LinUCB(4, 6, rate=rate, ties="first")
    follows(policy, twin(4, 6, alpha=1.0, attention=rate == "attention"), shared=True, binary=False)


def test_scores_by_hand():
    policy = LinUCB(2, 1, alpha=2.0)
    policy.learn([1.0], 0, 1.0)
    np.testing.assert_allclose(policy.decide([1.0]).scores, [0.5 + 2.0 * 0.5**0.5, 2.0])


def test_attention_scores_by_hand():
    policy = LinUCB(2, 1, alpha=2.0, rate="attention", kappa=0.25)
    policy.learn([1.0], 0, 1.0)
    own = 2.0 / 2 * (0.25 * 0.5 + 0.75 * 1.0)
    other = 2.0 / 1 * 0.25 * 0.5
    np.testing.assert_allclose(policy.decide([1.0]).scores, [0.5 + own * 0.5**0.5, other])


def test_every_choice_is_right_with_forgetting(follows):
    plain = FadingHybridTwin(4, 6, neighbours=False, forget=0.97)
    policy = LinUCB(4, 6, rate="attention", forget=0.97, ties="first")
    follows(policy, plain, shared=True, rounds=300)
