import gzip

import pytest

from hybandit.datasets import is_file, read_csv
from hybandit.errors import DataFileError

ROWS = "age,town,bought\n20,Ulm,yes\n40,,no\n30,Bonn,yes\n"


@pytest.mark.parametrize("data", ["rows.csv", "rows.csv.gz", "folder/rows", "./rows.txt"])
def test_a_path_names_a_file(data):
    assert is_file(data)


@pytest.mark.parametrize("data", ["digits", "csv", "ca-astroph"])
def test_a_plain_name_names_a_data_set(data):
    assert not is_file(data)


@pytest.mark.parametrize("name", ["rows.csv", "rows.csv.gz"])
def test_the_last_column_is_the_class(tmp_path, name):
    path = tmp_path / name
    path.write_bytes(gzip.compress(ROWS.encode()) if name.endswith("gz") else ROWS.encode())
    table = read_csv(path)
    assert table.classes == ("no", "yes")
    assert table.labels.tolist() == [1, 0, 1]
    assert table.encoded("standard-raw").shape == (3, 3)


def test_classes_may_be_numbers(tmp_path):
    path = tmp_path / "rows.csv"
    path.write_text("age,class\n1,7\n2,3\n")
    table = read_csv(path)
    assert table.classes == ("3", "7")
    assert table.labels.tolist() == [1, 0]


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("", "cannot be read as CSV"),
        ("age,class\n1,a,b,c\n2\n3,4,5,6,7\n", "cannot be read as CSV"),
        ("class\na\nb\n", "needs rows, features, and a last column with the class"),
        ("age,class\n", "needs rows, features, and a last column with the class"),
        ("age,class\n1,a\n2,\n", "has rows without a class"),
        ("age,class\n1,a\ninf,b\n", "infinite numbers in column 'age'"),
    ],
)
def test_a_file_that_cannot_be_used_is_refused_in_words(tmp_path, content, told):
    path = tmp_path / "rows.csv"
    path.write_text(content)
    with pytest.raises(DataFileError, match=told) as caught:
        read_csv(path)
    assert str(path) in str(caught.value)


def test_a_missing_or_binary_file_is_refused(tmp_path):
    with pytest.raises(DataFileError, match="cannot be read as CSV"):
        read_csv(tmp_path / "nowhere.csv")
    (tmp_path / "rows.csv").write_bytes(bytes(range(256)))
    with pytest.raises(DataFileError, match="cannot be read as CSV"):
        read_csv(tmp_path / "rows.csv")
