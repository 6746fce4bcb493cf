import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hybandit.kernels import selection


@pytest.mark.parametrize(
    ("value", "fits"),
    [(2.0, True), (-2.0, True), (2.0000001, False), (-3.0, False),
     (math.nan, False), (math.inf, False), (-math.inf, False)],
)  # fmt: skip
def test_numbers_are_within_a_limit_if_their_size_is_and_they_are_numbers(value, fits):
    values = np.zeros((3, 4))
    values[2, 1] = value
    assert selection.all_within(values, 2.0) == fits


def test_nothing_is_within_any_limit():
    assert selection.all_within(np.empty((0, 3)), 0.0)


@settings(max_examples=80, deadline=None)
@given(
    st.lists(
        st.tuples(st.sampled_from([-math.inf, -1.0, 0.0, 2.0, math.inf]), st.booleans()),
        min_size=1,
        max_size=8,
    )
)
def test_the_largest_is_the_first_allowed_maximum_with_the_count_of_its_equals(arms):
    scores = np.array([score for score, _ in arms])
    allowed = np.array([free for _, free in arms])
    if not allowed.any():
        assert selection.largest(scores, allowed) == (-1, 0)
        return
    winners = np.flatnonzero(allowed & (scores == scores[allowed].max()))
    assert selection.largest(scores, allowed) == (winners[0], len(winners))


@pytest.mark.parametrize("place", range(3))
def test_nobody_shares_a_score_that_is_no_number(place):
    scores, everyone = np.array([1.0, 3.0, 2.0]), np.ones(3, bool)
    scores[place] = math.nan
    assert selection.largest(scores, everyone) == (place, 0)
    assert selection.largest(scores, np.arange(3) != place)[1] == 1


@pytest.mark.parametrize("count", [0, 2, 4])
def test_nobody_is_the_largest_of_too_few_or_too_many_scores(count):
    assert selection.largest(np.zeros(count), np.ones(3, bool)) == (-1, 0)
