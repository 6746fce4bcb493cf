import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hybandit.estimators.tree import NeighbourTree
from hybandit.kernels import tree as kernels
from hybandit.kernels.tree import EDGES, LANES

few = settings(max_examples=60, deadline=None)


def rows_of(seed, count, width, values):
    return np.random.default_rng(seed).integers(0, values, (count, width)).astype(np.float32)


def halved(inside, column):
    median = np.sort(column)[(len(column) - 1) // 2]
    if median == column.max() and column.min() < median:
        median = column[column < median].max()
    return inside[column <= median].tolist(), inside[column > median].tolist()


@few
@given(st.integers(0, 2**32 - 1), st.integers(1, 200), st.sampled_from([1, 5, 24]),
       st.sampled_from([1, 2, 100]))  # fmt: skip
def test_a_cut_is_at_the_median_of_the_coordinate_that_varies_most(seed, count, width, values):
    rows = rows_of(seed, count, width, values)
    order = np.random.default_rng(seed).permutation(count)
    before, start, stop = order.copy(), count // 5, count
    middle = kernels.cut(rows, start, stop, order, np.empty(count, np.int64))
    inside = before[start:stop]
    own = rows[inside][:, :EDGES].astype(float)
    assert order[:start].tolist() == before[:start].tolist()
    halves = order[start:middle].tolist(), order[middle:stop].tolist()
    # Coordinates may vary equally.
    spread = own.var(axis=0)
    assert halves in [
        halved(inside, column) for column in own.T[spread >= (1 - 1e-5) * spread.max()]
    ]


@few
@given(st.integers(0, 2**32 - 1))
def test_gaps_are_squared_distances_to_boxes(seed):
    generator = np.random.default_rng(seed)
    low, high = np.sort(generator.normal(size=(2, 3, 16, LANES)).astype(np.float32), axis=0)
    queries = generator.normal(size=(2, 16)).astype(np.float32)
    sums = np.empty(LANES, np.float32)
    kernels.gaps(low, high, 2, queries, 1, sums)
    nearest = np.clip(queries[1][:, None], low[2], high[2])
    expected = ((nearest - queries[1][:, None]).astype(float) ** 2).sum(axis=0)
    np.testing.assert_allclose(sums, expected, rtol=1e-5, atol=1e-12)


def leaves_below(tree, node, parent, arm):
    """All leaves under a node, after a look at everything that must hold on the way."""
    count = tree.counts[node]
    assert 0 < count <= LANES
    assert tree.parents[node] == parent
    found = []
    for lane in range(count):
        child = tree.children[node, lane]
        if tree.levels[node] == 1:
            assert tree.owners[child] == node
            points = tree.pages[child, :EDGES, : tree.sizes[child]]
            low, high = points.min(axis=1), points.max(axis=1)
            found.append(child)
        else:
            assert tree.levels[child] == tree.levels[node] - 1
            found += leaves_below(tree, child, node, arm)
            low = tree.lows[child, :, : tree.counts[child]].min(axis=1)
            high = tree.highs[child, :, : tree.counts[child]].max(axis=1)
        np.testing.assert_array_equal(tree.lows[node, :, lane], low)
        np.testing.assert_array_equal(tree.highs[node, :, lane], high)
    return found


def assert_sound(tree, contexts, owners, present):
    """Boxes fit, every entry is in one leaf of its arm, in order, and nothing is lost."""
    seen, leaves = [], 0
    for arm, root in enumerate(tree.roots):
        if root < 0:
            continue
        for leaf in leaves_below(tree, root, -1, arm):
            leaves += 1
            slots = tree.slots[leaf, : tree.sizes[leaf]]
            assert 0 < len(slots) <= LANES
            assert (np.diff(slots) > 0).all()
            assert (owners[slots] == arm).all()
            assert (tree.leaf_of[slots] == leaf).all()
            if tree.same[leaf]:
                assert (contexts[slots] == contexts[slots[0]]).all()
            seen += slots.tolist()
    assert sorted(seen) == sorted(present)
    assert leaves + tree.free[0] == len(tree.sizes)
    used = set(range(len(tree.sizes))) - set(tree.free_leaves[: tree.free[0]].tolist())
    assert len(used) == leaves


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(100, 3_000), st.sampled_from([1, 3, 20]),
       st.sampled_from([1, 2, 1_000]))  # fmt: skip
def test_the_tree_stays_sound_while_points_come_and_go(seed, built, width, values):
    generator = np.random.default_rng(seed)
    contexts = generator.integers(0, values, (6_000, width)).astype(float)
    owners = generator.integers(0, 2, 6_000)
    arrivals = np.arange(6_000)
    part = NeighbourTree(contexts, owners, arrivals, arrivals[:built])
    assert_sound(part._tree, contexts, owners, range(built))
    present = list(range(built))
    for slot in range(built, 6_000):
        part.add(contexts, arrivals, owners[slot], slot)
        present.append(slot)
        if generator.random() < (0.2 if slot < 3_000 else 0.9):
            gone = present.pop(int(generator.integers(len(present))))
            part.discard(owners[gone], gone)
    assert_sound(part._tree, contexts, owners, present)
    for gone in present:
        part.discard(owners[gone], gone)
    assert (part._tree.roots == -1).all()
    assert part._tree.free.tolist() == [len(part._tree.sizes), len(part._tree.counts)]


@pytest.mark.parametrize("values", [1, 2, 1_000])
def test_leaves_are_about_half_full_at_least(values):
    contexts, arrivals = rows_of(0, 10_000, 5, values).astype(float), np.arange(10_000)
    tree = NeighbourTree(contexts, 0 * arrivals, arrivals, arrivals[:1])
    for slot in range(1, 10_000):
        tree.add(contexts, arrivals, 0, slot)
    assert len(tree._tree.sizes) - tree._tree.free[0] < 2.2 * 10_000 / LANES


@few
@given(st.integers(0, 2**32 - 1), st.integers(1, 1_000), st.sampled_from([1, 2, 4, 1_000]),
       st.integers(0, 40))  # fmt: skip
def test_no_more_leaves_are_made_than_allowed(seed, size, values, spare):
    generator = np.random.default_rng(seed)
    # Steep, so that cuts are uneven.
    rows = (1.5 ** generator.integers(0, values, (size, 8))).clip(0, 1e6).astype(np.float32)
    arrivals = generator.permutation(2 * size)
    slots = generator.permutation(2 * size)[:size]
    contexts = np.zeros((2 * size, 1))
    tree = NeighbourTree(contexts, 0 * arrivals, arrivals, np.arange(2 * size))._tree
    most, made = -(-size // LANES) + spare, np.empty(size, np.int64)
    count = kernels.make_leaves(
        tree, contexts, arrivals, rows, slots, np.arange(size), 0, size, most, made
    )
    assert count <= most
    stored = [tree.slots[leaf, : tree.sizes[leaf]] for leaf in made[:count]]
    assert sorted(np.concatenate(stored)) == sorted(slots)
    assert all((np.diff(arrivals[each]) > 0).all() for each in stored)
