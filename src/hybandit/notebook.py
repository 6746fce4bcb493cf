"""How objects look in a notebook: one form for all, with everything escaped."""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence

# Longer tables are cut off.
MOST_ROWS = 30
LEFT, RIGHT = "text-align:left", "text-align:right"


def card(
    title: str,
    facts: Iterable[tuple[str, object]] = (),
    *,
    told: Iterable[str] = (),
    heads: Sequence[str] = (),
    rows: Iterable[Sequence[object]] = (),
) -> str:
    """HTML of a title, sentences, named facts, and a table whose first column names its rows.

    Examples
    --------
    >>> card("Status", [("events", "<3>")])[:60]
    '<div><strong>Status</strong><table><tr><th style="text-align'
    """
    parts = [f"<strong>{html.escape(title)}</strong>"]
    parts += [f"<p>{html.escape(sentence)}</p>" for sentence in told]
    named = "".join(_row([name, value], LEFT) for name, value in facts)
    parts += [f"<table>{named}</table>"] if named else []
    every = list(rows)
    body = "".join(_row(row, RIGHT) for row in every[:MOST_ROWS])
    if body:
        head = "".join(_entry("th", each, RIGHT if n else LEFT) for n, each in enumerate(heads))
        table = f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
        parts.append(f'<div style="overflow-x:auto">{table}</div>')
    if len(every) > MOST_ROWS:
        parts.append(f"<p>and {len(every) - MOST_ROWS:,} more</p>")
    return f"<div>{''.join(parts)}</div>"


def _row(row: Sequence[object], side: str) -> str:
    name, *values = row
    cells = "".join(_entry("td", value, side) for value in values)
    return f"<tr>{_entry('th', name, LEFT)}{cells}</tr>"


def _entry(tag: str, value: object, side: str) -> str:
    text = "-" if value is None else str(value)
    return f'<{tag} style="{side}">{html.escape(text)}</{tag}>'
