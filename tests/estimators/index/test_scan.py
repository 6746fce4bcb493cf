import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hybandit.estimators import Observations
from hybandit.estimators.index import Query, Scan


@pytest.mark.parametrize("newest_first", [False, True])
@pytest.mark.parametrize("k", [1, 7, 40, 10_000])
@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), gone=st.integers(0, 59))
def test_the_nearest_of_all_come_by_age_among_equals(newest_first, k, seed, gone):
    generator = np.random.default_rng(seed)
    observations = Observations(2, newest_first=newest_first)
    contexts = generator.integers(0, 3, size=(60, 2)).astype(float)
    for number, x in enumerate(contexts):
        observations.append(x, number % 4, number)
    for slot in generator.permutation(60)[:gone]:
        observations.discard(int(slot))
    queries = np.array([[1.0, 1.5], [0.0, 0.0]])
    near = Scan(observations).nearest_of_all(Query(queries), k)
    slots = observations.slots()[:: -1 if newest_first else 1]
    for row, query in enumerate(queries):
        expected = ((contexts[slots] - query) ** 2).sum(axis=1)
        order = np.argsort(expected, kind="stable")[:k]
        count = near.found[row]
        assert near.indices[row, :count].tolist() == slots[order].tolist()
        assert near.distances[row, :count].tolist() == expected[order].tolist()


@pytest.mark.parametrize("k", [2, 5])
def test_distances_beyond_floats_are_equal_and_go_by_age(k):
    observations = Observations(1)
    for position in (1e300, 3.0, -1e300, 1.0):
        observations.append(np.array([position]), 0, 0.0)
    near = Scan(observations).nearest_of_all(Query(np.zeros((1, 1))), k)
    assert near.indices[0, : near.found[0]].tolist() == [3, 1, 0, 2][:k]
