import numpy as np
import pandas as pd
import pytest
from messy import read_log
from rich.console import Console

from hybandit.datasets import is_file, read_labelled
from hybandit.datasets.reading import Rows
from hybandit.datasets.sources import parts_of
from hybandit.errors import DataFileError, UnknownName

FRAME = pd.DataFrame(
    {"age": np.arange(40) % 7, "[b]town": ["a", "b"] * 20, "y": ["p", "p", "q", "q"] * 10}
)


def test_a_reading_is_told_as_a_table_and_as_data():
    _, reading = read_labelled(FRAME, "y")
    assert reading.as_frame()["role"].tolist() == ["label", *["feature"] * 3]
    console = Console(width=120)
    with console.capture() as caught:
        console.print(reading.rich())
    text = caught.get()
    assert "[b]town" in text
    assert "2 classes: p, q" in text
    assert "40 of 40 rows used, 4 features" in text


def test_the_frame_given_is_left_alone():
    before = FRAME.copy(deep=True)
    read_labelled(FRAME, "y", drop=["age"])
    pd.testing.assert_frame_equal(FRAME, before)


def test_rows_keep_their_numbers_while_others_go():
    rows = Rows.all_of(parts_of(FRAME))
    rows.without(np.arange(40) < 2, lambda place: f"first {place}")
    rows.without(np.arange(38) == 37, lambda place: "last")
    assert [row.line for row in rows.aside.rows] == [0, 1, 39]
    rows.check_enough()
    rows.without(np.arange(37) < 10, lambda place: "many")
    with pytest.raises(
        DataFileError, match=r"13 of the 40 rows .*: many \(line 2, and 9 more\); first 0"
    ):
        rows.check_enough()


def test_rows_set_aside_keep_their_content(tmp_path):
    path = tmp_path / "visits.csv"
    text = "age;town;weight;bought\n" + "34;Ulm;1.5;yes\n51;Ulm;2;no\n34;Bonn;2;no\n" * 10
    path.write_text(text + "44;Kiel;;\n;Ulm;7.25;\n")
    _, reading = read_labelled(path, "bought")
    assert [(row.line, row.content) for row in reading.set_aside] == [
        (32, "44;Kiel;;"), (33, ";Ulm;7.25;"),
    ]  # fmt: skip
    reading.write_set_aside(tmp_path / "set-aside.csv")
    assert pd.read_csv(tmp_path / "set-aside.csv")["content"].tolist() == [
        "44;Kiel;;",
        ";Ulm;7.25;",
    ]
    gaps = FRAME.assign(y=FRAME["y"].where(FRAME.index != 3), list=[[1, None]] * 40)
    (row,) = read_labelled(gaps, "y")[1].set_aside
    assert row.content == "3,b,,[1, None]"


def test_a_share_just_above_the_limit_does_not_contradict_itself():
    rows = Rows.all_of(parts_of(pd.DataFrame({"age": range(1000)})))
    rows.without(np.arange(1000) < 201, lambda place: "bad")
    with pytest.raises(DataFileError, match=r"^201 of the 1,000 rows .* more than 20%: bad"):
        rows.check_enough()


def test_a_file_that_only_says_parquet_is_refused(tmp_path):
    (tmp_path / "log.parquet").write_bytes(b"nonsense")
    with pytest.raises(DataFileError, match="cannot be read as Parquet"):
        read_log(tmp_path / "log.parquet", "a", "b")


@pytest.mark.parametrize("data", ["a.csv", "a.TSV", "a.parquet", "a.csv.gz", "b/c", "./digits"])
def test_a_file_is_known_by_its_name(data):
    assert is_file(data)


def test_a_name_of_the_catalogue_is_no_file():
    assert not is_file("digits")


def test_a_file_without_a_header_is_told_to_have_one(tmp_path):
    path = tmp_path / "visits.csv"
    rows = [f"0{day}.05.2025,107{day},20,yes" for day in range(1, 9)]
    path.write_text("\n".join(rows) + "\n")
    remedy = "the first line looks like data: the file needs a first line with the names"
    with pytest.raises(UnknownName, match=f"no column 'bought'; there are .*; {remedy}"):
        read_labelled(path, "bought")
    with pytest.raises(DataFileError, match=remedy):
        read_labelled(path)
    with pytest.raises(DataFileError, match=remedy):
        read_log(path)
    path.write_text("\n".join(["day,number,2024,bought", *rows]) + "\n")
    with pytest.raises(UnknownName, match=r"did you mean 'bought'\? \(label=\.\.\.\)$"):
        read_labelled(path, "bougt")
