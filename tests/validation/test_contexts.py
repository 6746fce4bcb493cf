from decimal import Decimal

import numpy as np
import pandas as pd
import pytest

from hybandit import LinUCB
from hybandit.errors import InvalidInput
from hybandit.validation.contexts import as_reward, as_rows

FRAME = pd.DataFrame(
    {
        "age": pd.array([30, 40], dtype="Int64"),
        "member": [True, False],
        "height": [1.5, 1.75],
        "old": pd.Series([Decimal("2.5"), 3], dtype=object),
        "left": pd.array([True, False], dtype="boolean"),
    }
)
FIRST = [30.0, 1.0, 1.5, 2.5, 1.0]


@pytest.mark.parametrize(
    "context",
    [
        FRAME.iloc[[0]],
        FRAME.iloc[0],
        FRAME.iloc[0].astype(object),
        np.array([FIRST]),
        np.array(FIRST, object),
        [30, True, 1.5, Decimal("2.5"), np.bool_(True)],
        FIRST,
    ],
)
def test_a_row_in_any_of_its_forms_is_the_same_context(context):
    policy = LinUCB(2, 5, seed=0)
    policy.learn(context, 1, 1.0)
    plain = LinUCB(2, 5, seed=0)
    plain.learn(FIRST, 1, 1.0)
    assert policy.decide(context).scores.tolist() == plain.decide(FIRST).scores.tolist()


def test_many_rows_stay_many():
    assert as_rows(FRAME).tolist() == [FIRST, [40.0, 0.0, 1.75, 3.0, 0.0]]
    assert as_rows(FRAME.iloc[[0]]).shape == (1, 5)


@pytest.mark.parametrize(
    ("context", "told"),
    [
        (FRAME.assign(town="Ulm").iloc[[0]], "got 'Ulm' in column 'town'"),
        (FRAME.assign(town="Ulm").iloc[0], "got 'Ulm' in column 'town'"),
        (
            FRAME.assign(age=pd.array([None, 4], dtype="Int64")).iloc[[0]],
            "got (<NA>|nan) in column 'age'",
        ),
        (FRAME.assign(day=pd.Timestamp(2020, 1, 1)).iloc[[0]], "in column 'day'"),
        (FRAME.assign(town=pd.Categorical(["a", "b"])).iloc[[0]], "got 'a' in column 'town'"),
        ([1.0, None], "got None at 1"),
        ([1.0, "2"], "must be an array of numbers"),
        ([[1.0], [1.0, 2.0]], "must be an array of numbers"),
        ("12", "must be an array of numbers; got '12'"),
        ({"age": 3}, "must be an array of numbers"),
        (None, "must be an array of numbers; got None"),
        (np.array(1.0, object), "must be an array of numbers"),
        (np.array([1j]), "must be an array of numbers"),
    ],
)
def test_what_is_not_a_number_is_refused_by_the_column_s_name(context, told):
    policy = LinUCB(2, 2)
    for verb in (policy.choose, policy.decide, lambda given: policy.learn(given, 0, 1.0)):
        with pytest.raises(InvalidInput, match=told):
            verb(context)
    assert policy.statistics.counts.sum() == 0


def test_a_number_too_large_for_a_float_is_infinite():
    assert as_rows([10**400, 1]).tolist() == [np.inf, 1.0]


@pytest.mark.parametrize("mask", [[1, 0], np.array([1.0, 0.0]), pd.Series([True, False])])
def test_a_mask_may_be_of_0_and_1(mask):
    assert LinUCB(2, 2).choose([0.5, 0.5], eligible=mask) == 0


def test_rewards_without_dimensions_are_numbers():
    assert as_reward(np.array(0.5)) == 0.5
    assert as_reward(Decimal("0.5")) == 0.5
    assert as_reward(1) == 1
