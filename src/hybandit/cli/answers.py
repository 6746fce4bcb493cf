"""What commands tell: what they read, what they found, and where they wrote it."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from hybandit.cli.documents import print_document, reading_document
from hybandit.errors import without_passwords

if TYPE_CHECKING:
    from rich.console import Console

    from hybandit.datasets import Reading
    from hybandit.experiments import Run, Store
    from hybandit.experiments.experiment import Effort
    from hybandit.experiments.side_by_side import SideBySide
    from hybandit.experiments.tasks import Task
    from hybandit.reports.section import Section


@contextmanager
def reading_log(log: str) -> Iterator[None]:
    """Show how far a long log has been read, on the first way through it."""
    from hybandit.datasets.sources import about_rows
    from hybandit.experiments.progress import progress
    from hybandit.experiments.user_files import told_while_reading
    from hybandit.terminal import terminal

    rows = about_rows(log)
    if not rows:
        yield
        return
    with progress(terminal(stderr=True)) as bars:
        bar = bars.add_task(f"reading {Path(log).name}", total=rows)
        with told_while_reading(lambda count: bars.advance(bar, count)):
            yield


def tell_reading(console: Console, reading: Reading | None) -> None:
    """Show what was read, before anything is done with it."""
    if reading is not None:
        console.print(reading.rich())
        console.print()


@contextmanager
def telling_warnings(console: Console) -> Iterator[list[str]]:
    """Say what is warned of in plain sentences, at the end; the list then has them too."""
    notes: list[str] = []
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield notes
    notes += [str(warning.message) for warning in caught]
    watch_out(console, notes)


def watch_out(console: Console, notes: Sequence[str]) -> None:
    for note in notes:
        console.print(f"Watch out: {note}.", style="bold yellow", highlight=False, markup=False)


def answer(
    experiment: SideBySide,
    effort: Effort,
    run: Callable[[Sequence[Task], Store], dict[str, Run]],
    out: Path,
    reading: Reading | None,
    *,
    as_json: bool,
) -> None:
    """Run what is asked, write the report into a folder of its own, and print what matters.

    The JSON document has the same; its rows have the columns of the CSV file.
    """
    from hybandit.experiments import Store
    from hybandit.experiments.folders import new_folder, point_latest
    from hybandit.experiments.provenance import provenance
    from hybandit.experiments.requests import ComparisonRequest, note_request, tasks_of
    from hybandit.reports.page import write_report
    from hybandit.reports.tables import TableView, records_of
    from hybandit.terminal import terminal

    console, request = terminal(quiet=as_json), ComparisonRequest(experiment, effort)
    tell_reading(console, reading)
    store = Store(out / "results.sqlite")
    # Where a report of what has finished goes, should this be killed.
    note_request(store, request, "unfinished")
    store.note("command", without_passwords(" ".join(["hybandit", *sys.argv[1:]])))
    results = run(tasks_of(request), store)
    folder = new_folder(out, experiment.data)
    note_request(store, request, folder.name)
    (section,) = request.sections(results)
    page = write_report(request.title, [section], provenance(store), folder)
    set_aside = write_set_aside(reading, folder / "set-aside.csv")
    point_latest(folder)
    console.print(section.verdict, highlight=False, markup=False)
    table = section.tables[0]
    console.print()
    console.print(TableView.of(table).rich())
    console.print()
    watch_out(console, section.watch)
    figure = folder / f"{section.figures[0].name}.png"
    tell_files(console, {"figure": figure, "report": page, "rows set aside": set_aside})
    if as_json:
        print_document(
            {
                "title": section.title,
                "verdict": section.verdict,
                "rows": records_of(table),
                "watch": section.watch,
                "reading": reading_document(reading),
                "files": {"figure": figure, "report": page, "set_aside": set_aside},
            }
        )


def tell_sections(
    console: Console, sections: Sequence[Section], page: Path
) -> list[dict[str, object]]:
    """Print the conclusions and tables of a report; returns the tables for `--json`."""
    from hybandit.reports.tables import TableView, records_of

    for section in sections:
        console.rule(section.title)
        for number, sentence in enumerate(section.sentences, start=1):
            console.print(f"{number}. {sentence.text}", highlight=False, markup=False)
        for table in section.tables:
            console.print(TableView.of(table).rich())
    tell_files(console, {"report": page})
    return [
        {
            "id": section.id,
            "title": section.title,
            "tables": {table.name: records_of(table) for table in section.tables},
        }
        for section in sections
    ]


def write_set_aside(reading: Reading | None, path: Path) -> Path | None:
    """List rows that were not used, if there are any."""
    if reading is None or not reading.aside.count:
        return None
    reading.write_set_aside(path)
    return path


def tell_files(console: Console, files: dict[str, Path | None]) -> None:
    """Where everything went."""
    for name, path in files.items():
        if path is not None:
            console.print(f"{name}  {path}", highlight=False, markup=False, soft_wrap=True)
