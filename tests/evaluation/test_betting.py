import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hybandit.evaluation.betting import SHARES, STEPS, RunningMean, bets, edges, more_needed


def mean_of(values):
    mean = RunningMean()
    for value in values:
        mean.add(value)
    return mean


def exact(values, mean, gap):
    """What all bets hold together, computed from the values themselves."""
    values = np.asarray(values) - mean
    return tuple(
        math.log(sum(share * np.prod(1.0 + sign * size * values)
                     for share, size in zip(SHARES, bets(gap), strict=True)))
        for sign in (1.0, -1.0)
    )  # fmt: skip


@given(st.lists(st.floats(-5.0, 5.0), min_size=1, max_size=30), st.floats(-1.0, 1.0))
def test_what_is_kept_wins_no_more_than_the_values_and_hardly_less(values, mean):
    found = mean_of(values).capital(mean, largest_gap=6.0)
    for kept, told in zip(found[:2], exact(values, mean, 6.0), strict=True):
        assert kept <= told + 1e-9
        assert kept >= told - 0.02 * len(values)


@given(st.lists(st.floats(-1e6, 1e6), max_size=30))
def test_the_mean_stays_the_same_and_parts_add_up(values):
    mean = mean_of(values)
    kept = sum(part * edges(np.array([place]))[0] for place, part in mean._parts.items())
    assert kept == pytest.approx(sum(values), abs=1e-6 * (1.0 + sum(map(abs, values))))
    assert sum(mean._parts.values()) == pytest.approx(len(values))
    assert mean.mean == pytest.approx(np.mean(values) if values else 0.0)


@given(st.lists(st.floats(-1e6, 1e6) | st.just(1e-300), max_size=30), st.integers(0, 30))
def test_many_values_at_once_and_two_means_joined_are_one_by_one(values, cut):
    one, many, rest = mean_of(values), RunningMean(), RunningMean()
    many.add_many(np.array(values[:cut]))
    rest.add_many(np.array(values[cut:]))
    many.join(rest)
    assert many.count == one.count
    assert many.total == pytest.approx(one.total)
    assert many._parts == pytest.approx(one._parts)


def test_memory_does_not_grow_with_the_number_of_values():
    drawn = np.random.default_rng(0).random(20_000)
    assert len(mean_of(drawn)._parts) < 20 * STEPS


@pytest.mark.parametrize(("sign", "side"), [(1.0, 0), (-1.0, 1)])
def test_a_mean_above_is_found_by_those_who_bet_above(sign, side):
    """A flipped sign anywhere would tell the opposite."""
    mean = mean_of(sign * (np.arange(300) % 4 > 0))
    found = mean.capital(0.0, largest_gap=1.0)
    assert found[side] > math.log(40.0) > 0.0 > found[1 - side]
    low, high = mean.interval(2.0, (-1.0, 1.0))
    assert low < sign * 0.75 < high
    assert (low > 0.0, high < 0.0) == (sign > 0.0, sign < 0.0)


def test_the_interval_is_where_the_capital_refutes():
    mean = mean_of(np.random.default_rng(1).random(500))
    for end, outwards in zip(mean.interval(1.0, (0.0, 1.0)), (-1e-6, 1e-6), strict=True):
        assert max(mean.capital(end + outwards, 1.0)[:2]) >= math.log(40.0)
        assert max(mean.capital(end - outwards, 1.0)[:2]) < math.log(40.0)


def test_without_values_everything_is_possible():
    assert RunningMean().interval(1.0, (-2.0, 3.0)) == (-2.0, 3.0)
    assert mean_of([0.5]).interval(1.0, (0.0, 1.0)) == (0.0, 1.0)


def test_fair_coins_looked_at_after_every_toss_are_seldom_called_unfair():
    """A test for one look is wrong in about 60 of 100 here."""
    values = np.random.default_rng(2).integers(0, 2, (400, 2000)) - 0.5
    stakes = np.multiply.outer(bets(0.5), values)
    called = np.zeros(400, bool)
    for sign in (1.0, -1.0):
        held = np.tensordot(SHARES, np.cumprod(1.0 + sign * stakes, axis=2), axes=1)
        called |= (held >= 40.0).any(axis=1)
    once = np.abs(values.cumsum(axis=1)) > 1.96 * 0.5 * np.sqrt(np.arange(1, 2001))
    assert called.mean() <= 0.05 < once.any(axis=1).mean()


def test_no_bet_is_ruined_by_the_largest_gap():
    for value in (-1.0, 1.0):
        found = mean_of([value]).capital(0.0, largest_gap=1.0)
        assert all(map(math.isfinite, found[:2]))


def test_about_how_many_more():
    values = np.tile([0.0, 0.0, 1.0], 20)
    mean = mean_of(values)
    found = mean.capital(0.2, 1.0)
    more = more_needed(found.each_above, mean.count)
    assert found.above < math.log(40.0)
    longer = mean_of(np.tile([0.0, 0.0, 1.0], (mean.count + more) // 3 + 1))
    assert longer.capital(0.2, 1.0).above >= math.log(40.0)
    assert more_needed(found.each_below, mean.count) is None


def test_it_comes_back_as_it_was():
    mean = mean_of(np.random.default_rng(3).normal(size=50))
    again = RunningMean.restored(mean.state())
    assert again.state() == mean.state()
    assert again.interval(10.0, (-1.0, 1.0)) == mean.interval(10.0, (-1.0, 1.0))


@pytest.mark.parametrize(
    "state", [[-1, 0.0, []], [1, math.nan, [[1, 1.0]]], [2, 0.0, [[1, 1.0]]], [1, 1.0, [[1, -1.0]]],
              [1, 1.0, None], ["x", 1.0, []], []],
)  # fmt: skip
def test_what_it_cannot_have_written_is_refused(state):
    with pytest.raises((ValueError, TypeError, IndexError)):
        RunningMean.restored(state)
