import numpy as np
import pytest

from hybandit.estimators.weighing import AHEAD, SURE, Weighing


def test_the_weight_is_that_of_the_errors_of_late():
    weighing, errors = Weighing(), np.random.default_rng(0).normal(size=(300, 2))
    for first, second in errors:
        weighing.learn(first, second)
    fades = 0.998 ** np.arange(300)[::-1]
    losses = fades @ errors**2
    unit = 2.0 * losses.min() / fades.sum()
    weights = np.exp(-(losses - losses.min()) / unit)
    assert weighing.share == pytest.approx(weights[1] / weights.sum())


def test_it_is_ahead_since_it_overtook_and_only_if_that_is_no_chance():
    weighing = Weighing()
    for _ in range(300):
        weighing.learn(1.0, 1.1)
    assert weighing.ahead is None
    overtook = None
    for number in range(300):
        weighing.learn(1.0, 0.7)
        if overtook is None and weighing.lead > AHEAD:
            overtook = number
        assert (weighing.ahead is None) == (weighing.largest[0] <= SURE)
    assert weighing.ahead == 300 - overtook
    for _ in range(2000):
        weighing.learn(1.0, 1.1)
    assert weighing.ahead is None


def test_one_that_learns_faster_at_the_start_has_not_overtaken():
    weighing = Weighing()
    for number in range(400):
        weighing.learn(1.0 / (1.0 + number), 0.5 / (1.0 + number))
    assert weighing.share > 0.99
    assert weighing.ahead is None


def test_a_restored_one_goes_on():
    first, second = Weighing(), Weighing()
    for number in range(350):
        first.learn(1.0, 0.5 if number >= 270 else 1.1)
    assert first.ahead
    second.restore({name: array.copy() for name, array in first.state().items()})
    assert (second.share, second.ahead) == (first.share, first.ahead)


def test_extreme_errors_leave_it_finite():
    weighing = Weighing()
    for first, second in ((0.0, 0.0), (1e140, 1e140), (1e140, 0.0), (0.0, 1e140)):
        weighing.learn(first, second)
        assert 0.0 <= weighing.share <= 1.0
    assert all(np.isfinite(array).all() for array in weighing.state().values())
