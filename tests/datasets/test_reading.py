import sys

import numpy as np
import pandas as pd
import pytest
from rich.console import Console

from hybandit.datasets import is_file, read_labelled
from hybandit.datasets.reading import Rows, read_parquet
from hybandit.errors import DataFileError

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
    rows = Rows(FRAME)
    rows.without(np.arange(40) < 2, lambda place: f"first {place}")
    rows.without(np.arange(38) == 37, lambda place: "last")
    assert [row.line for row in rows.set_aside] == [0, 1, 39]
    rows.check_enough()
    rows.without(np.arange(37) < 10, lambda place: "many")
    with pytest.raises(DataFileError, match=r"32% of the rows .*: many \(line 2, and 9 more\)"):
        rows.check_enough()


def test_parquet_without_its_reader_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(DataFileError, match="pip install pyarrow"):
        read_parquet(tmp_path / "log.parquet")


def test_a_file_that_only_says_parquet_is_refused(tmp_path):
    pytest.importorskip("pyarrow")
    (tmp_path / "log.parquet").write_bytes(b"nonsense")
    with pytest.raises(DataFileError, match="cannot be read as Parquet"):
        read_parquet(tmp_path / "log.parquet")


@pytest.mark.parametrize("data", ["a.csv", "a.TSV", "a.parquet", "a.csv.gz", "b/c", "./digits"])
def test_a_file_is_known_by_its_name(data):
    assert is_file(data)


def test_a_name_of_the_catalogue_is_no_file():
    assert not is_file("digits")
