import pytest

from hybandit.cli.options import file_options
from hybandit.errors import InvalidInput


def test_what_was_not_given_is_left_to_the_reader():
    nothing = {"separator": None, "file_encoding": None, "drop": [], "kinds": {}}
    assert file_options(None, None, None, None) == nothing


@pytest.mark.parametrize(("given", "sign"), [("tab", "\t"), ("\\t", "\t"), (";", ";")])
def test_a_tab_may_be_written_as_people_do(given, sign):
    assert file_options(given, None, None, None)["separator"] == sign


def test_columns_to_drop_are_given_again_or_with_commas():
    assert file_options(None, None, ["a,b", "c"], None)["drop"] == ["a", "b", "c"]


def test_a_kind_belongs_to_a_column_whose_name_may_hold_the_sign():
    kinds = file_options(None, None, None, ["zip=category", "a=b=number"])["kinds"]
    assert kinds == {"zip": "category", "a=b": "number"}


@pytest.mark.parametrize("wrong", ["age", "=number"])
def test_a_kind_without_a_column_is_refused(wrong):
    with pytest.raises(InvalidInput, match="'kinds' must be written column=kind"):
        file_options(None, None, None, [wrong])
