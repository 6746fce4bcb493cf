import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hybandit.exploration.inverse_gap import InverseGap

few = settings(max_examples=50, deadline=None)


@few
@given(
    st.lists(st.floats(-1e100, 1e100), min_size=1, max_size=20),
    st.lists(st.floats(-1e100, 1e100), max_size=20),
)
def test_probabilities_sum_to_1_and_the_best_has_the_most(values, errors):
    gap = InverseGap(50.0)
    for error in errors:
        gap.learn(error)
    shares = gap.probabilities(np.array(values))
    assert shares.sum() == pytest.approx(1.0)
    assert (shares >= 0.0).all()
    assert shares[np.argmax(values)] == pytest.approx(shares.max())


def test_by_hand():
    gap = InverseGap(50.0)
    for _ in range(4):
        gap.learn(0.5)
    # All errors are 0.5, and s was 0.5 from the start: g = 50 * 2 / 0.5.
    shares = gap.probabilities(np.array([0.7, 0.9, 0.4]))
    expected = 1.0 / (3 + 200 * 0.2), 1.0 / (3 + 200 * 0.5)
    np.testing.assert_allclose(shares, [expected[0], 1.0 - sum(expected), expected[1]])


def test_the_unit_of_the_rewards_does_not_matter():
    plain, scaled = InverseGap(50.0), InverseGap(50.0)
    for number in range(20_000):
        plain.learn((-1.0) ** number)
        scaled.learn(1000.0 * (-1.0) ** number)
    values = np.array([0.7, 0.9, 0.4])
    np.testing.assert_allclose(plain.probabilities(values), scaled.probabilities(1000.0 * values))
