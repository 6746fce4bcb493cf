import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from hybandit.errors import UnknownName
from hybandit.features import ENCODINGS, encode, unit_rows

TABLE = pd.DataFrame(
    {
        "age": [20.0, 40.0, 30.0, 30.0],
        "town": ["Ulm", None, "Bonn", "Ulm"],
        "member": [True, False, True, True],
        "planet": [7.0, 7.0, 7.0, 7.0],
    }
)
AGE = np.array([-1.0, 1.0, 0.0, 0.0]) * np.sqrt(2.0)
TOWN = np.array([[0.0, 1.0], [0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
MEMBER = (np.array([1.0, 0.0, 1.0, 1.0]) - 0.75) / np.sqrt(0.1875)
STANDARD = np.column_stack([AGE, TOWN, MEMBER, np.zeros(4)])
RAW = np.column_stack([TABLE["age"], TOWN, [1.0, 0.0, 1.0, 1.0], np.full(4, 7.0)])
ORDINAL = np.column_stack([TABLE["age"], [1, -1, 0, 1], [1, 0, 1, 1], np.full(4, 7)])


def scaled(rows):
    return rows / np.sqrt((rows**2).sum(axis=1, keepdims=True))


@pytest.mark.parametrize(
    ("encoding", "expected"),
    [("standard-raw", STANDARD), ("standard", scaled(STANDARD)), ("raw", RAW),
     ("unit", scaled(RAW)), ("ordinal", scaled(ORDINAL))],
)  # fmt: skip
def test_each_encoding_is_as_documented(encoding, expected):
    np.testing.assert_allclose(encode(TABLE, encoding), expected, atol=1e-12)


def test_the_default_is_standard():
    assert np.array_equal(encode(TABLE), encode(TABLE, "standard"))


@pytest.mark.parametrize("kind", ["str", "object", "category"])
def test_categories_may_be_kept_in_any_way(kind):
    town = TABLE[["town"]].astype({"town": kind}) if kind != "str" else TABLE[["town"]]
    np.testing.assert_array_equal(encode(town, "raw"), TOWN)


@pytest.mark.parametrize("encoding", sorted(ENCODINGS))
def test_the_table_itself_is_left_alone(encoding):
    before = TABLE.copy(deep=True)
    encode(TABLE, encoding)
    pd.testing.assert_frame_equal(TABLE, before)


def test_an_unknown_encoding_is_refused_with_the_nearest_name():
    with pytest.raises(
        UnknownName, match="no encoding is called 'standart'; did you mean 'standard'"
    ):
        encode(TABLE, "standart")


def test_rows_of_zeros_stay_zeros():
    rows = np.array([[3.0, 4.0], [0.0, 0.0]])
    assert unit_rows(rows).tolist() == [[0.6, 0.8], [0.0, 0.0]]


@settings(max_examples=50, deadline=None)
@given(arrays(float, array_shapes(min_dims=2, max_dims=2), elements=st.floats(-1e3, 1e3)))
def test_unit_rows_have_length_one_and_keep_their_direction(matrix):
    lengths = np.linalg.norm(matrix, axis=1)
    matrix = matrix[lengths > 1e-100]
    rows = unit_rows(matrix)
    np.testing.assert_allclose(np.linalg.norm(rows, axis=1), 1.0)
    lengths = np.linalg.norm(matrix, axis=1, keepdims=True)
    np.testing.assert_allclose(rows * lengths, matrix, rtol=1e-9, atol=1e-300)


@pytest.mark.parametrize("value", [0.1, 0.7, 1e-3])
@pytest.mark.parametrize("count", [3, 10, 1000])
def test_constant_columns_are_zero_whatever_their_value(value, count):
    assert not encode(pd.DataFrame({"a": np.full(count, value)}), "standard-raw").any()


@pytest.mark.parametrize("encoding", ["standard", "standard-raw", "raw", "unit", "ordinal"])
def test_a_missing_number_does_not_make_the_whole_column_unknown(encoding):
    table = pd.DataFrame({"a": [1.0, None, 3.0], "b": [1.0, 2.0, 3.0]})
    assert np.isfinite(encode(table, encoding)).all()


@pytest.mark.parametrize("encoding", ["ordinal", "standard", "standard-raw", "raw", "unit"])
def test_a_table_without_rows_or_columns_has_vectors_without_them(encoding):
    empty = pd.DataFrame({"age": pd.Series([], dtype=float), "sum": pd.Series([], dtype=float)})
    assert encode(empty, encoding).shape == (0, 2)
    assert encode(pd.DataFrame(index=range(3)), encoding).shape == (3, 0)
