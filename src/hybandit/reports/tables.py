"""A table for the terminal, Markdown, CSV and HTML."""

from __future__ import annotations

import csv
import html
import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Literal

from rich import box
from rich.cells import cell_len
from rich.console import Console, ConsoleOptions
from rich.measure import Measurement
from rich.table import Table as RichTable
from rich.text import Text

from hybandit.datasets.reading import LAYOUT
from hybandit.reports.section import ReportTable, Worded

# Tables with more columns are set smaller.
MANY = 8
# Beside a column in a terminal.
PADDING = 2
# Where a line may end: after a space, or before the class or a setting of a policy's name.
PIECES = re.compile(r"(?<=\s)(?=\S)|(?<=[:,])(?=[A-Za-z_])")
# A space at which no line ends.
FIRM = "\N{NO-BREAK SPACE}"


@dataclass(frozen=True)
class Cell:
    """Text for the terminal whose lines end after words or, in a policy's name, between settings.

    Examples
    --------
    >>> Cell("lin-ucb:alpha=0.5,reg=20").lines(18)
    ['lin-ucb:alpha=0.5,', 'reg=20']
    """

    text: str

    def lines(self, width: int) -> list[str]:
        """The text in lines of at most this width, or of one piece that cannot be broken."""
        lines = [""]
        for piece in PIECES.split(self.text):
            if lines[-1] and cell_len(f"{lines[-1]}{piece}".rstrip()) > width:
                lines.append("")
            lines[-1] += piece
        return [line.rstrip() for line in lines]

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        narrowest = max(map(cell_len, self.lines(0)))
        return Measurement(narrowest, max(map(cell_len, self.text.split("\n"))))

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Text]:
        yield Text("\n".join(self.lines(options.max_width)), overflow="fold")


@dataclass(frozen=True)
class TableView:
    """Rows of text; all but the first `left` columns are set right. `best` stands out."""

    name: str
    title: str
    columns: list[str]
    rows: list[list[str]]
    note: str = ""
    left: int = 1
    best: int | None = None

    @classmethod
    def of(cls, table: ReportTable) -> TableView:
        """A table of values, as people read it."""
        columns = table.columns
        found = [
            column.texts([row[number] for row in table.rows])
            for number, column in enumerate(columns)
        ]
        rows = [list(row) for row in zip(*found, strict=True)]
        left = sum(1 for _ in takewhile(lambda column: column.kind in (str, Worded), columns))
        heads = [column.head for column in columns]
        return cls(table.name, table.title, heads, rows, table.note, left, table.best)

    def rich(self) -> Fitted:
        """For a terminal, where a table that is too wide is shown in parts."""
        return Fitted(self)

    def part(self, columns: Sequence[int]) -> TableView:
        """Some of its columns, without title and note."""
        rows = [[row[number] for number in columns] for row in self.rows]
        heads = [self.columns[number] for number in columns]
        return replace(self, title="", note="", columns=heads, rows=rows)

    def rich_table(self) -> RichTable:
        table = RichTable(
            title=Text(self.title) if self.title else None,
            box=box.SIMPLE_HEAD,
            show_header=any(self.columns),
            **LAYOUT,
        )
        for number, column in enumerate(self.columns):
            side: Literal["left", "right"] = "left" if number < self.left else "right"
            table.add_column(
                Text(column), justify=side, overflow="fold", no_wrap=number >= self.left
            )
        for number, row in enumerate(self.rows):
            table.add_row(*map(Cell, row), style="bold" if number == self.best else "")
        return table

    def markdown(self) -> str:
        rows = [[entry.replace("|", "\\|") for entry in row] for row in [self.columns, *self.rows]]
        head, *body = (f"| {' | '.join(row)} |" for row in rows)
        sides = "|".join("---" if n < self.left else "---:" for n in range(len(self.columns)))
        title = [f'<a id="{anchor(self.name)}"></a>**{self.title}**', ""] if self.title else []
        lines = [*title, head, f"|{sides}|", *body]
        return "\n".join([*lines, *(["", self.note] if self.note else [])]) + "\n"

    def html(self) -> str:
        """The table and its note; the title is only told to those who cannot see it.

        A wide table scrolls, with the keyboard too.
        """
        head = "".join(self._entry("th", n, column) for n, column in enumerate(self.columns))
        body = "".join(
            f"<tr{' class=best' if number == self.best else ''}>"
            + "".join(self._entry("td", n, entry) for n, entry in enumerate(row))
            + "</tr>"
            for number, row in enumerate(self.rows)
        )
        note = f"<p class=note>{html.escape(self.note)}</p>" if self.note else ""
        label = html.escape(self.title, quote=True)
        kind = "wide many" if len(self.columns) > MANY else "wide"
        return (
            f"<div class='{kind}' id='{anchor(self.name)}' role=region tabindex=0 "
            f"aria-label='{label}'><table>"
            f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>{note}"
        )

    def _entry(self, tag: str, column: int, text: str) -> str:
        if column < self.left:
            return f"<{tag} class=left>{html.escape(text)}</{tag}>"
        return f"<{tag}>{html.escape(text if tag == 'th' else firm(text))}</{tag}>"


@dataclass(frozen=True)
class Fitted:
    """A table in a terminal: where it is too wide, parts that all have the columns of names."""

    view: TableView

    def __rich_console__(
        self, console: Console, options: ConsoleOptions
    ) -> Iterator[RichTable | Text]:
        view, names = self.view, list(range(self.view.left))
        parts: list[list[int]] = [[]]
        for number in range(view.left, len(view.columns)):
            if parts[-1] and self._width([*names, *parts[-1], number]) > options.max_width:
                parts.append([])
            parts[-1].append(number)
        for number, columns in enumerate(parts):
            yield replace(
                view.part([*names, *columns]),
                title="" if number else view.title,
            ).rich_table()
        if view.note:
            # As wide as the terminal: as a caption it would be as narrow as the table.
            yield Text(view.note, style="dim")

    def _width(self, columns: Sequence[int]) -> int:
        """The least in which names break between words, and numbers before an interval only."""
        return sum(PADDING + max(self._widths(number)) for number in columns) + PADDING

    def _widths(self, number: int) -> Iterator[int]:
        yield from map(cell_len, Cell(self.view.columns[number]).lines(0))
        for row in self.view.rows:
            text = row[number]
            pieces = Cell(text).lines(0) if number < self.view.left else text.split(" [")
            yield from map(cell_len, pieces)


def firm(text: str) -> str:
    """Numbers stay on a line; an interval may go to the next."""
    return text.replace(" ", FIRM).replace(f"{FIRM}[", " [")


def anchor(name: str) -> str:
    """Where links to a table lead."""
    return f"table-{name}"


def records_of(table: ReportTable) -> list[dict[str, object]]:
    """The rows for JSON, by the names of the CSV file's columns; what is missing is None."""
    names, *rows = _numbers(table)
    found = [[None if number == "" else number for number in row] for row in rows]
    return [dict(zip(map(str, names), row, strict=True)) for row in found]


def csv_of(table: ReportTable) -> str:
    """A table of values for programs: every number in a column of its own."""
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(_numbers(table))
    return out.getvalue()


def _numbers(table: ReportTable) -> Iterator[list[object]]:
    """The names of the columns in CSV files, then the numbers of each row."""
    yield [name for column in table.columns for name in column.csv_names]
    for row in table.rows:
        pairs = zip(table.columns, row, strict=True)
        yield [number for column, value in pairs for number in column.numbers(value)]
