from collections import deque

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hybandit.estimators import Observations
from hybandit.estimators.index import Query, Scan, TreeIndex

ARMS = 3
KS = np.array([20, 0, 3])


def grid(generator, count, size):
    """Few distinct values: equal distances and equal contexts are everywhere."""
    return generator.integers(0, 3, (count, size)).astype(float)


def normal(generator, count, size):
    return generator.normal(size=(count, size))


def clusters(generator, count, size):
    return generator.normal(size=(5, size))[np.arange(count) % 5] + 0.01 * generator.normal(
        size=(count, size)
    )


def extreme(generator, count, size):
    """Sizes from 1e-100 to 1e100, zeros among them."""
    return generator.choice([-1.0, 0.0, 1.0], (count, size)) * 10.0 ** generator.uniform(
        -100, 100, (count, size)
    )


def beyond(generator, count, size):
    """Up to 1e300, as only a damaged file can bring them: squares overflow."""
    rows = generator.normal(size=(count, size))
    rows[::3] *= 10.0 ** generator.uniform(150, 300, (len(rows[::3]), 1))
    return rows


def tiny(generator, count, size):
    return 1e-100 * generator.normal(size=(count, size))


def outliers(generator, count, size):
    rows = generator.normal(size=(count, size))
    rows[::17] *= 1e6
    return rows


def offset(generator, count, size):
    """Far from zero and close together: little but rounding tells the points apart."""
    return 1e9 + 1e-7 * generator.integers(0, 9, (count, size))


def same(generator, count, size):
    return np.ones((count, size))


KINDS = [grid, normal, clusters, extreme, beyond, tiny, outliers, offset, same]


def listed(near):
    return [
        (near.distances[row, :count].tolist(), near.indices[row, :count].tolist())
        for row, count in enumerate(near.found)
    ]


def assert_as_a_scan(tree, observations, contexts):
    scan = Scan(observations)
    for ours, theirs in (
        (index.nearest_of_each_arm(Query(contexts), KS) for index in (tree, scan)),
        (index.nearest_of_all(Query(contexts), 9) for index in (tree, scan)),
    ):
        for (distances, slots), (expected, same_slots) in zip(
            listed(ours), listed(theirs), strict=True
        ):
            assert slots == same_slots
            np.testing.assert_allclose(distances, expected, rtol=1e-12)


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=15, deadline=None)
@given(
    st.integers(1, 700),
    st.integers(1, 700),
    st.sampled_from([1, 2, 9, 140]),
    st.booleans(),
    st.booleans(),
    st.integers(0, 2**32 - 1),
)
def test_the_tree_finds_what_a_scan_finds_as_observations_come_and_go(
    kind, built, changes, size, shared, newest_first, seed
):
    """Slots are used again, so that their order is not that of arrival."""
    generator = np.random.default_rng(seed)
    supply = kind(generator, 1_500, size)
    observations = Observations(size, newest_first=newest_first)

    def arrive(number):
        return observations.append(supply[number], int(generator.integers(ARMS)), 0.0)

    held = [arrive(number) for number in range(built)]
    for _ in range(min(built - 1, 50)):
        observations.discard(held.pop(int(generator.integers(len(held)))))
    tree = TreeIndex(observations)
    for number in range(built, built + changes):
        if held and generator.random() < 0.4:
            slot = held.pop(int(generator.integers(len(held))))
            tree.discard(slot)
            observations.discard(slot)
        else:
            held.append(arrive(number))
            tree.add(held[-1])
        if number % 50 == 0:
            at = generator.integers(0, 1_500, 1 if shared else ARMS)
            assert_as_a_scan(tree, observations, supply[at])
    assert_as_a_scan(tree, observations, supply[:1])
    assert tree.size == len(held) == observations.held


