import io
import re

import pytest
from rich.console import Console

from hybandit.reports.section import Column, ReportTable
from hybandit.reports.spread import Difference, Spread
from hybandit.reports.tables import FIRM, Cell, TableView, csv_of, records_of

VALUES = ReportTable(
    "t",
    "A <title> [b]",
    [Column("name"), Column("value", Spread), Column("speed", float)],
    [["a|b", Spread(1.0, 0.5, 3), 1234.5], ["<c> [red]", None, None]],
    "A note.",
    best=1,
)
TABLE = TableView.of(VALUES)


def test_markdown_holds_every_row_and_no_cell_opens_another():
    assert "| <c> [red] | - | - |" in TABLE.markdown()
    assert "| a\\|b | 1.00 ± 0.50 | 1,234 |" in TABLE.markdown()
    assert "|---|---:|---:|" in TABLE.markdown()


def test_csv_has_every_number_in_a_column_of_its_own():
    assert csv_of(VALUES) == (
        "name,value mean,value sd,value runs,speed\na|b,1.0,0.5,3,1234.5\n<c> [red],,,,\n"
    )


def test_the_terminal_shows_text_as_it_is():
    out = io.StringIO()
    Console(width=80, file=out).print(TABLE.rich())
    text = out.getvalue()
    for part in ("A <title> [b]", "<c> [red]", "A note.", "1.00 ± 0.50"):
        assert part in text


def rows_of(page):
    """Entries of each row with whether they are set left, and whether the row stands out."""
    return [
        (
            "class=best" in row,
            [
                (bool(side), text)
                for side, text in re.findall(r"<t[hd]( class=left)?>([^<]*)<", row)
            ],
        )
        for row in re.findall(r"<tr.*?</tr>", page)
    ]


def test_on_a_page_every_entry_is_in_its_place_and_only_the_best_row_stands_out():
    assert rows_of(TABLE.html()) == [
        (False, [(True, "name"), (False, "value"), (False, "speed")]),
        (False, [(True, "a|b"), (False, f"1.00{FIRM}±{FIRM}0.50"), (False, "1,234")]),
        (True, [(True, "&lt;c&gt; [red]"), (False, "-"), (False, "-")]),
    ]


@pytest.mark.parametrize("kind", ["html", "markdown"])
def test_the_note_stands_below_its_table(kind):
    shown = getattr(TABLE, kind)()
    assert shown.index("A note.") > shown.index("[red]")
    bare = getattr(TableView("t", "T", ["a"], [["x"]]), kind)()
    assert "note" not in bare


def test_in_a_terminal_the_note_is_as_wide_as_that_and_not_as_its_table():
    note = "A note of many words that stand side by side, below a table of one letter"
    console = Console(width=80, file=io.StringIO())
    console.print(TableView("t", "", ["a"], [["x"]], note).rich())
    assert console.file.getvalue().splitlines()[-1] == note


def test_numbers_are_not_broken_but_an_interval_may_go_to_the_next_line():
    page = TableView("t", "T", ["a b", "c d"], [["x y", "+5 [1, 9]"]]).html()
    assert rows_of(page) == [
        (False, [(True, "a b"), (False, "c d")]),
        (False, [(True, "x y"), (False, f"+5 [1,{FIRM}9]")]),
    ]


@pytest.mark.parametrize(("count", "small"), [(8, False), (9, True)])
def test_tables_of_many_columns_are_set_smaller(count, small):
    page = TableView("t", "T", ["a"] * count, [["x"] * count]).html()
    assert ("class='wide many'" in page) == small


def test_records_have_the_names_of_the_csv_file_and_none_for_what_is_missing():
    assert records_of(VALUES) == [
        {"name": "a|b", "value mean": 1.0, "value sd": 0.5, "value runs": 3, "speed": 1234.5},
        {"name": "<c> [red]", "value mean": None, "value sd": None, "value runs": None,
         "speed": None},
    ]  # fmt: skip


def test_in_a_terminal_a_name_breaks_between_settings_only():
    name = "npr:temperature=0.05,learning_rate=0.25"
    table = TableView("t", "", ["policy", "speed"], [[name, "1,000"]])
    console = Console(width=35, file=io.StringIO())
    console.print(table.rich())
    assert [line.split() for line in console.file.getvalue().splitlines()[2:]] == [
        ["npr:temperature=0.05,", "1,000"], ["learning_rate=0.25"],
    ]  # fmt: skip


def test_a_number_in_a_sentence_is_not_broken():
    assert Cell("a whole number from 1 to 1,000,000,000").lines(26) == [
        "a whole number from 1 to", "1,000,000,000",
    ]  # fmt: skip
    assert Cell("").lines(5) == [""]


def test_numbers_of_a_column_are_written_in_one_way():
    columns = [Column("policy"), Column("regret", Spread), Column("more", Difference)]
    rows = [
        ["ucb", Spread(7.123, 1.44, 5), None],
        ["lin", Spread(1115.2, 71.04, 5), Difference(0.041, -0.3, 12.0, 5)],
    ]
    view = TableView.of(ReportTable("t", "", columns, rows))
    assert [row[1] for row in view.rows] == ["7.1 ± 1.4", "1,115.2 ± 71.0"]
    assert view.rows[1][2] == "+0.0 [-0.3, +12.0]"


@pytest.mark.parametrize("width", [40, 80, 200])
def test_no_part_of_a_table_that_is_too_wide_loses_the_names_of_its_rows(width):
    heads = ["policy", *(f"column {number}" for number in range(9))]
    rows = [[f"policy-{row}", *("12.34 ± 5.67" for _ in range(9))] for row in range(3)]
    console = Console(width=width, file=io.StringIO())
    console.print(TableView("t", "The title", heads, rows, "The note").rich())
    text = console.file.getvalue()
    parts = text.count("policy-1")
    assert (parts > 1) is (width < 200)
    assert text.count("12.34 ± 5.67") == 27
    assert text.count("The title") == text.count("The note") == 1
    assert all(f"column {number}" in text for number in range(9))
    assert text.count("policy-0") == text.count("policy-2") == parts
