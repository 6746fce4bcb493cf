import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hybandit.kernels import stack

few = settings(max_examples=50, deadline=None)
seeds = st.integers(0, 2**32 - 1)
SIZES = np.array([1, 3, 5])


@pytest.mark.parametrize(
    ("value", "kept"), [(3.0, 3.0), (math.inf, 1e100), (-1e200, -1e100), (math.nan, 0.0)]
)
def test_estimates_are_cut_to_what_can_be_squared(value, kept):
    assert stack.bounded(value) == kept


def test_mixing_is_the_centre_plus_the_product_with_the_weights():
    features, weights = np.array([[1.0, 2.0], [3.0, 4.0]]), np.array([[0.5, -1.0]])
    out, bounds = np.empty(2), np.zeros(2)
    stack.mixed(features, weights, 10.0, bounds, bounds, out)
    assert out.tolist() == [8.5, 7.5]


@few
@given(seeds, st.sampled_from([1e-9, 1.0, 1e60]))
def test_mixing_what_is_unknown_gives_no_less_than_it_may_turn_out_to_be(seed, scale):
    generator = np.random.default_rng(seed)
    centre = scale * generator.normal()
    lows = scale * generator.normal(size=5)
    highs = lows + scale * generator.random(5)
    features = scale * generator.normal(size=(5, 6))
    features[:, 2:4] = generator.uniform(lows - centre, highs - centre, size=(2, 5)).T
    features[4, 2:4] = 0.0  # No entries.
    weights = generator.normal(size=(1, 6))
    hopes, values = np.empty(5), np.empty(5)
    stack.mixed(features, weights, centre, lows, highs, values)
    features[1:, 2:4] = np.nan
    stack.mixed(features, weights, centre, lows, highs, hopes)
    assert hopes[0] == values[0]
    assert (hopes >= values).all()


def test_the_leader_may_score_most_of_the_arms_allowed():
    hopes, rates = np.array([1.0, 0.5, 3.0]), np.array([0.1, 0.4, 9.0])
    reaches = np.empty(3)
    allowed = np.array([True, True, False])
    assert stack.leader(hopes, rates, np.array([2.0]), allowed, reaches) == 1
    np.testing.assert_allclose(reaches, [1.2, 1.3, 21.0])
    assert stack.leader(hopes, rates, np.array([4.0, 1.0, 1.0]), allowed, reaches) == 0
    np.testing.assert_allclose(reaches, [1.4, 0.9, 12.0])


@few
@given(st.lists(st.tuples(st.integers(-3, 3), st.booleans()), min_size=1, max_size=6))
def test_rivals_are_the_best_of_the_other_active_arms(arms):
    values = np.array([float(value) for value, _ in arms])
    active = np.array([alive for _, alive in arms])
    features = np.full((len(arms), 3), np.nan)
    stack.estimates_and_rivals(values, values, 0.0, active, features, 1)
    for arm in range(len(arms)):
        others = [values[b] for b in range(len(arms)) if active[b] and b != arm]
        assert features[arm, 1] == values[arm]
        assert features[arm, 2] == max(others, default=0.0)
    assert np.isnan(features[:, 0]).all()


@few
@given(seeds)
def test_own_means_average_as_many_neighbours_as_there_are(seed):
    generator = np.random.default_rng(seed)
    rewards = generator.normal(size=30)
    found = generator.integers(0, 6, 3)
    indices = generator.permutation(30)[:15].reshape(3, 5)
    features = np.full((3, 4), np.nan)
    wanted = generator.random(3) < 0.7
    stack.own_means(indices, found, wanted, rewards, SIZES, 0.25, features, 1)
    assert np.isnan(features[~wanted]).all()
    for arm in np.flatnonzero(wanted):
        own = rewards[indices[arm, : found[arm]]] - 0.25
        expected = [own[:k].mean() if len(own) else 0.0 for k in SIZES]
        np.testing.assert_allclose(features[arm, 1:], expected, rtol=1e-9, atol=1e-12)


@few
@given(seeds, st.lists(st.integers(0, 5), min_size=3, max_size=3), st.booleans())
def test_votes_split_what_the_neighbours_earned_by_who_earned_it(seed, found, shared):
    generator = np.random.default_rng(seed)
    rewards, owners = generator.normal(size=30), generator.integers(0, 3, 30)
    found = found[:1] if shared else found
    indices = np.array([generator.permutation(30)[:5] for _ in found])
    features = np.full((3, 7), np.nan)
    stack.votes(indices, np.array(found), owners, rewards, SIZES, 0.25, features, 1)
    for arm in range(3):
        row = 0 if shared else arm
        near = indices[row, : found[row]]
        for position, k in enumerate(SIZES):
            gains = rewards[near[:k]] - 0.25
            own = owners[near[:k]] == arm
            share = 1.0 / max(len(gains), 1)
            mine, theirs = features[arm, 1 + position], features[arm, 4 + position]
            assert mine == pytest.approx(gains[own].sum() * share, abs=1e-12)
            assert theirs == pytest.approx(gains[~own].sum() * share, abs=1e-12)


def test_estimates_are_taken_relative_to_the_centre():
    values, levels = np.array([3.0, 1.0]), np.array([0.5, 1.0])
    features = np.zeros((2, 2))
    stack.estimates_and_rivals(values, levels, 2.0, np.ones(2, bool), features, 0)
    assert features.tolist() == [[2.0, -1.0], [-1.0, 2.0]]


def test_estimates_beyond_floats_are_cut_without_a_warning():
    values, levels = np.array([1e300, -1e300]), np.array([-1e300, 1e300])
    features = np.zeros((2, 2))
    stack.estimates_and_rivals(values, levels, 1e100, np.ones(2, bool), features, 0)
    assert features.tolist() == [[1e100, -1e100], [-1e100, 1e100]]
