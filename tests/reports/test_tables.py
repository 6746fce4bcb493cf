from hybandit.reports.tables import TableView

ROWS = [["a|b", "1"], ["<c>", "2"]]
TABLE = TableView("t", "A <title>", ["name", "value"], ROWS, "A note.", best=1)


def test_html_is_escaped():
    page = TABLE.html()
    assert "<c>" not in page
    assert "&lt;c&gt;" in page
    assert "class=best" in page


def test_markdown_and_csv_hold_every_row():
    assert "| <c> | 2 |" in TABLE.markdown()
    assert TABLE.csv() == "name,value\na|b,1\n<c>,2\n"


def test_the_terminal_table_has_title_note_and_rows():
    table = TABLE.rich()
    assert table.title == "A <title>"
    assert table.caption == "A note."
    assert table.row_count == 2
