import re

from hybandit.experiments import Run, Store
from hybandit.reports.figures import Picture
from hybandit.reports.page import Section, page, write_report
from hybandit.reports.tables import TableView


def sections():
    table = TableView("numbers", "Numbers", ["a", "b"], [["x", "1"]])
    return [Section("one", "One & two", "About <it>.", [table], [Picture("pic", "A line", b"png")])]


def test_a_page_refers_to_nothing_outside_itself(tmp_path):
    text = page("Title", sections(), Store(tmp_path / "s.sqlite"))
    assert not re.search(r"(src|href)='(?!data:|#)", text)
    assert "About &lt;it&gt;." in text
    assert "http" not in text


def test_a_report_is_a_page_with_csv_and_png_beside_it(tmp_path):
    store = Store(tmp_path / "s.sqlite")
    path = write_report("Title", sections(), store, tmp_path / "out")
    assert path.name == "report.html"
    assert (tmp_path / "out" / "numbers.csv").read_text() == "a,b\nx,1\n"
    assert (tmp_path / "out" / "pic.png").read_bytes() == b"png"
    assert sorted(each.name for each in (tmp_path / "out").iterdir()) == [
        "numbers.csv", "pic.png", "report.html", "report.md",
    ]  # fmt: skip


def test_the_page_says_where_its_numbers_come_from(tmp_path, monkeypatch):
    from hybandit.experiments import PolicySpec, Task, World

    store = Store(tmp_path / "s.sqlite")
    store.note("command", "hybandit compare --runs 1")
    run = Run(rounds=1, reward=1.0, regret=0.0, seconds=0.1)
    store.add(Task(World("w"), PolicySpec("ucb"), 0), run, machine="a machine")
    text = page("Title", [], store)
    assert "hybandit compare --runs 1" in text
    assert "1 runs by hybandit" in text
    assert "a machine" in text
