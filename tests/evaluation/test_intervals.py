import math

import numpy as np
import pytest

from hybandit.errors import InvalidInput
from hybandit.evaluation import Intervals
from hybandit.evaluation.intervals import Moments
from hybandit.evaluation.tally import Runs

VALUES = np.array([0.0, 1.0, 1.0, 0.0, 1.0])
ONES = np.ones(5)


def moments(terms, shares):
    """As if they had come in two parts."""
    found = Moments()
    for part in (slice(0, 2), slice(2, None)):
        found.add(terms[part], shares[part])
    return found


def parts(terms):
    runs = Runs(len(terms))
    runs.add(0, terms, np.ones(len(terms)))
    return runs.blocks()


def test_empirical_bernstein_is_its_formula():
    low, high = Intervals(confidence=0.9).bernstein(moments(VALUES, ONES), span=1.0)
    logarithm = math.log(4.0 / 0.1)
    radius = math.sqrt(2.0 * VALUES.var(ddof=1) * logarithm / 5) + 7.0 * logarithm / 12.0
    assert (low, high) == pytest.approx((0.6 - radius, 0.6 + radius))


def test_empirical_bernstein_is_cut_to_its_limits_but_not_beyond_the_value():
    cut = Intervals().bernstein(moments(VALUES, ONES), span=1.0, limits=(0.0, 1.0))
    assert cut == (0.0, 1.0)
    low, high = Intervals().bernstein(moments(VALUES + 1.0, ONES), span=0.001, limits=(0.0, 1.0))
    assert low < 1.6 == pytest.approx(high)


def test_limits_are_those_given_or_0_and_1_and_none_that_were_only_seen():
    assert Intervals().limits((0.0, 0.5)) == (0.0, 1.0)
    assert Intervals().limits((0.0, 5.0)) == (-math.inf, math.inf)
    assert Intervals(reward_range=(0, 9)).limits((0.0, 5.0)) == (0, 9)


def test_a_share_of_the_events_counts_as_that_many_events():
    half = np.array([1.0, 1.0, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0])
    terms = np.concatenate([VALUES, np.zeros(5)])
    low, high = Intervals().bernstein(moments(terms, half), span=1.0)
    assert (low + high) / 2.0 == pytest.approx(0.6)
    assert high - low == pytest.approx(
        np.subtract(*Intervals().bernstein(moments(VALUES, ONES), span=1.0)[::-1]), rel=0.2
    )


@pytest.mark.parametrize("count", [500, 2001, 30_000])
def test_the_bootstrap_is_about_as_wide_as_the_normal_interval(count):
    values = np.random.default_rng(0).exponential(size=count)
    low, high = Intervals().bootstrap(parts(values))
    assert high - low == pytest.approx(2 * 1.96 * values.std() / math.sqrt(count), rel=0.12)
    assert low < values.mean() < high


def test_the_bootstrap_is_the_seeds():
    values = np.random.default_rng(0).normal(size=50)
    first, again, other = (Intervals(seed=seed).bootstrap(parts(values)) for seed in (1, 1, 2))
    assert first == again != other


def test_rewards_within_0_and_1_are_reckoned_to_reach_both():
    assert Intervals().rewards((0.0, 0.0)) == (0.0, 1.0)
    assert Intervals().rewards((-1.0, 5.0)) == (-1.0, 5.0)
    assert Intervals(reward_range=(-2, 9)).rewards((0.0, 0.0)) == (-2, 9)
    with pytest.raises(InvalidInput, match="wide enough for the rewards, 0 to 5"):
        Intervals(reward_range=(0, 4)).rewards((0.0, 5.0))


@pytest.mark.parametrize(
    "bad", [{"confidence": 1.0}, {"confidence": 0.0}, {"reward_range": (1, 1)}]
)
def test_what_makes_no_sense_is_refused(bad):
    with pytest.raises(InvalidInput, match=next(iter(bad))):
        Intervals(**bad)
