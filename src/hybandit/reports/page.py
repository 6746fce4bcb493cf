"""A report on disk: one self-contained HTML page, with CSV and PNG beside it."""

from __future__ import annotations

import base64
import html
import platform
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from pathlib import Path

from hybandit.atomic import atomic_write
from hybandit.reports.figures import Picture, draw
from hybandit.reports.section import ReportTable, Section
from hybandit.reports.tables import TableView, anchor, csv_of

WATCH_OUT = "What to watch out for"
# Tables longer than this are folded away, at the end of a section.
LONG = 30
DARK, NARROW = "(prefers-color-scheme: dark)", "(max-width: 40rem)"
STYLE = """
:root { color-scheme: light dark; --paper: #fff; --ink: #1b1b1b; --faint: #555; --line: #ccc;
        --rule: #333; --hair: #e5e5e5; --warn: #fff6e5; --link: #0b5cad; }
@media (prefers-color-scheme: dark) {
  :root { --paper: #16181c; --ink: #e6e6e6; --faint: #a8a8a8; --line: #444; --rule: #999;
          --hair: #2c2f34; --warn: #33290f; --link: #7db8f0; }
}
body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper);
       max-width: 76rem; margin: 2rem auto; padding: 0 1rem; }
p, ol, ul { max-width: 52rem; } a { color: var(--link); }
h1 { font-size: 1.7rem; } h2 { margin-top: 3rem; border-bottom: 1px solid var(--line); }
h2.small { font-size: 1.1rem; margin: 1.6rem 0 .4rem; border: 0; }
h3 { font-size: 1rem; margin: 1.6rem 0 .4rem; }
ol.conclusions li { margin: .55rem 0; }
.wide { overflow-x: auto; margin: 1rem 0 .4rem; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: .9rem; }
th, td { padding: .3rem 1.1rem .3rem 0; text-align: right; vertical-align: top; }
th.left, td.left { text-align: left; }
td.left:first-child { min-width: 7.5em; }
.many table { font-size: .8rem; } .many th, .many td { padding-right: .7rem; }
thead th { border-bottom: 2px solid var(--rule); vertical-align: bottom; }
tbody td { border-bottom: 1px solid var(--hair); }
tr.best td { font-weight: 700; }
.verdict { font-size: 1.15rem; border-left: 4px solid #D55E00; padding-left: 1rem; }
.watch { background: var(--warn); padding: .1rem 1rem; } .watch ul { padding-left: 1.2rem; }
figure { margin: 1.4rem 0; } img { display: block; width: 100%; height: auto; }
figcaption, .note, footer { color: var(--faint); font-size: .85rem; overflow-wrap: anywhere; }
@media (max-width: 40rem) {
  table, .many table { font-size: .75rem; } th, td { padding-right: .6rem; }
  th:first-child, td:first-child { position: sticky; left: 0; background: var(--paper); }
  .scrolls img { width: 52rem; }
  .verdict { font-size: 1rem; }
}
nav li { display: inline-block; margin-right: 1.2rem; } nav ul { padding: 0; list-style: none; }
"""


def write_report(
    title: str, sections: Sequence[Section], origin: Sequence[str], folder: Path
) -> Path:
    """Write report.html and report.md, every table and picture; returns the page's path.

    `origin` tells where the numbers come from (`hybandit.experiments.provenance`).
    """
    folder.mkdir(parents=True, exist_ok=True)
    pictures = {section.id: [draw(figure) for figure in section.figures] for section in sections}
    for section in sections:
        for table in [*section.tables, *section.details]:
            _write(folder / f"{table.name}.csv", csv_of(table).encode())
        for picture in pictures[section.id]:
            _write(folder / f"{picture.name}.png", picture.png)
    _write(folder / "report.md", markdown(title, sections, origin).encode())
    path = folder / "report.html"
    _write(path, page(title, sections, pictures, origin).encode())
    return path


def page(
    title: str,
    sections: Sequence[Section],
    pictures: Mapping[str, Sequence[Picture]],
    origin: Sequence[str],
) -> str:
    """The whole page as text; it refers to nothing outside itself."""
    several = len(sections) > 1
    links = "".join(
        f"<li><a href='#{section.id}'>{html.escape(section.title)}</a></li>" for section in sections
    )
    body = "".join(_section(section, pictures[section.id], several) for section in sections)
    told = "".join(f"<p>{html.escape(line)}</p>" for line in origin)
    return (
        "<!doctype html><html lang=en><head><meta charset=utf-8>"
        "<meta name=viewport content='width=device-width, initial-scale=1'>"
        "<link rel=icon href='data:,'>"
        f"<title>{html.escape(title)}</title><style>{STYLE}</style></head><body>"
        f"<h1>{html.escape(title)}</h1>{f'<nav><ul>{links}</ul></nav>' if several else ''}"
        f"<main>{body}</main><footer><h2>Where the numbers come from</h2>{told}</footer>"
        "</body></html>"
    )


