import numpy as np
import pytest

from hybandit.errors import InvalidInput
from hybandit.estimators.limits import Limit
from hybandit.estimators.retention import Retention


def kept(limit, horizon=None):
    return Retention(limit, horizon, np.random.default_rng(0))


def test_without_a_limit_nobody_leaves():
    retention = kept(None)
    assert retention.most is None
    assert [retention.makes_room(0) for _ in range(3)] == [(True, None)] * 3
    assert retention.age(0) is None


def test_a_full_window_gives_up_its_oldest():
    retention = kept(Limit("window", 2))
    for slot in range(2):
        assert retention.makes_room(5) == (True, None)
        retention.keep(5, slot)
    assert retention.makes_room(5) == (True, 0)
    assert retention.makes_room(4) == (True, None)


def test_a_full_reservoir_gives_up_any_or_takes_nothing():
    retention = kept(Limit("reservoir", 1))
    retention.makes_room(0)
    retention.keep(0, 0)
    answers = set()
    for _ in range(40):
        welcome, leaving = retention.makes_room(0)
        answers.add((welcome, leaving))
        if welcome:
            retention.keep(0, 0)
    assert answers == {(True, 0), (False, None)}


def test_the_oldest_leaves_at_the_horizon():
    retention = kept(None, horizon=3)
    for slot in (7, 8):
        retention.makes_room(0)
        retention.keep(0, slot)
        assert retention.age(0) is None
    assert retention.age(1) is None
    assert [retention.age(0), retention.age(0)] == [7, 8]
    assert retention.most == 3


def test_a_reservoir_does_not_age():
    with pytest.raises(InvalidInput, match="memory"):
        kept(Limit("reservoir", 2), horizon=3)
