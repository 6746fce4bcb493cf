import gzip

import pandas as pd
import pytest

from hybandit.datasets.delimited import DelimitedFile
from hybandit.datasets.sources import joined
from hybandit.errors import DataFileError

ROWS = "a,b\n1,x\n2,y\n"


def read(tmp_path, content, rows=100, **options):
    """The file, and all that it holds."""
    path = tmp_path / "data.csv"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    file = DelimitedFile(path, **options)
    return file, joined(list(file.parts(rows)))


@pytest.mark.parametrize(
    ("content", "encoding", "sign"),
    [
        (ROWS, "utf-8", ","),
        (ROWS.replace(",", ";"), "utf-8", ";"),
        (ROWS.replace(",", "|"), "utf-8", "|"),
        ("\ufeff" + ROWS.replace(",", "\t"), "utf-8-sig", "\t"),
        (ROWS.encode("utf-16"), "utf-16", ","),
        ("\n\n" + ROWS, "utf-8", ","),
        (ROWS.replace("\n", "\r\n"), "utf-8", ","),
    ],
)
def test_encodings_and_separators_are_found(tmp_path, content, encoding, sign):
    file, found = read(tmp_path, content)
    assert (file.file_encoding, file.separator) == (encoding, sign)
    pd.testing.assert_frame_equal(found.frame, pd.DataFrame({"a": [1, 2], "b": ["x", "y"]}))
    assert not found.broken


def test_what_is_given_is_not_guessed(tmp_path):
    _, found = read(tmp_path, "a:b,c\n1:2,3\n", separator=":")
    assert found.frame.to_dict("list") == {"a": [1], "b,c": ["2,3"]}
    _, found = read(tmp_path, "a,b\né,1\n".encode("cp1252"), file_encoding="cp1252")
    assert found.frame["a"].tolist() == ["é"]


def test_gzip_is_read_too(tmp_path):
    path = tmp_path / "data.csv.gz"
    path.write_bytes(gzip.compress(ROWS.encode()))
    assert len(joined(list(DelimitedFile(path).parts(100))).frame) == 2


def test_rows_that_do_not_fit_are_told_by_line_and_others_kept(tmp_path):
    text = 'a,b,c\n1,x,2\n2,y\n3,z,4,5\n5,u,\n\n6,"k\nl",9\n'
    _, found = read(tmp_path, text)
    assert found.frame["a"].tolist() == [1, 5, 6]
    assert found.lines.tolist() == [2, 5, 7]
    assert [(row.line, row.content) for row in found.broken] == [(3, "2,y"), (4, "3,z,4,5")]


@pytest.mark.parametrize("lines", [5, 30_000])
def test_a_quote_that_is_never_closed_costs_its_own_line_only(tmp_path, lines):
    rows = [f"{number},{'x' * 50}" for number in range(lines)]
    rows[2] = f'"{rows[2]}'
    _, found = read(tmp_path, "\n".join(["a,b", *rows]) + "\n", rows=20_000)
    assert found.frame["a"].tolist() == [0, 1, *range(3, lines)]
    (row,) = found.broken
    assert (row.line, row.reason) == (4, "a quote that is never closed")


def test_a_value_of_several_lines_may_stand_where_a_part_ends(tmp_path):
    text = "a,b\n" + "".join(f'{number},"k\nl"\n' for number in range(50))
    _, found = read(tmp_path, text, rows=7)
    assert found.frame["a"].tolist() == list(range(50))
    assert found.lines.tolist() == list(range(2, 102, 2))
    assert not found.broken


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"", "is empty"),
        (b"\n \n", "is empty"),
        (b"1,2\n3,4\n", "needs a first row with the names of its columns; it has 1, 2"),
        (bytes(range(256)), "not a text file"),
    ],
)
def test_what_is_no_table_is_refused_in_words(tmp_path, content, told):
    with pytest.raises(DataFileError, match=told):
        read(tmp_path, content)


def test_files_and_encodings_that_do_not_exist_are_refused(tmp_path):
    with pytest.raises(DataFileError, match="cannot be read"):
        DelimitedFile(tmp_path / "nowhere.csv")
    with pytest.raises(DataFileError, match="no encoding is called 'utf-9'"):
        read(tmp_path, ROWS, file_encoding="utf-9")
    with pytest.raises(
        DataFileError, match=r"is not ascii text: give another with file_encoding=\.\.\."
    ):
        read(tmp_path, "a,b\né,1\n", file_encoding="ascii")


def test_codes_keep_their_leading_zeros(tmp_path):
    path = tmp_path / "data.csv"
    path.write_text("zip,age\n01067,20\n89073,07\n10115,30,surplus\n")
    frame = joined(list(DelimitedFile(path).parts(100))).frame
    assert frame["zip"].tolist() == ["01067", "89073"]
    assert frame["age"].tolist() == ["20", "07"]


@pytest.mark.parametrize("text", ['{"a": 1, "b": 2}\n', '\n[{"a": 1}]'])
def test_json_is_refused_as_such(tmp_path, text):
    (tmp_path / "data.csv").write_text(text)
    with pytest.raises(DataFileError, match="looks like JSON: save it as CSV"):
        DelimitedFile(tmp_path / "data.csv")


def test_a_stray_quote_before_a_long_field_is_set_aside_with_its_line(tmp_path):
    """Longer than the csv module takes, and within the lines in which the separator is found."""
    path = tmp_path / "log.csv"
    rows = [f"{number},x\n" for number in range(50)]
    path.write_text("".join(["age,town\n", *rows, '"' + "y" * 200_000 + "\n", *rows]))
    (part,) = DelimitedFile(path).parts(1000)
    assert [(row.line, row.reason) for row in part.broken] == [(52, "a quote that is never closed")]
    assert len(part.frame) == 100
