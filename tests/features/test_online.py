import math
from decimal import Decimal

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hybandit.errors import InvalidInput, ModelFileError
from hybandit.features import OnlineEncoder, OnlineRows, encode


@settings(max_examples=40, deadline=None)
@given(st.lists(st.floats(-1e3, 1e3), min_size=1, max_size=30))
def test_numbers_are_standardised_by_the_rows_seen_so_far(values):
    encoder = OnlineEncoder(width=3)
    for number, value in enumerate(values, start=1):
        found = encoder.encode({"one": 1.0, "town": "Ulm", "age": value})
        seen = np.array(values[:number])
        # The column's own scale is undone by the constant town, which is 1 before scaling.
        age = found[2] / found[1]
        if np.ptp(seen) < 1e-6:
            continue
        assert age == pytest.approx((value - seen.mean()) / seen.std(), rel=1e-6, abs=1e-6)
        assert np.linalg.norm(found) == pytest.approx(1.0)


def test_constant_numbers_stay_zero():
    encoder = OnlineEncoder(width=2)
    for _ in range(10):
        assert encoder.encode({"planet": 0.1, "town": "Ulm"}).tolist() == [0.0, 1.0]


def test_a_new_category_opens_the_next_column():
    encoder = OnlineEncoder(width=4)
    assert encoder.encode({"town": "Ulm"}).tolist() == [1.0, 0.0, 0.0, 0.0]
    assert encoder.encode({"town": "Bonn"}).tolist() == [0.0, 1.0, 0.0, 0.0]
    assert encoder.encode({"tree": "Ulm"}).tolist() == [0.0, 0.0, 1.0, 0.0]
    assert encoder.encode({"town": "Ulm"}).tolist() == [1.0, 0.0, 0.0, 0.0]


def test_when_all_columns_are_taken_newcomers_share_the_last():
    encoder = OnlineEncoder(width=2)
    for town in ("Ulm", "Bonn"):
        encoder.encode({"town": town})
    assert encoder.encode({"town": "Jena"}).tolist() == [0.0, 1.0]
    np.testing.assert_allclose(
        encoder.encode({"town": "Ulm", "tree": "oak", "bird": "tit"}), np.array([1, 2]) / 5**0.5
    )


@pytest.mark.parametrize("missing", [None, math.nan, np.float32("nan")])
def test_missing_values_leave_their_columns_zero_and_teach_nothing(missing):
    encoder, without = OnlineEncoder(width=3), OnlineEncoder(width=3)
    for age in (20.0, missing, 50.0):
        row = encoder.encode({"age": age, "town": "Ulm"})
        known = {"town": "Ulm"} if age is missing else {"age": age, "town": "Ulm"}
        assert np.array_equal(row, without.encode(known))


@pytest.mark.parametrize("kind", [bool, np.bool_])
def test_booleans_count_as_numbers(kind):
    encoder = OnlineEncoder(width=2)
    encoder.encode({"member": kind(False), "town": "Ulm"})
    row = encoder.encode({"member": kind(True), "town": "Ulm"})
    np.testing.assert_allclose(row, [0.5**0.5, 0.5**0.5])


def test_an_empty_record_is_a_vector_of_zeros():
    assert OnlineEncoder(width=3).encode({}).tolist() == [0.0, 0.0, 0.0]


@pytest.mark.parametrize("value", [math.inf, -math.inf])
def test_infinity_is_refused_by_name(value):
    with pytest.raises(InvalidInput, match=r"'age' must be a finite number .*; got -?inf"):
        OnlineEncoder().encode({"age": value})


@pytest.mark.parametrize("width", [0, -3])
def test_an_encoder_needs_a_column(width):
    with pytest.raises(InvalidInput, match="'width' must be a whole number of at least 1"):
        OnlineEncoder(width)


TABLE = pd.DataFrame({"age": [20.0, 40.0, 33.0], "town": ["Ulm", None, "Bonn"]})


def test_an_encoder_for_a_table_is_as_wide_as_its_numbers_and_categories():
    assert OnlineEncoder.for_table(TABLE).width == 3
    assert OnlineEncoder.for_table(pd.DataFrame({"town": [None, None]})).width == 1


def test_rows_of_a_table_are_encoded_in_the_order_in_which_they_are_asked_for():
    rows, encoder = OnlineRows(TABLE), OnlineEncoder(width=3)
    assert (len(rows), rows.shape) == (3, (3, 3))
    for number in (2, 0, 1, 2):
        record = {"age": TABLE["age"][number]}
        if number != 1:
            record["town"] = TABLE["town"][number]
        assert np.array_equal(rows[number], encoder.encode(record))


