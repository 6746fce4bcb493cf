import numpy as np
import pytest
from fading_twins import FadingHybridTwin
from twins import HybridTwin

import hybandit
from hybandit import LNUCBTA


@pytest.mark.parametrize("target", ["residual", "reward"])
@pytest.mark.parametrize(
    ("n_arms", "n_features", "shared", "k_max"),
    [(2, 1, True, 5), (12, 40, True, 5), (12, 1, False, 50), (2, 40, False, 50), (5, 7, True, 50)],
)
def test_every_choice_is_the_one_the_equations_give(
    follows, target, n_arms, n_features, shared, k_max
):
    settings = {"alpha": 1.5, "reg": 0.5, "kappa": 0.3, "k_max": k_max, "target": target}
    policy = LNUCBTA(n_arms, n_features, ties="first", **settings)
    plain = HybridTwin(n_arms, n_features, neighbours=True, attention=True, **settings)
    follows(policy, plain, shared=shared)


@pytest.mark.parametrize("target", ["residual", "reward"])
def test_rewards_may_be_any_numbers(follows, target):
    policy = LNUCBTA(4, 6, target=target, ties="first")
    plain = HybridTwin(4, 6, alpha=1.0, neighbours=True, attention=True, target=target)
    follows(policy, plain, shared=True, binary=False)


def test_two_rounds_by_hand():
    policy = LNUCBTA(2, 1, alpha=1.0, kappa=0.5)
    assert policy.decide([2.0]).scores.tolist() == [0.0, 0.0]
    policy.learn([2.0], 0, 1.0)
    rate = 1.0 / 2.0 * (0.5 * 0.5 + 0.5 * 1.0)
    first = 0.4 * 2.0 + 1.0 + rate * 2.0 * 0.2**0.5
    second = 0.5 * 0.5 * 2.0
    np.testing.assert_allclose(policy.decide([2.0]).scores, [first, second])
    policy.learn([2.0], 0, 0.5)
    weight = (2.0 * 1.0 + 2.0 * (0.5 - 1.0)) / 9.0
    np.testing.assert_allclose(policy._estimate.linear.weights[0, 0], weight)


def test_gamma_narrows_the_widths_by_the_distance_to_the_neighbours():
    policy = LNUCBTA(1, 1, gamma=0.5)
    policy.learn([1.0], 0, 1.0)
    policy.learn([3.0], 0, 1.0)
    inverse = policy._estimate.linear.inverse(0)[0, 0]
    assert inverse == pytest.approx(1.0 / (1.0 + 1.0 + 9.0 + 0.5 * 2.0**2))


def test_gamma_bears_large_contexts():
    policy = hybandit.LNUCBTA(2, 2, gamma=0.1)
    policy.learn([1e9, 1e9], 0, 1.0)
    assert np.isfinite(policy.decide([1.0, 1.0]).scores).all()


@pytest.mark.parametrize(
    "settings", [{"window": 6}, {"forget": 0.95}, {"forget": 0.98, "window": 6}], ids=str
)
def test_every_choice_is_right_with_a_window_and_with_forgetting(follows, settings):
    plain = FadingHybridTwin(3, 4, neighbours=True, k_max=20, **settings)
    window, forget = settings.get("window"), settings.get("forget")
    memory = None if window is None else hybandit.window(window)
    policy = LNUCBTA(3, 4, k_max=20, memory=memory, forget=forget, ties="first")
    follows(policy, plain, shared=True, rounds=300)


def test_an_arm_left_behind_wakes_up_when_it_is_forgotten():
    awake, asleep = LNUCBTA(2, 1, forget=0.99), LNUCBTA(2, 1)
    for policy in (awake, asleep):
        for _ in range(20):
            policy.learn([1.0], 0, 0.2)
        for _ in range(2000):
            policy.learn([1.0], 1, 0.5)
    rates = [policy._rates()[0] for policy in (awake, asleep)]
    assert rates[0] > 10 * rates[1]
