import numpy as np
import pandas as pd
import pytest

from hybandit.errors import InvalidInput
from hybandit.features import misfits, recognise
from hybandit.features.columns import categories, dates, numbers


def kind(values, name="column", asked=None):
    return recognise(pd.Series(values, name=name), asked).kind


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([1.5, 2.5, None], "number"),
        ([True, False, None], "number"),
        (["1", "2", "x"] * 40, "category"),
        (["$1,234.00", "($5.00)", "?"], "number"),
        (["12 %", "7%"], "number"),
        (["2024-01-05", "2023-12-31 10:00"], "date"),
        (["a", "b", "a"], "category"),
        (["a"] * 5, "constant"),
        ([7, 7, None], "constant"),
        ([None, None], "empty"),
        ([f"k{number}" for number in range(50)], "id"),
        ([f"a sentence of many words, {number}" for number in range(50)], "text"),
        (range(50), "id"),
        (pd.date_range("2024-01-01", periods=3), "date"),
        (np.random.default_rng(0).permutation(10_000)[:50], "number"),
    ],
)
def test_a_column_is_taken_for_what_most_of_it_is(values, expected):
    assert kind(values) == expected


@pytest.mark.parametrize("name", ["id", "user_id", "userId", "Session ID", "order.key"])
def test_many_whole_numbers_are_ids_by_their_name(name):
    values = np.random.default_rng(0).integers(0, 1000, 200)
    assert kind(values, name) == "id"
    assert kind(values, "paid") == "number"


@pytest.mark.parametrize(
    ("text", "style", "value"),
    [
        ("$1,234.50", "point", 1234.5), ("1234.5", "point", 1234.5), ("-€5", "point", -5.0),
        ("(12.0)", "point", -12.0), ("1e3", "point", 1000.0), (" 7 ", "point", 7.0),
        ("1.234,50 €", "comma", 1234.5), ("0,5", "comma", 0.5), ("12,34", "point", np.nan),
        ("5 apples", "point", np.nan), ("?", "point", np.nan),
    ],
)  # fmt: skip
def test_numbers_are_read_as_they_are_written(text, style, value):
    found, bad = numbers(pd.Series([text, None]), style)
    assert found[0] == pytest.approx(value, nan_ok=True)
    assert bad.tolist() == [bool(np.isnan(value)) and text != "?", False]


@pytest.mark.parametrize(
    ("texts", "style", "first"),
    [
        (["03.04.2024", "05.06.2024"], "day first", "2024-04-03"),
        (["03/04/2024", "05/06/2024"], "month first", "2024-03-04"),
        (["03/04/2024", "25/06/2024"], "day first", "2024-04-03"),
        (["2024/3/4 7:05", "2024/3/5 17:05"], "year first", "2024-03-04 07:05"),
        (["2024-03-04T10:00:00+02:00", "2024-03-04T10:00:00Z"], "year first", "2024-03-04 08:00"),
    ],
)
def test_dates_are_read_in_the_order_they_must_have(texts, style, first):
    column = pd.Series(texts)
    assert recognise(column).style == style
    found, bad = dates(column, style)
    assert found[0] == pd.Timestamp(first)
    assert not bad.any()


def test_a_date_that_is_none_is_a_misfit():
    column = pd.Series(["2024-01-01"] * 6 + ["2024-02-31", "soon", None])
    assert misfits(column, recognise(column, "date")).tolist() == [False] * 6 + [True, True, False]


def test_categories_of_whole_floats_have_no_decimals():
    assert categories(pd.Series([1.0, None, 2.0])).tolist() == ["1", None, "2"]
    assert categories(pd.Series([1.5, 2.0])).tolist() == ["1.5", "2.0"]


def test_what_is_asked_for_is_done():
    assert kind([1, 2], asked="category") == "category"
    assert kind(["a"], asked="drop") == "dropped"
    with pytest.raises(InvalidInput, match="'kind of column' must be one of number, category"):
        kind([1], asked="numeric")


def test_codes_with_leading_zeros_are_categories():
    assert recognise(pd.Series(["01067", "89073"] * 20, name="zip")).kind == "category"
    assert recognise(pd.Series(["1067", "89073", "0"] * 20, name="zip")).kind == "number"


@pytest.mark.parametrize("value", [[1, 2], {"a": 1}, np.ones(2)])
def test_lists_and_records_are_left_out_by_name(value):
    found = recognise(pd.Series([value] * 3, name="nested"))
    assert (found.kind, found.reason) == ("dropped", "lists or records, not single values")
