import numpy as np
import pytest
from fading_twins import FadingStackedTwin
from twins import StackedTwin

from hybandit import StackedHybrid


@pytest.mark.parametrize(
    ("n_arms", "n_features", "shared", "centre"),
    [(3, 5, True, False), (4, 10, True, True), (2, 3, False, True)],
)
def test_every_choice_is_the_one_the_equations_give(follows, n_arms, n_features, shared, centre):
    policy = StackedHybrid(n_arms, n_features, seed=7, centre=centre, ties="first")
    plain = StackedTwin(n_arms, n_features, seed=7, centre=centre)
    follows(policy, plain, shared=shared)


@pytest.mark.parametrize("centre", [False, True])
@pytest.mark.parametrize(
    ("n_arms", "n_features", "shared"), [(1, 1, True), (12, 1, True), (2, 40, False)]
)
def test_every_choice_is_right_at_the_extremes(follows, n_arms, n_features, shared, centre):
    policy = StackedHybrid(n_arms, n_features, seed=7, alpha=1.0, centre=centre, ties="first")
    plain = StackedTwin(n_arms, n_features, seed=7, alpha=1.0, centre=centre)
    follows(policy, plain, shared=shared, rounds=200)


def test_rewards_may_be_any_numbers(follows):
    policy = StackedHybrid(3, 6, seed=1, ties="first")
    plain = StackedTwin(3, 6, seed=1, centre=True)
    follows(policy, plain, shared=True, rounds=500, binary=False)


def test_its_cosines_are_the_first_draws_of_its_seed():
    policy = StackedHybrid(2, 3, seed=9)
    expected = np.random.default_rng(9).normal(size=(128, 3))
    assert np.array_equal(policy._stack.cosines.directions, expected)


def test_before_any_reward_only_the_width_speaks():
    policy = StackedHybrid(2, 3, seed=0, alpha=0.3)
    x = np.array([0.6, 0.0, 0.8])
    z = policy._stack.cosines.extend(x[None])[0]
    expected = 0.3 * 2 * 0.5 * np.sqrt(z @ z / 0.1)
    np.testing.assert_allclose(policy.decide(x).scores, [expected] * 2)


@pytest.mark.parametrize("window", [None, 8])
def test_every_choice_is_right_with_forgetting(follows, window):
    memory = None if window is None else f"window({window})"
    policy = StackedHybrid(3, 4, seed=2, forget=0.97, memory=memory, ties="first")
    plain = FadingStackedTwin(3, 4, seed=2, forget=0.97, window=window)
    follows(policy, plain, shared=True, rounds=150)