def test_the_online_encoding_of_a_row_does_not_look_ahead():
    whole = encode(TABLE, "online")
    assert whole.shape == (3, 3)
    other = TABLE.assign(age=[20.0, 40.0, -999.0], town=["Ulm", None, "Jena"])
    assert np.array_equal(encode(other, "online")[:2], whole[:2])
    spread = np.std([20.0, 40.0, 33.0])
    raw = np.array([(33.0 - 31.0) / spread, 0.0, 1.0])
    np.testing.assert_allclose(whole[2], raw / np.linalg.norm(raw))


def test_a_refused_record_teaches_nothing():
    first, second = OnlineEncoder(3), OnlineEncoder(3)
    for encoder in (first, second):
        encoder.encode({"a": 1.0, "town": "Ulm"})
    with pytest.raises(InvalidInput):
        first.encode({"a": 50.0, "b": math.inf})
    record = {"a": 2.0, "town": "Ulm"}
    assert np.array_equal(first.encode(record), second.encode(record))


@pytest.mark.parametrize("value", [10**400, 1.7e308])
def test_numbers_too_large_to_square_are_refused_or_encoded(value):
    encoder = OnlineEncoder(3)
    try:
        encoder.encode({"a": value})
        encoder.encode({"a": -value})
    except InvalidInput:
        pass


@pytest.mark.parametrize("width", [2.5, math.nan, True, "3"])
def test_a_width_is_a_whole_number(width):
    with pytest.raises(InvalidInput, match="width"):
        OnlineEncoder(width)


def test_a_saved_encoder_goes_on_as_if_never_saved(tmp_path):
    encoder = OnlineEncoder(5)
    for age, town in ((20.0, "Ulm"), (40.0, "Bonn"), (31.0, "Ulm")):
        encoder.encode({"age": age, "town": town})
    encoder.save(tmp_path / "encoder.json")
    again = OnlineEncoder.load(tmp_path / "encoder.json")
    record = {"age": 25.0, "town": "Jena"}
    assert again.encode(record).tolist() == encoder.encode(record).tolist()


def test_a_file_that_is_no_encoder_is_refused(tmp_path):
    (tmp_path / "other.json").write_text("[1, 2]")
    for name in ("other.json", "missing.json"):
        with pytest.raises(ModelFileError, match="not an encoder"):
            OnlineEncoder.load(tmp_path / name)


@pytest.mark.parametrize("kind", [float, np.float32, Decimal, np.array, np.int64])
def test_numbers_of_every_kind_are_numbers(kind):
    plain, other = OnlineEncoder(3), OnlineEncoder(3)
    for value in (2, 4, 9):
        assert np.allclose(plain.encode({"a": float(value)}), other.encode({"a": kind(value)}))


@pytest.mark.parametrize(
    "value", [None, math.nan, Decimal("nan"), pd.NA, pd.NaT, np.float32("nan")]
)
def test_what_is_missing_opens_no_column(value):
    assert not OnlineEncoder(3).encode({"a": value}).any()


@pytest.mark.parametrize("value", [[1.0], {"b": 1}, 1j, np.ones(2)])
def test_values_that_are_neither_number_nor_category_are_refused(value):
    with pytest.raises(InvalidInput, match="'a' must be a number, a category or a missing value"):
        OnlineEncoder(3).encode({"a": value})


@pytest.mark.parametrize("record", [None, [1, 2], "abc"])
def test_what_is_no_record_is_refused(record):
    with pytest.raises(InvalidInput, match="'record' must be a mapping"):
        OnlineEncoder(3).encode(record)


def test_names_of_any_kind_survive_being_saved(tmp_path):
    encoder = OnlineEncoder(4)
    for value in (2.0, 4.0):
        encoder.encode({1: value, ("a", 2): "x"})
    encoder.save(tmp_path / "encoder.json")
    again = OnlineEncoder.load(tmp_path / "encoder.json")
    assert again.encode({1: 9.0}).tolist() == encoder.encode({1: 9.0}).tolist()


def test_a_name_and_its_value_are_not_confused():
    encoder = OnlineEncoder(4)
    assert encoder.encode({"a": "b=c"}).tolist() != encoder.encode({"a=b": "c"}).tolist()


def test_two_columns_may_have_the_same_name():
    rows = OnlineRows(pd.DataFrame([[1.0, "x"], [3.0, "y"]], columns=["a", "a"]))
    assert rows.shape == (2, 3)
    assert rows[0].tolist() == [0.0, 1.0, 0.0]


def test_an_encoder_with_columns_beyond_its_width_is_refused(tmp_path):
    encoder = OnlineEncoder(width=2)
    encoder.encode({"age": 3.0})
    encoder.save(tmp_path / "encoder.json")
    text = (tmp_path / "encoder.json").read_text().replace('"age": 0', '"age": 2', 1)
    (tmp_path / "encoder.json").write_text(text)
    with pytest.raises(ModelFileError, match="columns beyond its width"):
        OnlineEncoder.load(tmp_path / "encoder.json")
