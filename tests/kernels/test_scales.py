import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from hybandit.kernels import scales

NUMBERS = st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=30)


def learned(values):
    counts, means, squares = np.zeros(2, np.int64), np.zeros(2), np.zeros(2)
    slots = np.ones(len(values), np.int64)
    scales.learn(counts, means, squares, slots, np.array(values))
    return counts, means, squares


@settings(deadline=None)
@given(NUMBERS)
def test_mean_and_spread_are_those_of_all_numbers(values):
    counts, means, squares = learned(values)
    assert counts.tolist() == [0, len(values)]
    assert np.isclose(means[1], np.mean(values), atol=1e-6)
    assert np.isclose(squares[1], np.var(values) * len(values), rtol=1e-6, atol=1e-3)


@settings(deadline=None)
@given(NUMBERS, st.floats(-1e6, 1e6))
def test_a_number_is_measured_in_deviations_and_cut(values, value):
    row = np.full(3, 0.5)
    slots, columns = np.ones(1, np.int64), np.full(1, 2)
    counts, means, squares = learned(values)
    scales.add_scaled(
        counts, means, squares, slots, np.array([value]), columns, np.array([-2.0]), 4.0, row
    )
    deviation = np.sqrt(squares[1] / counts[1]) if squares[1] > 0.0 else 1.0
    expected = 0.5 - 2.0 * np.clip((value - means[1]) / deviation, -4.0, 4.0)
    assert row[:2].tolist() == [0.5, 0.5]
    assert np.isclose(row[2], expected)
