import pytest
from messy import log_frame, people, written

from hybandit.errors import DataFileError
from hybandit.experiments.user_files import (
    content_of,
    file_identity,
    file_settings,
    labelled,
    logged,
    set_aside,
    summary,
    summary_table,
)

LABEL = {"label": "bought"}


def test_a_file_is_known_by_its_content_not_by_its_place(tmp_path):
    first, second = written(tmp_path, people(), "a.csv"), written(tmp_path, people(), "b.csv")
    identities = [file_identity(file_settings(str(path), LABEL)) for path in (first, second)]
    assert identities[0] == identities[1]
    second.write_text(second.read_text().replace("Ulm", "Bonn", 1))
    assert file_identity(file_settings(str(second), LABEL)) != identities[0]


def test_a_file_that_is_not_there_or_cannot_be_read_is_named(tmp_path):
    with pytest.raises(DataFileError, match=r"there is no file missing\.csv"):
        file_settings("missing.csv", {})
    with pytest.raises(
        DataFileError, match="is a folder without Parquet files: name the file in it"
    ):
        file_settings(str(tmp_path), {})
    with pytest.raises(DataFileError, match="cannot be read"):
        content_of(str(tmp_path))


@pytest.mark.parametrize("read", [labelled, logged])
def test_a_file_that_changes_on_the_way_is_refused(tmp_path, read):
    path = written(tmp_path, people())
    content = content_of(str(path))
    path.write_text(path.read_text().replace("Ulm", "Bonn"))
    with pytest.raises(DataFileError, match="has changed since the command started"):
        read(str(path), content, LABEL)


def test_a_file_is_read_once_for_all_tasks(tmp_path):
    path = written(tmp_path, log_frame())
    content, options = content_of(str(path)), {"arm": "action", "reward": "clicked"}
    first = logged(str(path), content, options)
    path.unlink()
    assert logged(str(path), content, options) is first


def test_rows_set_aside_are_one_sentence_or_none(tmp_path):
    frame = people()
    assert set_aside(labelled(str(written(tmp_path, frame)), None, LABEL)[1]) == []
    frame.loc[:2, "bought"] = None
    reading = labelled(str(written(tmp_path, frame, "gaps.csv")), None, LABEL)[1]
    assert set_aside(reading) == ["3 rows were set aside, see set-aside.csv"]
    assert set_aside(None) == []


def test_the_report_tells_every_column_and_why(tmp_path):
    path = written(tmp_path, people(code=range(200)), "mine.csv")
    table = summary_table(summary(labelled(str(path), None, LABEL)[1]))
    assert table.title == "What was read from mine.csv"
    told = {row[0]: row[1:] for row in table.rows}
    assert told["bought"][0] == "label"
    assert told["code"][:2] == ["dropped", "id"]
    assert told["town"] == ["feature", "category", "3 different values", 3]
    assert table.note.startswith("200 of 200 rows used, 5 features")