def markdown(title: str, sections: Sequence[Section], origin: Sequence[str]) -> str:
    """The same for reading in a repository; pictures are the files beside it."""
    parts = [f"# {title}"]
    for section in sections:
        parts += [f"## {section.title}"] if len(sections) > 1 else []
        parts += filter(None, [section.verdict, section.about])
        parts += (
            [
                "\n".join(
                    f"{number}. {each.text} ([table](#{anchor(each.table)}))"
                    for number, each in enumerate(section.sentences, start=1)
                )
            ]
            if section.sentences
            else []
        )
        parts += [TableView.of(table).markdown() for table in section.tables]
        parts += section.notes
        parts += [f"![{figure.caption}]({figure.name}.png)" for figure in section.figures]
        if section.watch:
            parts += [f"### {WATCH_OUT}", "\n".join(f"- {note}" for note in section.watch)]
        parts += [TableView.of(table).markdown() for table in section.details]
    parts += ["## Where the numbers come from", *(f"- {line}" for line in origin)]
    return "\n\n".join(parts) + "\n"


def _section(section: Section, pictures: Sequence[Picture], titled: bool) -> str:
    small = "h3" if titled else "h2 class=small"
    parts = [
        f"<h2>{html.escape(section.title)}</h2>" if titled else "",
        f"<p class=verdict>{html.escape(section.verdict)}</p>" if section.verdict else "",
        f"<p>{html.escape(section.about)}</p>" if section.about else "",
        _sentences(section),
        *(_table(table, section, small) for table in section.tables),
        *(f"<p>{html.escape(note)}</p>" for note in section.notes),
        *(_figure(picture) for picture in pictures),
        _watched(section.watch, small),
        *(_detail(table, section, small) for table in section.details),
    ]
    return f"<section id='{section.id}'>{''.join(parts)}</section>"


def _sentences(section: Section) -> str:
    if not section.sentences:
        return ""
    items = "".join(
        f"<li>{html.escape(each.text)} <a href='#{anchor(each.table)}'>table</a></li>"
        for each in section.sentences
    )
    return f"<ol class=conclusions>{items}</ol>"


def _figure(picture: Picture) -> str:
    """The light or the dark picture, whichever the page is; on a phone its narrow form.

    What has none scrolls there. All have one scale, so that their letters are of one size.
    """
    found = [(picture.dark, DARK), (picture.png, "")]
    if picture.narrow:
        light, dark = picture.narrow
        found = [(dark, f"{NARROW} and {DARK}"), (light, NARROW), *found]
    *others, usual = (
        (f"data:image/png;base64,{base64.b64encode(png).decode()}", media) for png, media in found
    )
    sources = "".join(f"<source media='{media}' srcset='{png}'>" for png, media in others)
    kind = "wide" if picture.narrow else "wide scrolls"
    label = html.escape(picture.caption, quote=True)
    return (
        f"<figure style='max-width:{picture.width}px'>"
        f"<div class='{kind}' role=region tabindex=0 aria-label='{label}'><picture>{sources}"
        f"<img alt='{label}' width={picture.width} src='{usual[0]}'></picture></div>"
        f"<figcaption>{html.escape(picture.caption)}</figcaption></figure>"
    )


def _watched(notes: Sequence[str], heading: str) -> str:
    items = "".join(f"<li>{html.escape(note)}</li>" for note in notes)
    title = f"<{heading}>{WATCH_OUT}</{heading[:2]}>"
    return f"<div class=watch>{title}<ul>{items}</ul></div>" if items else ""


def _detail(table: ReportTable, section: Section, heading: str) -> str:
    if len(table.rows) <= LONG:
        return _table(table, section, heading)
    shown = TableView.of(table).html()
    return f"<details><summary>{html.escape(table.title)}</summary>{shown}</details>"


def _table(table: ReportTable, section: Section, heading: str) -> str:
    """A table under its title, unless that is the section's and has been read already."""
    view = TableView.of(table)
    told = view.title == section.title
    title = "" if told else f"<{heading}>{html.escape(view.title)}</{heading[:2]}>"
    return title + view.html()


def versions() -> str:
    """The versions that made a page."""
    libraries = ", ".join(f"{name} {version(name)}" for name in ("numpy", "numba", "scikit-learn"))
    return f"This page: Python {platform.python_version()}, {libraries}"


def _write(path: Path, content: bytes) -> None:
    with atomic_write(path) as file:
        file.write(content)
