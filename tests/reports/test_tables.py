import io

from rich.console import Console

from hybandit.experiments.section import Column, Table
from hybandit.experiments.spread import Spread
from hybandit.reports.tables import TableView, csv_of

VALUES = Table(
    "t",
    "A <title> [b]",
    [Column("name"), Column("value", Spread), Column("speed", float)],
    [["a|b", Spread(1.0, 0.5, 3), 1234.5], ["<c> [red]", None, None]],
    "A note.",
    best=1,
)
TABLE = TableView.of(VALUES)


def test_html_is_escaped():
    page = TABLE.html()
    assert "<c>" not in page
    assert "&lt;c&gt;" in page
    assert "class=best" in page


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
