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
        squares[arm] += error**2
        weights[arm] += 1.0
    pulls = np.array([20.0, 30.0])
    variances = (3 * 3.0**2 + squares) / (3 + weights)
    expected = np.sqrt(variances * np.log(10 + 50 / (pulls + 5)))
    np.testing.assert_allclose(rate.rates(pulls, np.ones(2), 3.0, plain=True), expected)


def test_where_contexts_tell_nothing_an_arm_that_always_paid_the_same_may_pay_ten_times_more():
    rate = ArmErrors(2)
    pulls, spreads = np.full(2, 20.0), np.array([0.0, 1.0])
    plain = rate.rates(pulls, spreads, 1.0, plain=True)
    assert plain[0] == pytest.approx(10 * plain[1])
    told = rate.rates(pulls, spreads, 1.0, plain=False)
    assert told.tolist() == [plain[1]] * 2


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
    assert np.isfinite(rate.rates(np.ones(1), np.zeros(1), 1e100, plain=True)).all()


@pytest.mark.parametrize(("forget", "memory"), [(None, 1.0), (0.9, 0.9)])
def test_errors_fade_as_all_else_does(forget, memory):
    rate = ArmErrors(1, forget=forget)
    for error in (2.0, 1.0):
        rate.learn(0, error)
    assert rate.squares[0] == memory * 4.0 + 1.0
    assert rate.weights[0] == memory + 1.0
