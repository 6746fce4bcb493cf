import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from hybandit.kernels import tree


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(0, 5), min_size=1, max_size=40))
def test_the_median_leaves_something_above_unless_all_are_equal(values):
    ranked = sorted(values)
    at = (len(values) - 1) // 2
    while at > 0 and ranked[at] == ranked[-1]:
        at -= 1
    assert tree.median(np.array(values, np.float32)) == ranked[at]


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 3_000), st.sampled_from([1, 8, 24]), st.integers(0, 2**32 - 1))
def test_a_cut_parts_the_rows_and_keeps_their_order(size, width, seed):
    generator = np.random.default_rng(seed)
    rows = generator.integers(0, 4, (size, width)).astype(np.float32)
    order = np.arange(size)
    middle = tree.cut(rows, order)
    assert 1 <= middle <= size
    assert sorted(order.tolist()) == list(range(size))
    assert (np.diff(order[:middle]) > 0).all()
    assert (np.diff(order[middle:]) > 0).all()
    if middle < size:
        first = rows[:, : tree.EDGES]
        assert (first[order[:middle]].max(axis=0) < first[order[middle:]].min(axis=0)).any()
    else:
        assert (np.ptp(rows[:: max(1, size // tree.SAMPLE), : tree.EDGES], axis=0) == 0).all()
