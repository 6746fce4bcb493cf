import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from hybandit.estimators.typical_distance import TypicalDistance


@given(
    arrays(float, st.tuples(st.integers(2, 8), st.integers(1, 4)), elements=st.floats(-1e3, 1e3))
)
def test_it_is_the_root_mean_squared_distance_of_pairs(contexts):
    typical = TypicalDistance(contexts.shape[1])
    for context in contexts:
        typical.observe(context)
    pairs = [np.sum((a - b) ** 2) for i, a in enumerate(contexts) for b in contexts[:i]]
    assert typical.value == pytest.approx(np.sqrt(np.mean(pairs)), rel=1e-6, abs=1e-6)


def test_a_large_offset_costs_no_digits():
    typical = TypicalDistance(1)
    for position in (1e9, 1e9 + 1.0):
        typical.observe(np.array([position]))
    assert typical.value == pytest.approx(1.0)


def test_one_context_alone_has_no_distance():
    typical = TypicalDistance(2)
    typical.observe(np.ones(2))
    assert typical.value == 0.0


def test_rounding_of_a_far_centre_leaves_a_distance():
    typical = TypicalDistance(2)
    typical.count[:], typical.centre[:] = 3.0, 2.0**62
    typical.observe(np.array([0.5, -0.5]))
    assert np.isfinite(typical.value)
    typical.squares[:] = 0.0
    typical.observe(typical.centre + 1.0)
    assert typical.value >= 0.0