@pytest.mark.parametrize("kind", [grid, clusters, same])
@settings(max_examples=15, deadline=None)
@given(
    st.integers(1, 700),
    st.integers(1, 1_500),
    st.sampled_from([1, 2, 4]),
    st.sampled_from([0.0, 0.4]),
    st.integers(0, 2**32 - 1),
)
def test_a_tree_that_thins_finds_what_a_scan_finds(kind, built, changes, size, leaving, seed):
    """Observations leave in order of arrival, arm by arm."""
    generator = np.random.default_rng(seed)
    supply = np.repeat(kind(generator, 30, size), 100, axis=0)[generator.permutation(3_000)]
    observations = Observations(size, newest_first=True)
    held = [deque() for _ in range(ARMS)]

    def arrive(number):
        arm = int(generator.integers(ARMS))
        held[arm].append(observations.append(supply[number], arm, 0.0))
        return held[arm][-1]

    for number in range(built):
        arrive(number)
    tree = TreeIndex(observations, thins=True)
    for number in range(built, built + changes):
        if held[number % ARMS] and generator.random() < leaving:
            slot = held[number % ARMS].popleft()
            tree.discard(slot)
            observations.discard(slot)
        else:
            tree.add(arrive(number))
        if number % 100 == 0:
            assert_as_a_scan(tree, observations, supply[generator.integers(0, 3_000, ARMS)])
    assert_as_a_scan(tree, observations, supply[:1])
    assert tree.size == sum(map(len, held)) == observations.held


@pytest.mark.parametrize("built", [1, 20_000])
def test_a_tree_that_thins_stays_small_where_contexts_repeat(built):
    generator = np.random.default_rng(4)
    rows = generator.normal(size=(50, 3))[generator.integers(0, 50, 21_000)]
    observations = Observations(3, newest_first=True)
    slots = [observations.append(row, 0, 0.0) for row in rows[:built]]
    tree = TreeIndex(observations, thins=True)
    for row in rows[built:]:
        slots.append(observations.append(row, 0, 0.0))
        tree.add(slots[-1])
    used = len(tree._tree.free_leaves) - tree._tree.free[0]
    assert 50 <= used <= 150
    tree.nearest_of_each_arm(Query(rows[:1]), np.array([20]))
    assert tree.share < 0.02


def observed(rows, arms=None):
    observations = Observations(rows.shape[1])
    for number, row in enumerate(rows):
        observations.append(row, 0 if arms is None else int(arms[number]), 0.0)
    return observations


def grown(rows, arms=None):
    """A tree that saw one point at first and then one after the other."""
    observations = observed(rows[:1], arms)
    tree = TreeIndex(observations)
    for number, row in enumerate(rows[1:], start=1):
        tree.add(observations.append(row, 0 if arms is None else int(arms[number]), 0.0))
    return tree, observations


def at_once(rows):
    observations = observed(rows)
    return TreeIndex(observations), observations


@pytest.mark.parametrize("make", [grown, at_once])
def test_little_is_looked_at_where_the_data_have_structure(make):
    generator = np.random.default_rng(0)
    rows = generator.normal(size=(20_000, 3)) @ generator.normal(size=(3, 40))
    tree, _ = make(rows)
    tree.nearest_of_each_arm(Query(rows[:1] + 0.01), np.array([5]))
    assert tree.share < 0.05


@pytest.mark.parametrize("kind", [normal, same, outliers])
def test_many_points_in_several_nodes_are_found(kind):
    rows = kind(np.random.default_rng(3), 9_000, 5)
    tree, observations = grown(rows)
    for number in (0, 17, 4_000, 8_999):
        assert_as_a_scan(tree, observations, rows[number : number + 1] + 0.01)
    for slot in range(0, 9_000, 2):
        tree.discard(slot)
        observations.discard(slot)
    assert_as_a_scan(tree, observations, rows[:1])


def test_of_a_leaf_of_equal_contexts_only_the_oldest_are_measured():
    rows = np.ones((5_000, 4))
    tree, _ = grown(rows)
    near = tree.nearest_of_each_arm(Query(rows[:1]), np.array([7]))
    assert near.indices[0].tolist() == list(range(7))
    # Every leaf is opened, of each a point measured.
    assert tree.share < 1.2


def test_a_query_is_projected_once(monkeypatch):
    rows = np.random.default_rng(2).normal(size=(300, 2))
    tree, _ = at_once(rows)
    query = Query(rows[:1])
    tree.nearest_of_all(query, 3)
    monkeypatch.setattr(tree, "_project", None)
    assert tree.nearest_of_each_arm(query, np.array([1])).indices.tolist() == [[0]]
