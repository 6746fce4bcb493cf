"""A table for the terminal, Markdown, CSV and HTML."""

from __future__ import annotations

import csv
import html
import io
from dataclasses import dataclass

from rich import box
from rich.table import Table as RichTable


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

    def rich(self) -> RichTable:
        table = RichTable(
            title=self.title or None,
            caption=self.note or None,
            box=box.SIMPLE_HEAD,
            title_justify="left",
            caption_justify="left",
        )
        for number, column in enumerate(self.columns):
            table.add_column(column, justify="left" if number < self.left else "right")
        for number, row in enumerate(self.rows):
            table.add_row(*row, style="bold" if number == self.best else "")
        return table

    def markdown(self) -> str:
        lines = [
            f"**{self.title}**",
            "",
            f"| {' | '.join(self.columns)} |",
            f"|{'|'.join('---' if n < self.left else '---:' for n in range(len(self.columns)))}|",
            *(f"| {' | '.join(row)} |" for row in self.rows),
        ]
        return "\n".join([*lines, *(["", self.note] if self.note else [])]) + "\n"

    def csv(self) -> str:
        out = io.StringIO()
        csv.writer(out, lineterminator="\n").writerows([self.columns, *self.rows])
        return out.getvalue()

    def html(self) -> str:
        head = "".join(self._entry("th", n, column) for n, column in enumerate(self.columns))
        body = "".join(
            f"<tr{' class=best' if number == self.best else ''}>"
            + "".join(self._entry("td", n, entry) for n, entry in enumerate(row))
            + "</tr>"
            for number, row in enumerate(self.rows)
        )
        note = f"<p class=note>{html.escape(self.note)}</p>" if self.note else ""
        return (
            f"<h3>{html.escape(self.title)}</h3><div class=wide><table>"
            f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>{note}"
        )

    def _entry(self, tag: str, column: int, text: str) -> str:
        side = " class=left" if column < self.left else ""
        return f"<{tag}{side}>{html.escape(text)}</{tag}>"
