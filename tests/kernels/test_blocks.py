import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hybandit.kernels import blocks as kernels
from hybandit.kernels.neighbours import all_distances

many = settings(max_examples=100, deadline=None)


def in_blocks(points, owned):
    blocks = np.full(
        (-(-len(points) // kernels.LANES) + 1, points.shape[1], kernels.LANES), np.nan, np.float32
    )
    return blocks, kernels.put(blocks, np.asarray(owned, np.int64), points)


def searched(points, owned, arrivals, queries, room):
    """Of each query: slots, and squared distances."""
    rows = len(queries)
    out = np.empty((rows, room)), np.empty((rows, room), np.int64), np.empty(rows, np.int64)
    blocks, longest = in_blocks(points, owned)
    if not kernels.nearest(blocks, points, arrivals, len(points), queries, longest, *out):
        return None
    return [
        (slots[:count].tolist(), squares[:count].tolist())
        for squares, slots, count in zip(*out, strict=True)
    ]


@many
@given(
    seed=st.integers(0, 2**32 - 1),
    size=st.integers(1, 3000),
    width=st.sampled_from([1, 3, 4, 20, 130]),
    room=st.integers(1, 150),
    scale=st.sampled_from([1e-120, 1e-30, 1e-20, 1.0, 1e15, 1e30]),
    kind=st.sampled_from(["grid", "far from zero", "sample misleads", "plain"]),
    holes=st.booleans(),
)
def test_the_nearest_are_those_of_a_stable_sort(seed, size, width, room, scale, kind, holes):
    generator = np.random.default_rng(seed)
    points = generator.normal(size=(size, width))
    queries = generator.normal(size=(2, width))
    if kind == "grid":
        points, queries = points.round(), queries.round()
    elif kind == "far from zero":
        points, queries = 1e6 + 1e-3 * points, 1e6 + 1e-3 * queries
    elif kind == "sample misleads":
        points[:: kernels.SAMPLED] *= 50.0
    points, queries = scale * points, scale * queries
    arrivals = generator.permutation(size) if holes else np.arange(size)
    owned = np.flatnonzero(generator.random(size) < 0.8) if holes else np.arange(size)
    oldest_first = owned[np.argsort(arrivals[owned])]
    squares = np.empty(size)
    for row, found in enumerate(searched(points, owned, arrivals, queries, room)):
        all_distances(points, queries[row : row + 1], squares)
        expected = oldest_first[np.argsort(squares[oldest_first], kind="stable")][:room]
        assert found == (expected.tolist(), squares[expected].tolist())


def test_only_few_are_measured():
    points = np.random.default_rng(0).normal(size=(6400, 8))
    blocks, _ = in_blocks(points, range(6400))
    squares = np.empty(6400, np.float32)
    kernels.rough_squares(blocks, points, 0, squares)
    near = np.empty(6400, np.int64)
    assert 100 <= kernels.candidates(squares, 6400, 100, 1.0 + 1e-5, 1e-6, near) < 400


@pytest.mark.parametrize("where", ["entry", "query"])
def test_what_is_beyond_single_precision_is_said_to_be(where):
    points, queries = np.ones((3, 2)), np.ones((1, 2))
    (points if where == "entry" else queries)[0] = 1e39
    assert searched(points, range(3), np.arange(3), queries, 1) is None


numbers = st.floats(0.0, 1e200)
values = st.one_of(
    st.lists(numbers, max_size=60),
    st.lists(st.integers(0, 4).map(float), max_size=200),
    st.lists(st.sampled_from([0.0, 5e-324, 1e-300, 1.0]), max_size=100),
)


@many
@given(values)
def test_ranked_is_a_stable_argsort(given):
    array = np.array(given)
    assert kernels.ranked(array).tolist() == np.argsort(array, kind="stable").tolist()


@pytest.mark.parametrize("skew", [False, True])
def test_many_are_ranked_in_bins_or_not(skew):
    array = np.random.default_rng(0).random(5000)
    array[7] = 1e30 if skew else array[7]
    assert kernels.ranked(array).tolist() == np.argsort(array, kind="stable").tolist()
