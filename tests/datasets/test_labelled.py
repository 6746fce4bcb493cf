import pandas as pd
import pytest

from hybandit.datasets import read_labelled
from hybandit.errors import DataFileError, UnknownName

FRAME = pd.DataFrame(
    {
        "age": [20, 30, 40, 50] * 10,
        "town": ["a", "b"] * 20,
        "bought": ["yes", "yes", "no", "no"] * 10,
    }
)


def test_kinds_and_drops_overrule():
    table, reading = read_labelled(FRAME, "bought", kinds={"age": "category"}, drop=["town"])
    assert reading.encoder.width == 5
    assert table.frame["age"].tolist()[:4] == ["20", "30", "40", "50"]
    kinds = {each.name: (each.kind, each.reason) for each in reading.columns}
    assert kinds["town"] == ("dropped", "as asked")
    assert kinds["age"] == ("category", "as asked")


@pytest.mark.parametrize("options", [{"drop": ["twon"]}, {"kinds": {"twon": "number"}}])
def test_a_column_that_is_not_there_is_suggested(options):
    with pytest.raises(UnknownName, match="has no column 'twon'; did you mean 'town'"):
        read_labelled(FRAME, "bought", **options)


def test_a_column_that_says_the_label_is_left_out():
    frame = FRAME.assign(code=FRAME["bought"].map({"yes": 7, "no": 3}))
    _, reading = read_labelled(frame, "bought")
    told = next(each for each in reading.columns if each.name == "code")
    assert (told.role, told.reason) == ("dropped", "says the label in other words")


def test_the_label_is_never_a_feature():
    _, reading = read_labelled(FRAME, "town")
    assert reading.encoder.columns == ("age", "bought")


def test_rows_without_a_label_and_numbers_that_are_none_are_set_aside():
    age = FRAME["age"].astype(object)
    age[3], age[5] = "old", "?"
    bought = FRAME["bought"].copy()
    bought[7] = None
    table, reading = read_labelled(FRAME.assign(age=age.astype(str), bought=bought), "bought")
    assert [(row.line, row.reason) for row in reading.set_aside] == [
        (7, "no class in 'bought'"),
        (3, "age: 'old' is not a number"),
    ]
    assert len(table.labels) == 38
    assert table.frame["age"].isna().sum() == 1


def test_whole_floats_are_classes():
    table, _ = read_labelled(FRAME.assign(bought=[1.0, 2.0, 1.0, 10.0] * 10), "bought")
    assert table.classes == ("1", "2", "10")


def test_nearly_as_many_classes_as_rows_are_refused():
    with pytest.raises(
        DataFileError, match=r"has 40 different values in 40 rows: .* label=\.\.\.;"
    ):
        read_labelled(FRAME.assign(bought=range(40)), "bought")


def test_a_table_without_anything_to_learn_from_is_refused():
    with pytest.raises(DataFileError, match=r"no column to learn from: a: always 1; b: no value"):
        read_labelled(pd.DataFrame({"a": [1] * 6, "b": [None] * 6, "y": ["p", "q"] * 3}), "y")


def test_one_column_suggests_a_separator(tmp_path):
    (tmp_path / "data.csv").write_text("a^b\n1^2\n")
    with pytest.raises(DataFileError, match=r"give separator=\.\.\."):
        read_labelled(tmp_path / "data.csv", "bought")
    table, _ = read_labelled(FRAME, "bought")
    assert table.labels.tolist() == [1, 1, 0, 0] * 10


def test_a_table_without_a_label_is_refused_with_the_columns_that_could_be_meant():
    with pytest.raises(
        DataFileError, match=r"needs to know what to predict: .* label=\.\.\.; there are"
    ):
        read_labelled(FRAME)
    with pytest.raises(DataFileError, match=r"bought \(2 classes\)"):
        read_labelled(FRAME)


def test_a_log_with_a_label_is_read_and_what_it_looks_like_is_said():
    frame = FRAME.assign(action=["a", "b"] * 20, clicked=[0, 0, 1, 1] * 10)
    _, reading = read_labelled(frame, "clicked")
    assert "looks like a log of decisions" in reading.notes[0]
    assert read_labelled(FRAME, "bought")[1].notes == ()
