import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hybandit.estimators.plain import Plain

numbers = st.floats(-2.0, 2.0).map(lambda value: round(value, 3))


@settings(deadline=None)
@given(st.lists(st.tuples(numbers, numbers, numbers), min_size=1, max_size=40))
def test_the_share_is_that_of_the_least_squares(rounds):
    plain = Plain()
    for mean, linear, reward in rounds:
        plain.learn(mean, linear, reward, unit=2.0)
    means, linears, rewards = np.array(rounds).T
    more = linears - means
    share = (more @ (rewards - means) + 4.0 * 0.5) / (more @ more + 4.0)
    assert plain.share == pytest.approx(share, abs=1e-9)
    assert plain.trust == pytest.approx(min(max(share, 0.0), 1.0), abs=1e-9)


def test_equal_errors_leave_the_start_and_a_better_model_gets_all_the_weight():
    plain = Plain()
    start = 1 / (1 + np.exp(3))
    assert plain.weight(1.0) == pytest.approx(start)
    for _ in range(50):
        plain.weigh(0.5, 0.5)
    assert plain.weight(1.0) == pytest.approx(start)
    better, worse = Plain(), Plain()
    for _ in range(50):
        better.weigh(stacked=0.5, own=0.2)
        worse.weigh(stacked=0.2, own=0.5)
    assert (better.weight(1.0), worse.weight(1.0)) == (1.0, 0.0)


@pytest.mark.parametrize("size", [1e-160, 1.0, 1e100])
def test_the_unit_of_the_rewards_does_not_matter_and_extremes_stay_numbers(size):
    plain, other = Plain(), Plain()
    for number in range(5):
        plain.weigh(0.5, 0.4 + 0.01 * number)
        other.weigh(size * 0.5, size * (0.4 + 0.01 * number))
    assert 0.0 < other.weight(size) < 1.0
    if size > 1e-100:
        assert other.weight(size) == pytest.approx(plain.weight(1.0))


def test_what_is_forgotten_no_longer_weighs():
    plain = Plain(forget=0.9)
    for errors in ((0.1, 0.9), (0.9, 0.1)):
        for _ in range(100):
            plain.weigh(*errors)
    assert plain.weight(1.0) == 1.0
