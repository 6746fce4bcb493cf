import numpy as np
import pytest

from hybandit.exploration import ArmErrors


def test_the_rate_of_an_arm_grows_with_its_own_errors_only():
    rate = ArmErrors(2, alpha=0.4)
    squares, weights = np.zeros(2), np.zeros(2)
    generator = np.random.default_rng(0)
    for _ in range(50):
        arm, error = int(generator.integers(2)), float(generator.normal())
        rate.learn(arm, error)
        squares[arm] = 0.998 * squares[arm] + error**2
        weights[arm] = 0.998 * weights[arm] + 1.0
    pulls = np.array([20.0, 30.0])
    variances = (10 * 3.0**2 + squares) / (10 + weights)
    expected = np.sqrt(variances * np.log(10 + 50 / (pulls + 5)))
    np.testing.assert_allclose(rate.rates(pulls, 3.0), expected)


def test_an_arm_that_pays_nothing_may_pay_as_much_as_any_for_a_while():
    rate = ArmErrors(2)
    for _ in range(20):
        rate.learn(0, 0.0)
    rates = rate.rates(np.array([20.0, 0.0]), 1.0)
    assert rates[0] / rates[1] > 0.4


def test_a_new_arm_starts_with_the_prior_and_a_dropped_one_is_gone():
    rate = ArmErrors(1)
    rate.learn(0, 3.0)
    rate.add_arm()
    assert rate.squares.tolist() == [9.0, 0.0]
    rate.drop_arm(0)
    assert rate.squares.tolist() == rate.weights.tolist() == [0.0]


def test_errors_too_large_to_square_leave_the_rates_finite():
    rate = ArmErrors(1)
    for _ in range(3):
        rate.learn(0, 1e150)
    assert np.isfinite(rate.rates(np.ones(1), 1e100)).all()


@pytest.mark.parametrize(("forget", "memory"), [(None, 0.998), (0.999, 0.998), (0.9, 0.9)])
def test_errors_fade_at_least_as_fast_as_all_else(forget, memory):
    rate = ArmErrors(1, forget=forget)
    for error in (2.0, 1.0):
        rate.learn(0, error)
    assert rate.squares[0] == memory * 4.0 + 1.0
    assert rate.weights[0] == memory + 1.0
