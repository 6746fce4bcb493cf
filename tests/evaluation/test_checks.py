import numpy as np
import pandas as pd
import pytest

from hybandit.errors import InvalidInput
from hybandit.evaluation import checks


def test_numbers_come_as_people_have_them():
    for given in ([1, 0], (True, False), pd.Series([1, 0], dtype=object), np.array([1, 0], int)):
        assert checks.numbers("rewards", given).tolist() == [1.0, 0.0]


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (["yes", "no"], "numbers, one for each event; got 'yes'"),
        (np.array([1.0, "x"], object), "numbers, one for each event; got 'x'"),
        ([1.0, np.nan], "finite numbers, none missing; got nan at row 1"),
        (pd.Series([1.0, None], dtype=object), "none missing; got nan at row 1"),
        ([1.0], "at least 2 events; got shape"),
        ([[1.0, 2.0]], "one number for each event"),
    ],
)
def test_rewards_that_are_none_are_refused_by_their_row(given, told):
    with pytest.raises(InvalidInput, match=rf"'rewards' must be .*{told}"):
        checks.numbers("rewards", given)


def test_there_are_as_many_as_rewards():
    with pytest.raises(InvalidInput, match="'propensities' must be as many as the 3 rewards"):
        checks.propensities([0.5, 0.5], 3)


@pytest.mark.parametrize("bad", [0.0, -0.1, 1.01])
def test_a_propensity_is_above_0_and_at_most_1(bad):
    with pytest.raises(InvalidInput, match=r"above 0 and at most 1; got .* at row 1"):
        checks.propensities([1.0, bad], 2)


def test_a_probability_may_be_0_and_exceed_1_by_rounding():
    assert checks.probabilities([0.0, 1.0 + 1e-12], 2).tolist() == [0.0, 1.0 + 1e-12]
    with pytest.raises(InvalidInput, match="'target' must be from 0 to 1"):
        checks.probabilities([0.5, -0.5], 2)
