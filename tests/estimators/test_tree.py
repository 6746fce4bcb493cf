import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hybandit.estimators.tree import FAR, NeighbourTree
from hybandit.estimators.trial import FIRST_REST, TRIAL
from hybandit.kernels import neighbours

ARMS = 3
ROOMS = np.array([20, 0, 3])


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


KINDS = [grid, normal, clusters, extreme, tiny, outliers, offset, same]


def blank(n_arms, rooms):
    shape = n_arms, rooms.max()
    return np.empty(shape), np.empty(shape, np.int64), np.empty(n_arms, np.int64)


def listed(out):
    distances, indices, found = out
    return [
        (distances[arm, :count].tolist(), indices[arm, :count].tolist())
        for arm, count in enumerate(found)
    ]


def assert_as_a_scan(tree, contexts, owners, arrivals, queries):
    for trial in tree._trials.values():
        trial.rest = 0
    log = contexts, owners, arrivals
    assert_equal_lists(tree, log, queries, ROOMS, owners, together=False)
    # All of one arm: a list of the nearest of all.
    everyone = np.minimum(owners, 0)
    assert_equal_lists(tree, log, queries[:1], np.array([9]), everyone, together=True)


def assert_equal_lists(tree, log, queries, rooms, owners, together):
    contexts, _, arrivals = log
    ours, theirs = blank(len(rooms), rooms), blank(len(rooms), rooms)
    neighbours.nearest_of_each_arm(
        contexts, owners, arrivals, len(contexts), queries, rooms, *theirs
    )
    if tree.search(*log, queries, rooms, *ours, together=together):
        assert [indices for _, indices in listed(ours)] == [each for _, each in listed(theirs)]
        for (distances, _), (expected, _) in zip(listed(ours), listed(theirs), strict=True):
            np.testing.assert_allclose(distances, expected, rtol=1e-12)
    else:
        size = np.abs(queries - tree._screen.origin).max()
        assert size > tree._screen.scale


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=15, deadline=None)
@given(
    st.integers(1, 700),
    st.integers(1, 700),
    st.sampled_from([1, 2, 9, 140]),
    st.booleans(),
    st.integers(0, 2**32 - 1),
)
def test_the_tree_finds_what_a_scan_finds_as_entries_come_and_go(
    kind, built, changes, size, shared, seed
):
    """Slots are used again, so that their order is not that of arrival."""
    generator = np.random.default_rng(seed)
    supply = kind(generator, 1_500, size)
    contexts = np.zeros((800, size))
    owners, arrivals = np.full(800, -1), np.zeros(800, np.int64)
    free = generator.permutation(800).tolist()
    held = []

    def arrive(number):
        slot = free.pop()
        contexts[slot], arrivals[slot] = supply[number], number
        owners[slot] = generator.integers(ARMS)
        held.append(slot)
        return slot

    for number in range(built):
        arrive(number)
    tree = NeighbourTree(contexts, owners, arrivals, np.array(held, np.int64))
    for number in range(built, built + changes):
        if len(held) == 800 or (held and generator.random() < 0.4):
            slot = held.pop(int(generator.integers(len(held))))
            tree.discard(owners[slot], slot)
            owners[slot] = -1
            free.append(slot)
        else:
            slot = arrive(number)
            tree.add(contexts, arrivals, owners[slot], slot)
        if number % 50 == 0:
            at = generator.integers(0, 1_500, 1 if shared else ARMS)
            assert_as_a_scan(tree, contexts, owners, arrivals, supply[at])
    assert_as_a_scan(tree, contexts, owners, arrivals, supply[:1])
    assert tree.size == len(held)


def grown(rows, owners=None):
    """A tree that saw one point at first and then one after the other."""
    owners = np.zeros(len(rows), np.int64) if owners is None else owners
    arrivals = np.arange(len(rows))
    tree = NeighbourTree(rows, owners, arrivals, arrivals[:1])
    for slot in range(1, len(rows)):
        tree.add(rows, arrivals, owners[slot], slot)
    return tree


def search(tree, rows, query, room):
    owners, out = np.zeros(len(rows), np.int64), blank(1, np.array([room]))
    assert tree.search(rows, owners, np.arange(len(rows)), query, np.array([room]), *out)
    return out[1][0].tolist()


def at_once(rows):
    everything = np.arange(len(rows))
    return NeighbourTree(rows, np.zeros(len(rows), np.int64), everything, everything)


@pytest.mark.parametrize("make", [grown, at_once])
def test_few_leaves_are_opened_where_the_data_have_structure(make):
    generator = np.random.default_rng(0)
    rows = generator.normal(size=(20_000, 3)) @ generator.normal(size=(3, 40))
    tree = make(rows)
    search(tree, rows, rows[:1] + 0.01, 5)
    assert tree.opened < 0.05
    assert tree.measured < 200


def test_of_a_leaf_of_equal_contexts_only_the_oldest_are_measured():
    rows = np.ones((5_000, 4))
    tree = grown(rows)
    assert search(tree, rows, rows[:1], 7) == list(range(7))
    leaves = round(tree.opened * (len(tree._tree.sizes) - tree._tree.free[0]))
    assert tree.measured <= 8 * leaves < 5_000 / 7


def test_a_scan_takes_over_where_the_tree_does_not_pay_and_the_tree_is_tried_again():
    generator = np.random.default_rng(1)
    rows = generator.normal(size=(2_000, 64))
    owners, out = np.zeros(2_000, np.int64), blank(1, np.array([5]))
    tree = at_once(rows)
    asked = rows, owners, np.arange(2_000), rows[:1], np.array([5]), *out
    answered = [tree.search(*asked) for _ in range(2 * TRIAL + FIRST_REST)]
    assert answered == [*TRIAL * [True], *FIRST_REST * [False], *TRIAL * [True]]


def test_a_tree_of_data_that_became_much_larger_is_outgrown():
    rows = np.concatenate([np.ones((10, 2)), np.full((FAR + 100, 2), 1e9)])
    rows += np.random.default_rng(0).normal(size=rows.shape)
    arrivals = np.arange(len(rows))
    tree = NeighbourTree(rows, 0 * arrivals, arrivals, arrivals[:10])
    for slot in range(10, len(rows)):
        assert tree.outgrown == (slot - 10 > FAR + slot // 16)
        tree.add(rows, arrivals, 0, slot)
    assert tree.outgrown


def test_room_grows_with_the_points_and_their_arms():
    rows = np.random.default_rng(2).normal(size=(9_000, 2))
    tree = grown(rows, np.arange(9_000) % 300)
    assert len(tree._tree.roots) >= 300
    assert len(tree._tree.sizes) > 2 * 32
    assert tree.size == 9_000
