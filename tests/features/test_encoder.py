import json

import numpy as np
import pandas as pd
import pytest

from hybandit.errors import InvalidInput, ModelFileError
from hybandit.features import Encoder, encode, recognise

TABLE = pd.DataFrame(
    {
        "age": [20.0, 40.0, 30.0, None],
        "town": ["Ulm", None, "Bonn", "Ulm"],
        "member": [True, False, True, True],
        "price": ["$1,000.00", "$3.50", "$12", "$7"],
        "seen": ["31.12.2023 10:00", "01.01.2024 22:00", "02.02.2024 23:00", None],
    }
)


@pytest.mark.parametrize("scaling", ["standard", "standard-raw", "unit", "raw"])
def test_it_is_the_encoding_of_the_same_name_on_typed_columns(scaling):
    encoder = Encoder.fit(TABLE, scaling=scaling)
    np.testing.assert_allclose(
        encoder.transform(TABLE), encode(encoder.typed(TABLE), scaling), atol=1e-12
    )


@pytest.mark.parametrize("scaling", ["standard", "raw"])
def test_a_written_encoder_goes_on_bit_for_bit(scaling):
    encoder = Encoder.fit(TABLE, scaling=scaling)
    again = Encoder.from_json(json.loads(json.dumps(encoder.as_json())))
    assert np.array_equal(again.transform(TABLE), encoder.transform(TABLE))
    assert (again.width, again.columns) == (encoder.width, tuple(TABLE.columns))


def test_a_row_alone_is_as_it_is_among_others():
    encoder = Encoder.fit(TABLE)
    together = encoder.transform(TABLE)
    for number, record in enumerate(TABLE.to_dict("records")):
        assert np.array_equal(encoder.record(record), together[number])
        assert np.array_equal(encoder.transform(TABLE.iloc[[number]])[0], together[number])


def test_live_rows_may_come_as_json():
    encoder = Encoder.fit(TABLE, scaling="raw")
    record = {"age": 20, "town": "Ulm", "member": True, "price": "$1,000.00", "seen": None}
    assert encoder.record(record)[:5].tolist() == [20.0, 0.0, 1.0, 1.0, 1000.0]


def test_dates_become_days_and_the_parts_of_the_calendar_that_differ():
    typed = Encoder.fit(TABLE[["seen"]], scaling="raw").typed(TABLE)
    assert list(typed) == ["seen.days", "seen.month", "seen.weekday", "seen.hour"]
    assert typed["seen.month"].tolist()[:3] == ["12", "01", "02"]
    assert typed["seen.hour"].tolist()[:3] == [10.0, 22.0, 23.0]
    assert typed["seen.days"][0] == pytest.approx(19_722 + 10 / 24)
    assert typed.isna().iloc[3].all()


@pytest.mark.parametrize("scaling", ["standard", "standard-raw"])
def test_beside_standardised_numbers_stands_a_constant(scaling):
    encoder = Encoder.fit(TABLE, scaling=scaling)
    assert encoder.has_constant
    last = encoder.transform(TABLE)[:, -1]
    assert (last > 0.0).all()
    if scaling == "standard-raw":
        assert last.tolist() == [1.0] * len(TABLE)


def test_rows_of_unit_length_still_tell_far_from_near():
    encoder = Encoder.fit(pd.DataFrame({"age": [20.0, 30.0, 70.0]}))
    young, older, old = encoder.transform(pd.DataFrame({"age": [20.0, 30.0, 70.0]}))
    assert np.linalg.norm(young - older) < np.linalg.norm(older - old)
    assert np.linalg.norm(young - older) > 0.1


@pytest.mark.parametrize("scaling", ["unit", "raw"])
def test_numbers_that_stay_as_they_are_need_no_constant(scaling):
    encoder = Encoder.fit(TABLE[["age"]], scaling=scaling)
    assert (encoder.has_constant, encoder.width) == (False, 1)


def test_unknown_and_missing_categories_belong_to_none():
    encoder = Encoder.fit(TABLE[["town"]], scaling="raw")
    assert encoder.transform(pd.DataFrame({"town": ["Rom", None, "Ulm"]})).tolist() == [
        [0.0, 0.0],
        [0.0, 0.0],
        [0.0, 1.0],
    ]


def test_only_the_commonest_categories_have_columns():
    values = [f"v{number:03d}" for number in range(80) for _ in range(80 - number)]
    encoder = Encoder.fit(pd.DataFrame({"c": values}), scaling="raw")
    assert encoder.width == 50
    assert encoder.features[0].categories == tuple(f"v{number:03d}" for number in range(50))


def test_columns_are_found_by_name_and_others_ignored():
    encoder = Encoder.fit(TABLE)
    turned = TABLE[TABLE.columns[::-1]].assign(more=1)
    assert np.array_equal(encoder.transform(turned), encoder.transform(TABLE))
    with pytest.raises(InvalidInput, match="got none called 'town'"):
        encoder.transform(TABLE.drop(columns="town"))
    with pytest.raises(InvalidInput, match="got none called 'age'"):
        encoder.record({"town": "Ulm"})


@pytest.mark.parametrize(
    ("name", "value", "told"),
    [
        ("price", "cheap", "'column price' must be a finite number; got 'cheap'"),
        ("age", np.inf, "'column age' must be a finite number; got"),
        ("seen", "yesterday", "'column seen' must be a date, day first; got 'yesterday'"),
    ],
)
def test_what_cannot_be_read_is_refused_by_the_column_s_name(name, value, told):
    encoder = Encoder.fit(TABLE)
    record = TABLE.iloc[0].to_dict() | {name: value}
    with pytest.raises(InvalidInput, match=told):
        encoder.record(record)


def test_kinds_that_are_given_are_not_guessed():
    table = pd.DataFrame({"code": [1, 2, 3]})
    kinds = {"code": recognise(table["code"], "category")}
    assert Encoder.fit(table, kinds, scaling="raw").transform(table).tolist() == np.eye(3).tolist()


@pytest.mark.parametrize("written", [None, {}, {"features": [{}], "scaling": "raw"}, {"features": [], "scaling": "x"}])  # fmt: skip  # noqa: E501
def test_a_damaged_encoder_is_refused(written):
    with pytest.raises(ModelFileError, match="no usable encoder"):
        Encoder.from_json(written)
