import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hybandit.kernels import stack
from hybandit.kernels.neighbours import Entries, Neighbours

few = settings(max_examples=50, deadline=None)
seeds = st.integers(0, 2**32 - 1)
ONE, NO_LEVELS = np.ones((1, 1)), np.empty((0, 0))


@pytest.mark.parametrize(
    ("value", "kept"), [(3.0, 3.0), (math.inf, 1e100), (-1e200, -1e100), (math.nan, 0.0)]
)
def test_estimates_are_cut_to_what_can_be_squared(value, kept):
    assert stack.bounded(value) == kept


def joined(features, weights, centre, weight):
    """With a share of 2."""
    return stack.joined(features, weights, centre, 2.0, weight)


@pytest.mark.parametrize(("weight", "expected"), [(0.0, 8.5), (1.0, 14.0), (0.25, 9.875)])
def test_values_are_the_centre_and_both_models_by_their_weights(weight, expected):
    features, weights = np.zeros((1, stack.WIDTH)), np.zeros((1, stack.WIDTH))
    features[0, [stack.CURVED, stack.MEAN, stack.LINEAR]] = 1.0, 2.0, 3.0
    weights[0, [stack.CURVED, stack.MEAN]] = 0.5, -1.0
    assert joined(features, weights, 10.0, weight).tolist() == [expected]


@few
@given(seeds, st.sampled_from([1e-9, 1.0, 1e60]))
def test_hopes_are_no_less_than_what_may_turn_out(seed, scale):
    generator = np.random.default_rng(seed)
    centre = scale * generator.normal()
    lows = scale * generator.normal(size=5)
    highs = lows + scale * generator.random(5)
    features = scale * generator.normal(size=(5, stack.WIDTH))
    own = slice(stack.OWN, stack.VOTES)
    features[:, own] = generator.uniform(lows - centre, highs - centre, size=(4, 5)).T
    features[4, own] = 0.0  # No entries.
    weights = generator.normal(size=(1, stack.WIDTH))
    weight = generator.choice([0.0, 0.4])
    values = joined(features, weights, centre, weight)
    known = np.arange(5) == 0
    features[~known, own] = 0.0
    hopes = joined(features, weights, centre, weight)
    stack.raise_to_hopes(features, known, weights, centre, lows, highs, weight, hopes)
    assert hopes[0] == pytest.approx(values[0], rel=1e-9)
    assert (hopes >= values).all()


def test_the_leader_may_score_most_of_the_arms_allowed():
    rates, allowed = np.array([0.1, 0.4, 9.0]), np.array([True, True, False])
    reaches = np.array([1.0, 0.5, 3.0])
    assert stack.leader(reaches, rates, 2.0, np.ones((1, 1)), allowed) == 1
    np.testing.assert_allclose(reaches, [1.2, 1.3, 21.0])
    reaches = np.array([1.0, 0.5, 3.0])
    assert stack.leader(reaches, rates, 1.0, np.array([[4.0], [1.0], [-1.0]]), allowed) == 0
    np.testing.assert_allclose(reaches, [1.4, 0.9, 12.0])


@few
@given(st.lists(st.integers(-3, 3), min_size=1, max_size=6))
def test_rivals_are_the_best_of_the_other_arms(arms):
    values = np.array(arms, float)
    features = np.full((len(arms), 3), np.nan)
    stack.estimates_and_rivals(values[:, None], NO_LEVELS, ONE, 0.0, features, 1)
    for arm in range(len(arms)):
        others = [values[b] for b in range(len(arms)) if b != arm]
        assert features[arm, 1] == values[arm]
        assert features[arm, 2] == max(others, default=0.0)
    assert np.isnan(features[:, 0]).all()


@few
@given(seeds)
def test_own_means_average_as_many_neighbours_as_there_are(seed):
    generator = np.random.default_rng(seed)
    rewards = generator.normal(size=90)
    found = generator.integers(0, 26, 3)
    indices = generator.permutation(90)[:75].reshape(3, 25)
    features = np.full((3, stack.WIDTH), np.nan)
    wanted = generator.random(3) < 0.7
    near = Neighbours(np.zeros((3, 25)), indices, found)
    stack.own_means(near, wanted, rewards, 0.25, features)
    assert np.isnan(features[~wanted]).all()
    for arm in np.flatnonzero(wanted):
        own = rewards[indices[arm, : found[arm]]] - 0.25
        expected = [own[:k].mean() if len(own) else 0.0 for k in stack.OWN_SIZES]
        means = features[arm, stack.OWN : stack.VOTES]
        np.testing.assert_allclose(means, expected, rtol=1e-9, atol=1e-12)


@few
@given(seeds, st.lists(st.integers(0, 17), min_size=3, max_size=3), st.booleans())
def test_votes_split_what_the_neighbours_earned_by_who_earned_it(seed, found, shared):
    generator = np.random.default_rng(seed)
    rewards, owners = generator.normal(size=30), generator.integers(0, 3, 30)
    found = found[:1] if shared else found
    indices = np.array([generator.permutation(30)[:17] for _ in found])
    features = np.full((3, stack.WIDTH), np.nan)
    entries = Entries(np.zeros((30, 1)), owners, rewards, np.arange(30))
    near = Neighbours(np.zeros(indices.shape), indices, np.array(found))
    stack.votes(near, entries, 0.25, features)
    for arm in range(3):
        row = 0 if shared else arm
        nearest = indices[row, : found[row]]
        for position, k in enumerate(stack.SHARED_SIZES):
            gains = rewards[nearest[:k]] - 0.25
            own = owners[nearest[:k]] == arm
            share = 1.0 / max(len(gains), 1)
            mine, theirs = features[arm, stack.VOTES :].reshape(2, -1)[:, position]
            assert mine == pytest.approx(gains[own].sum() * share, abs=1e-12)
            assert theirs == pytest.approx(gains[~own].sum() * share, abs=1e-12)


def test_estimates_are_taken_relative_to_the_centre():
    values, levels = np.array([3.0, 1.0]), np.array([0.5, 1.0])
    features = np.zeros((2, 2))
    parts = values[:, None], levels[:, None], ONE
    stack.estimates_and_rivals(*parts, 2.0, features, 0)
    assert features.tolist() == [[2.0, -1.0], [-1.0, 2.0]]


def test_estimates_beyond_floats_are_cut_without_a_warning():
    values, levels = np.array([1e300, -1e300]), np.array([-1e300, 1e300])
    features = np.zeros((2, 2))
    parts = values[:, None], levels[:, None], ONE
    stack.estimates_and_rivals(*parts, 1e100, features, 0)
    assert features.tolist() == [[1e100, -1e100], [-1e100, 1e100]]


def test_an_arms_mean_is_shrunk_and_the_constant_is_the_unit():
    features = np.zeros((3, stack.WIDTH))
    counts, means = np.array([0.0, 5.0, 95.0]), np.array([0.0, 3.0, 3.0])
    stack.levels_of_arms(counts, means, 1.0, 4.0, features)
    assert features[:, stack.MEAN].tolist() == pytest.approx([0.0, 1.0, 1.9])
    assert features[:, stack.ONE].tolist() == [4.0] * 3


def test_the_mixer_sees_features_in_units_of_the_rewards():
    features, out = np.full((2, stack.WIDTH), 6.0), np.empty((1, stack.WIDTH))
    features[1, 0] = 1e300
    stack.in_units(features, 1, 0.5, out)
    assert out[0, 0] == stack.LARGEST
    assert out[0, stack.ONE] == 1.0
    assert out[0, stack.OWN] == 12.0
