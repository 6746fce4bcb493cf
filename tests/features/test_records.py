import enum
import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hybandit.errors import InvalidInput
from hybandit.features.records import DEEPEST, LONGEST, as_number, canonical

VALUES = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


def test_equal_features_give_equal_text_in_any_order():
    assert canonical("context", {"b": 1, "a": [True, None]}) == '{"a":[true,null],"b":1}'
    assert canonical("context", {"a": (True, None), "b": 1}) == '{"a":[true,null],"b":1}'


def test_numpy_and_subclasses_become_plain():
    class Colour(enum.StrEnum):
        RED = "red"

    features = {
        "a": np.float32(0.5), "b": np.arange(2), "c": np.bool_(True), "d": np.str_("x"),
        "e": Colour.RED, "f": np.float64(2.0),
    }  # fmt: skip
    assert json.loads(canonical("context", features)) == {
        "a": 0.5, "b": [0, 1], "c": True, "d": "x", "e": "red", "f": 2.0,
    }  # fmt: skip


def test_not_a_number_is_a_missing_value():
    assert canonical("context", {"a": float("nan"), "b": [np.nan]}) == '{"a":null,"b":[null]}'


def test_lone_surrogates_are_kept():
    assert json.loads(canonical("context", {"a\udc80": "\ud800"})) == {"a\udc80": "\ud800"}


@pytest.mark.parametrize(
    ("features", "place"),
    [
        ({"a": float("inf")}, "context.a"),
        ({"a": {"b": [1, 10**101]}}, r"context.a.b\[1\]"),
        ({"a": {1, 2}}, "context.a"),
        ({"a": np.datetime64("2026-01-01")}, "context.a"),
        ({"a": np.datetime64("2026-01-01", "ns")}, "context.a"),
        ({"a": np.timedelta64(3, "s")}, "context.a"),
        ({"a": np.array(["2026-01-01"], "datetime64[ns]")}, "context.a"),
        ({"a": 1j}, "context.a"),
        ({"a": b"bytes"}, "context.a"),
        ({1: "a"}, "a key of context"),
        ([1, 2], "context"),
        (None, "context"),
        ({"a": "x" * LONGEST}, "context"),
        ({"a": 10**5000}, "context.a"),
    ],
)
def test_what_json_cannot_say_is_refused_by_its_place(features, place):
    with pytest.raises(InvalidInput, match=f"'{place}' must be"):
        canonical("context", features)


def test_depth_has_a_limit():
    features = {}
    for _ in range(DEEPEST - 1):
        features = {"a": features}
    canonical("context", features)
    with pytest.raises(InvalidInput, match=f"nested at most {DEEPEST}"):
        canonical("context", {"a": features})
    endless = {}
    endless["a"] = endless
    with pytest.raises(InvalidInput, match="nested"):
        canonical("context", endless)


@given(st.dictionaries(st.text(), VALUES, max_size=5))
def test_text_is_a_fixed_point_or_refused(features):
    try:
        text = canonical("context", features)
    except InvalidInput:
        return
    assert text.isascii()
    assert canonical("context", json.loads(text)) == text


@pytest.mark.parametrize(
    ("text", "number"),
    [("34", 34.0), ("-1.5e3", -1500.0), (" 7", 7.0), ("1_000", None), ("", None), ("nan", None),
     ("inf", None), ("1e400", None), ("1e200", None), ("x1", None), ("٣", None), ("5.", 5.0)],
)  # fmt: skip
def test_texts_that_read_as_numbers(text, number):
    assert as_number(text) == number
