"""A report on disk: one self-contained HTML page, with CSV and PNG beside it."""

from __future__ import annotations

import base64
import html
import platform
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from pathlib import Path

from hybandit.atomic import atomic_write
from hybandit.experiments import Store
from hybandit.experiments.section import Section
from hybandit.reports.figures import Picture, draw
from hybandit.reports.tables import TableView, csv_of

WATCH_OUT = "What to watch out for"
STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; color: #1b1b1b; max-width: 64rem; margin: 2rem auto;
       padding: 0 1rem; }
h1 { font-size: 1.7rem; } h2 { margin-top: 3rem; border-bottom: 1px solid #ccc; }
h3 { font-size: 1rem; margin: 1.6rem 0 .4rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: .9rem; }
th, td { padding: .25rem .8rem .25rem 0; text-align: right; white-space: nowrap; }
th.left, td.left { text-align: left; }
thead th { border-bottom: 2px solid #333; } tbody td { border-bottom: 1px solid #e5e5e5; }
tr.best td { font-weight: 700; }
.verdict { font-size: 1.15rem; border-left: 4px solid #D55E00; padding-left: 1rem; }
.watch { background: #fff6e5; padding: .1rem 1rem; } .watch ul { padding-left: 1.2rem; }
figure { margin: 1.4rem 0; } img { max-width: min(100%, 44rem); height: auto; }
figcaption, .note, footer { color: #555; font-size: .85rem; }
@media (max-width: 40rem) {
  table { font-size: .75rem; } th, td { white-space: normal; padding-right: .35rem; }
  .verdict { font-size: 1rem; }
}
nav li { display: inline-block; margin-right: 1.2rem; } nav ul { padding: 0; list-style: none; }
"""


def write_report(title: str, sections: Sequence[Section], store: Store, folder: Path) -> Path:
    """Write report.html and report.md, every table and picture; returns the page's path."""
    folder.mkdir(parents=True, exist_ok=True)
    pictures = {section.id: [draw(figure) for figure in section.figures] for section in sections}
    for section in sections:
        for table in [*section.tables, *section.details]:
            _write(folder / f"{table.name}.csv", csv_of(table).encode())
        for picture in pictures[section.id]:
            _write(folder / f"{picture.name}.png", picture.png)
    _write(folder / "report.md", markdown(title, sections, store).encode())
    path = folder / "report.html"
    _write(path, page(title, sections, pictures, store).encode())
    return path


def page(
    title: str,
    sections: Sequence[Section],
    pictures: Mapping[str, Sequence[Picture]],
    store: Store,
) -> str:
    """The whole page as text; it refers to nothing outside itself."""
    several = len(sections) > 1
    links = "".join(
        f"<li><a href='#{section.id}'>{html.escape(section.title)}</a></li>" for section in sections
    )
    body = "".join(_section(section, pictures[section.id], several) for section in sections)
    origin = "".join(f"<p>{html.escape(line)}</p>" for line in _provenance(store))
    return (
        "<!doctype html><html lang=en><head><meta charset=utf-8>"
        "<meta name=viewport content='width=device-width, initial-scale=1'>"
        f"<title>{html.escape(title)}</title><style>{STYLE}</style></head><body>"
        f"<h1>{html.escape(title)}</h1>{f'<nav><ul>{links}</ul></nav>' if several else ''}"
        f"{body}<footer><h2>Where the numbers come from</h2>{origin}</footer>"
        "</body></html>"
    )


def markdown(title: str, sections: Sequence[Section], store: Store) -> str:
    """The same for reading in a repository; pictures are the files beside it."""
    parts = [f"# {title}"]
    for section in sections:
        parts += [f"## {section.title}", *filter(None, [section.verdict, section.about])]
        parts += [TableView.of(table).markdown() for table in section.tables]
        parts += section.notes
        parts += [f"![{figure.caption}]({figure.name}.png)" for figure in section.figures]
        if section.watch:
            parts += [f"### {WATCH_OUT}", "\n".join(f"- {note}" for note in section.watch)]
        parts += [TableView.of(table).markdown() for table in section.details]
    parts += ["## Where the numbers come from", *(f"- {line}" for line in _provenance(store))]
    return "\n\n".join(parts) + "\n"


def _section(section: Section, pictures: Sequence[Picture], titled: bool) -> str:
    tables, details = (
        "".join(TableView.of(table).html() for table in each)
        for each in (section.tables, section.details)
    )
    figures = "".join(
        f"<figure><img alt='{html.escape(picture.caption, quote=True)}' "
        f"src='data:image/png;base64,{base64.b64encode(picture.png).decode()}'>"
        f"<figcaption>{html.escape(picture.caption)}</figcaption></figure>"
        for picture in pictures
    )
    notes = "".join(f"<p>{html.escape(note)}</p>" for note in section.notes)
    title = f"<h2>{html.escape(section.title)}</h2>" if titled else ""
    verdict = f"<p class=verdict>{html.escape(section.verdict)}</p>" if section.verdict else ""
    about = f"<p>{html.escape(section.about)}</p>" if section.about else ""
    watch = "".join(f"<li>{html.escape(note)}</li>" for note in section.watch)
    watch = f"<div class=watch><h3>{WATCH_OUT}</h3><ul>{watch}</ul></div>" if watch else ""
    return (
        f"<section id='{section.id}'>{title}{verdict}{about}{tables}{notes}{figures}{watch}"
        f"{details}</section>"
    )


def _provenance(store: Store) -> list[str]:
    libraries = ", ".join(f"{name} {version(name)}" for name in ("numpy", "numba", "scikit-learn"))
    lines = [
        f"{runs} runs by hybandit {own} on {machine}, {first} to {last}"
        for machine, own, first, last, runs in store.provenance()
    ]
    command = store.noted("command")
    if command:
        lines.insert(0, f"Command: {command}")
    lines.append(f"This page: Python {platform.python_version()}, {libraries}")
    return lines


def _write(path: Path, content: bytes) -> None:
    with atomic_write(path) as file:
        file.write(content)
