import numpy as np
import pytest

from hybandit.exploration import ErrorScaled


def test_the_scale_is_the_discounted_root_mean_square_of_all_errors():
    rate = ErrorScaled(2, alpha=0.3)
    squares, weights = np.full(2, 0.25), np.ones(2)
    generator = np.random.default_rng(0)
    for _ in range(50):
        arm, error = int(generator.integers(2)), float(generator.normal())
        rate.learn(arm, error)
        squares[arm] = 0.998 * squares[arm] + error**2
        weights[arm] = 0.998 * weights[arm] + 1.0
    scale = np.sqrt(squares.sum() / weights.sum())
    assert rate.scale == pytest.approx(scale)
    counts = np.array([0.0, 8.0])
    rates = rate.rates(counts, np.zeros(2))
    np.testing.assert_allclose(rates, [0.6 * scale, 0.2 * scale])


def test_before_any_error_the_scale_is_one_half():
    assert ErrorScaled(5).scale == 0.5


def test_a_new_arm_starts_with_the_prior():
    rate = ErrorScaled(1)
    rate.learn(0, 3.0)
    rate.add_arm()
    assert rate.squares.tolist() == [0.998 * 0.25 + 9.0, 0.25]
    assert rate.weights.tolist() == [1.998, 1.0]


def test_errors_too_large_to_square_leave_the_scale_finite():
    rate = ErrorScaled(1)
    for _ in range(3):
        rate.learn(0, 1e150)
    assert np.isfinite(rate.scale)
    assert rate.scale > 1e90


@pytest.mark.parametrize(("forget", "memory"), [(None, 0.998), (0.999, 0.998), (0.9, 0.9)])
def test_errors_fade_at_least_as_fast_as_all_else(forget, memory):
    rate = ErrorScaled(1, forget=forget)
    rate.learn(0, 2.0)
    assert rate.squares[0] == memory * 0.25 + 4.0
    assert rate.weights[0] == memory + 1.0
