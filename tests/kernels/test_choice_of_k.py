import math

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from hybandit.kernels import choice_of_k
from hybandit.kernels.neighbours import Entries, Neighbours

quarters = st.integers(0, 8).map(lambda whole: whole / 4)


def plain(distances, owners, rewards, arm, budget, steepness):
    """Every k tried, the first of the least taken."""
    tried = []
    for k in range(1, len(distances) + 1):
        own = rewards[:k][owners[:k] == arm]
        if len(own):
            uncertainty = math.sqrt(budget / len(own)) + steepness * distances[k - 1]
            tried.append((uncertainty, float(len(own)), own.mean(), distances[k - 1]))
    return min(tried, key=lambda entry: entry[0], default=(math.inf, 0.0, 0.0, 0.0))


def stored(owners, rewards):
    return Entries(np.zeros((len(owners), 1)), owners, rewards, np.arange(len(owners)))


def surest(distances, owners, rewards, budget, steepness, n_arms):
    """(uncertainty, count, mean, distance) of each arm."""
    out = np.empty((4, n_arms))
    indices, found = np.arange(len(distances))[None], np.array([len(distances)])
    near = Neighbours(distances[None] ** 2, indices, found)
    choice_of_k.surest(near, stored(owners, rewards), budget, steepness, out)
    return [tuple(column) for column in out.T.tolist()]


@settings(max_examples=100, deadline=None)
@given(
    st.lists(st.tuples(quarters, st.integers(0, 2), quarters), max_size=20),
    st.sampled_from([0.0, 0.25, 4.0]),
    st.sampled_from([0.0, 0.5, 1.0]),
)
def test_the_surest_k_is_the_smallest_of_the_least_uncertain(entries, budget, steepness):
    entries = sorted(entries, key=lambda entry: entry[0])
    distances = np.array([entry[0] for entry in entries])
    owners = np.array([entry[1] for entry in entries], np.int64)
    rewards = np.array([entry[2] for entry in entries])
    found = surest(distances, owners, rewards, budget, steepness, n_arms=3)
    for arm in range(3):
        expected = plain(distances, owners, rewards, arm, budget, steepness)
        np.testing.assert_allclose(found[arm], expected, rtol=1e-12)


def test_of_equal_uncertainties_the_smallest_k_is_used():
    entries = np.ones(2), np.zeros(2, np.int64), np.array([1.0, 0.0])
    assert surest(*entries, 0.0, 1.0, n_arms=1) == [(1.0, 1.0, 1.0, 1.0)]
