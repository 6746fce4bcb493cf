import numpy as np
import pytest

from hybandit.exploration.running_error import RunningError


def test_the_scale_is_the_discounted_root_mean_square_of_all_errors():
    running, square, weight = RunningError(), 0.25, 1.0
    assert running.scale == 0.5
    for error in np.random.default_rng(0).normal(size=50):
        running.learn(error)
        square, weight = 0.998 * square + error**2, 0.998 * weight + 1.0
    assert running.scale == pytest.approx(np.sqrt(square / weight))


def test_errors_too_large_to_square_leave_the_scale_finite():
    running = RunningError()
    for _ in range(3):
        running.learn(1e150)
    assert 1e90 < running.scale < np.inf
