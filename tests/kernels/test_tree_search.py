import numpy as np
import pytest

from hybandit.kernels import tree_search


def test_reach_is_loosened_and_in_the_units_of_projections():
    assert tree_search.reach_of(4.0, 2.0, 1.0) == pytest.approx(4.0, rel=1e-4)
    assert tree_search.reach_of(4.0, 2.0, 1.0) > 4.0
    assert tree_search.reach_of(np.inf, 1.0, 0.0) == np.inf
    assert tree_search.reach_of(1e-300, 1e-150, 0.0) == pytest.approx(1.0, rel=1e-4)


def test_a_heap_gives_the_least_bound_first():
    generator = np.random.default_rng(0)
    values = generator.integers(0, 9, 50).astype(np.float32)
    bounds, pages = np.empty(50, np.float32), np.empty(50, np.int64)
    for count, value in enumerate(values):
        tree_search.push(bounds, pages, count, value, count)
    taken = []
    for count in range(50, 0, -1):
        assert values[pages[0]] == bounds[0]
        taken.append(float(bounds[0]))
        tree_search.pop(bounds, pages, count)
    assert taken == sorted(values.tolist())
