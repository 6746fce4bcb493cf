import heapq

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from hybandit.kernels import tree_search as kernels
from hybandit.kernels.tree import LANES, STEP

few = settings(max_examples=60, deadline=None)


def pages_and_queries(seed):
    generator = np.random.default_rng(seed)
    pages = generator.normal(size=(3, 4 * STEP, LANES)).astype(np.float32)
    return pages, generator.normal(size=(2, 4 * STEP)).astype(np.float32)


@few
@given(st.integers(0, 2**32 - 1), st.sampled_from([0, 8, 24]))
def test_distances_add_up_over_the_coordinates_of_one_step(seed, start):
    pages, queries = pages_and_queries(seed)
    sums = np.ones(LANES, np.float32)
    kernels.add_up(pages, 2, queries, 1, start, sums)
    part = slice(start, start + STEP)
    expected = 1.0 + ((pages[2, part] - queries[1, part, None]).astype(float) ** 2).sum(axis=0)
    np.testing.assert_allclose(sums, expected, rtol=1e-5)


@few
@given(st.integers(0, 2**32 - 1), st.floats(0, 150))
def test_no_point_within_reach_is_overlooked(seed, reach):
    pages, queries = pages_and_queries(seed)
    sums = np.empty(LANES, np.float32)
    left = kernels.look_at(pages, 1, queries, 0, np.float32(reach), sums)
    true = ((pages[1] - queries[0, :, None]).astype(float) ** 2).sum(axis=0)
    assert left == (sums <= np.float32(reach)).sum() >= (true < 0.9999 * reach).sum()
    assert (sums <= true * 1.0001).all()
    if left > kernels.FEW:
        np.testing.assert_allclose(sums, true, rtol=1e-5)


@few
@given(st.lists(st.floats(0, 10, width=32), max_size=80), st.integers(0, 2**32 - 1))
def test_the_heap_gives_the_least_bound_first(bounds, seed):
    generator = np.random.default_rng(seed)
    heap, kept, pages = [], np.empty(100, np.float32), np.empty(100, np.int64)
    for number, bound in enumerate(bounds):
        kernels.push(kept, pages, len(heap), np.float32(bound), number)
        heapq.heappush(heap, bound)
        while heap and generator.random() < 0.4:
            assert kept[0] == heap[0] == np.float32(bounds[pages[0]])
            kernels.pop(kept, pages, len(heap))
            heapq.heappop(heap)
    while heap:
        assert kept[0] == heap[0]
        kernels.pop(kept, pages, len(heap))
        heapq.heappop(heap)


def test_reach_is_loosened_and_in_the_units_of_shadows():
    assert 4.0 < kernels.reach_of(4e-200, 1e-100, 0.0) < 4.001
    assert 8.99 < kernels.reach_of(4e200, 1e100, 1.0) < 9.001
