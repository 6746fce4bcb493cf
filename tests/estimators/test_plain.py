import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hybandit.estimators.plain import Plain

numbers = st.floats(-2.0, 2.0).map(lambda value: round(value, 3))


@given(st.lists(st.tuples(st.integers(0, 2), numbers, numbers), min_size=1, max_size=40))
def test_the_share_is_that_of_the_joint_least_squares(rounds):
    plain, counts, totals = Plain(3), np.zeros(3), np.zeros(3)
    for arm, linear, reward in rounds:
        plain.learn(arm, linear, reward, count=counts[arm], total=totals[arm], unit=1.0)
        plain.played(arm, linear)
        counts[arm] += 1
        totals[arm] += reward
    arms, linears, rewards = (np.array(column) for column in zip(*rounds, strict=True))
    inputs = np.c_[np.eye(3)[arms], linears]
    penalty = np.diag([5.0, 5.0, 5.0, 1.0])
    solved = np.linalg.solve(inputs.T @ inputs + penalty, inputs.T @ rewards + [0, 0, 0, 0.5])
    assert plain.share == pytest.approx(solved[-1], abs=1e-9)
    own = (totals - plain.share * plain.sums) / (counts + 5)
    np.testing.assert_allclose(own, solved[:3], atol=1e-9)


def test_equal_errors_leave_the_start_and_a_better_model_gets_all_the_weight():
    plain = Plain(1)
    start = 1 / (1 + np.exp(3))
    assert plain.weight(1.0) == pytest.approx(start)
    for _ in range(50):
        plain.weigh(0.5, 0.5)
    assert plain.weight(1.0) == pytest.approx(start)
    better, worse = Plain(1), Plain(1)
    for _ in range(50):
        better.weigh(stacked=0.5, own=0.2)
        worse.weigh(stacked=0.2, own=0.5)
    assert (better.weight(1.0), worse.weight(1.0)) == (1.0, 0.0)


@pytest.mark.parametrize("size", [1e-160, 1.0, 1e100])
def test_the_unit_of_the_rewards_does_not_matter_and_extremes_stay_numbers(size):
    plain, other = Plain(1), Plain(1)
    for number in range(5):
        plain.weigh(0.5, 0.4 + 0.01 * number)
        other.weigh(size * 0.5, size * (0.4 + 0.01 * number))
    assert 0.0 < other.weight(size) < 1.0
    if size > 1e-100:
        assert other.weight(size) == pytest.approx(plain.weight(1.0))


def test_what_is_forgotten_no_longer_weighs():
    plain = Plain(2, forget=0.9)
    plain.played(0, 2.0)
    plain.fade(0)
    assert plain.sums.tolist() == [1.8, 0.0]
    for errors in ((0.1, 0.9), (0.9, 0.1)):
        for _ in range(100):
            plain.weigh(*errors)
    assert plain.weight(1.0) == 1.0
