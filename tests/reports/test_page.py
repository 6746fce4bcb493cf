import base64
import re

from hybandit.experiments import EnvironmentSpec, PolicySpec, Run, Store, Task
from hybandit.experiments.provenance import provenance
from hybandit.reports.figures import draw
from hybandit.reports.page import markdown, page, write_report
from hybandit.reports.section import Column, Line, Lines, ReportTable, Section, Sentence

TABLE = ReportTable("numbers", "Numbers", [Column("a"), Column("b", float)], [["x", 1.0]])
FIGURE = Lines("pic", "A line", {"": [Line("a", "ucb", [1, 2], [1, 2])]}, "x", "y")
SECTION = Section("one", "One & two", "About <it>.", [TABLE], [FIGURE])


def test_a_page_refers_to_nothing_outside_itself(tmp_path):
    store = Store(tmp_path / "s.sqlite")
    text = page("Title", [SECTION], {"one": [draw(FIGURE)]}, provenance(store))
    assert not re.search(r"(src|href|srcset)='(?!data:|#)", text)
    assert "About &lt;it&gt;." in text
    assert "http" not in text


def test_a_report_is_a_page_with_csv_and_png_beside_it(tmp_path):
    store = Store(tmp_path / "s.sqlite")
    path = write_report("Title", [SECTION], provenance(store), tmp_path / "out")
    assert path.name == "report.html"
    assert (tmp_path / "out" / "numbers.csv").read_text() == "a,b\nx,1.0\n"
    assert (tmp_path / "out" / "pic.png").read_bytes() == draw(FIGURE).png
    assert "![A line](pic.png)" in (tmp_path / "out" / "report.md").read_text()
    assert sorted(each.name for each in (tmp_path / "out").iterdir()) == [
        "numbers.csv", "pic.png", "report.html", "report.md",
    ]  # fmt: skip


def test_the_page_says_where_its_numbers_come_from(tmp_path):
    store = Store(tmp_path / "s.sqlite")
    store.note("command", "hybandit compare --runs 1")
    run = Run(rounds=1, reward=1.0, regret=0.0, seconds=0.1)
    environment = EnvironmentSpec("synthetic", {"kind": "linear"})
    store.add(Task(environment, PolicySpec("ucb"), 0), run, machine="a machine")
    text = page("Title", [], {}, provenance(store))
    assert "hybandit compare --runs 1" in text
    moment = r"\d{4}-\d\d-\d\d \d\d:\d\d"
    assert re.search(rf"1 run by hybandit \S+ on a machine, {moment} to {moment} UTC<", text)


MORE = ReportTable("more", "More", [Column("c")], [["z"]])
ANSWER = Section(
    "one", "Title, 5 runs", "How.", [TABLE], [FIGURE],
    verdict="A <won>.", watch=["few events"], details=[MORE],
)  # fmt: skip


def test_the_verdict_stands_first_and_what_to_watch_out_for_after_the_curves(tmp_path):
    store = Store(tmp_path / "s.sqlite")
    write_report("Title", [ANSWER], provenance(store), tmp_path)
    for name, verdict in (("report.html", "A &lt;won&gt;."), ("report.md", "A <won>.")):
        text = (tmp_path / name).read_text()
        places = [
            text.index(part)
            for part in (verdict, "How.", "Numbers", "A line", "What to watch out for", "More")
        ]
        assert places == sorted(places)
        assert "few events" in text
    assert (tmp_path / "more.csv").read_text() == "c\nz\n"


def test_a_page_of_one_section_has_one_title(tmp_path):
    store = Store(tmp_path / "s.sqlite")
    alone = page("Title", [ANSWER], {"one": []}, provenance(store))
    assert "<h2>Title, 5 runs" not in alone
    assert "<nav>" not in alone
    same = Section(
        "one", "Title, 5 runs", "", [ReportTable("t", "Title, 5 runs", [Column("c")], [["z"]])]
    )
    assert ">Title, 5 runs<" not in page("Title", [same], {"one": []}, provenance(store))
    assert "## Title" not in markdown("Title", [same], provenance(store))
    other = Section("two", "Other", "")
    both = page("Title", [ANSWER, other], {"one": [], "two": []}, provenance(store))
    assert "<h2>Title, 5 runs</h2>" in both
    assert "<a href='#two'>Other</a>" in both


def test_conclusions_lead_to_their_tables(tmp_path):
    store = Store(tmp_path / "s.sqlite")
    first = Section("c", "Conclusions", "", sentences=[Sentence("A <wins>.", "numbers")])
    write_report("Title", [first, SECTION], provenance(store), tmp_path)
    text = (tmp_path / "report.html").read_text()
    assert "<li>A &lt;wins&gt;. <a href='#table-numbers'>table</a></li>" in text
    assert text.count("id='table-numbers'") == 1
    plain = (tmp_path / "report.md").read_text()
    assert "1. A <wins>. ([table](#table-numbers))" in plain
    assert '<a id="table-numbers"></a>**Numbers**' in plain


def test_long_tables_of_details_are_folded_away(tmp_path):
    store = Store(tmp_path / "s.sqlite")
    long = ReportTable("long", "Long", [Column("c")], [["z"]] * 31)
    both = Section("one", "One", "", details=[long, MORE])
    text = page("Title", [both], {"one": []}, provenance(store))
    assert text.count("<details>") == 1
    assert text.index("<summary>Long</summary>") < text.index("More")


def test_light_pages_have_the_light_picture_and_dark_ones_the_dark(tmp_path):
    store = Store(tmp_path / "s.sqlite")
    picture = draw(FIGURE)
    text = page("Title", [SECTION], {"one": [picture]}, provenance(store))
    light, dark = (base64.b64encode(each).decode() for each in (picture.png, picture.dark))
    assert f"(prefers-color-scheme: dark)' srcset='data:image/png;base64,{dark}'" in text
    assert f"<img alt='A line' width={picture.width} src='data:image/png;base64,{light}'" in text
    assert "<figcaption>A line</figcaption>" in text
    phone = (base64.b64encode(each).decode() for each in picture.narrow)
    for png, media in zip(
        phone, ("(max-width: 40rem)", "40rem) and (prefers-color-scheme: dark)"), strict=False
    ):
        assert f"{media}' srcset='data:image/png;base64,{png}'" in text
