from pathlib import Path

import pytest

from hybandit.experiments.folders import new_folder, point_latest


def test_every_report_has_a_folder_of_its_own(tmp_path):
    folders = [new_folder(tmp_path, "digits") for _ in range(5)]
    assert len(set(folders)) == 5
    assert all(folder.is_dir() for folder in folders)


@pytest.mark.parametrize(
    ("data", "end"), [("my $data$ [1].csv", "my-data-1"), ("...", "data"), ("a/b.csv", "b")]
)
def test_a_folder_s_name_is_plain(tmp_path, data, end):
    folder = new_folder(tmp_path, data)
    assert folder.parent == tmp_path
    assert folder.name.endswith(f"-{end}")


def test_latest_leads_to_the_last_one(tmp_path):
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        point_latest(tmp_path / name)
    assert (tmp_path / "latest").resolve() == tmp_path / "two"
    assert sorted(each.name for each in tmp_path.iterdir()) == ["latest", "one", "two"]


def test_where_links_are_not_allowed_a_file_names_it(tmp_path, monkeypatch):
    def refuse(*_, **__):
        raise OSError("no links here")

    monkeypatch.setattr(Path, "symlink_to", refuse)
    (tmp_path / "one").mkdir()
    point_latest(tmp_path / "one")
    assert (tmp_path / "latest.txt").read_text() == "one\n"
