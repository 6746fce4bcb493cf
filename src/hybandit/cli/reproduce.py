"""`hybandit reproduce` and `hybandit report`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Optional

import typer

from hybandit.cli.documents import print_document
from hybandit.cli.options import Json

# The report's folder beside the store, and the exit code when something was skipped.
FOLDER = "reproduce"
SKIPPED = 3


def reproduce(
    names: Annotated[
        Optional[list[str]],  # noqa: UP045
        typer.Argument(help="Experiments by id. Default: all.", metavar="ID"),
    ] = None,
    runs: Annotated[
        Optional[int],  # noqa: UP045
        typer.Option(
            min=1, metavar="N", help="Runs of each cell. Default: as each experiment says."
        ),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, metavar="N", help="Seed of the first run.")] = 0,
    quick: Annotated[
        bool, typer.Option("--quick", help="Fewer and shorter runs: takes some minutes.")
    ] = False,
    engine: Annotated[
        str, typer.Option(metavar="NAME", help="local, or ray for many machines.")
    ] = "local",
    workers: Annotated[
        Optional[int],  # noqa: UP045
        typer.Option(min=1, metavar="N", help="Parallel processes. Default: one per core."),
    ] = None,
    out: Annotated[
        Path, typer.Option(metavar="FOLDER", help="Where results and report go.")
    ] = Path("hybandit-results"),
    json: Json = False,
) -> None:
    """Run the experiments of the paper and compare with its numbers.

    IDs: tuning, regret, fresh, schedules, news, parameters, enhanced, ablation, stability,
    network, scalability, drift, sparse, items, theory. Finished runs are kept: the same command
    continues where it was stopped. Experiments whose data files are missing are skipped with a
    message, and the exit code is 3.
    """
    from rich.console import Console

    from hybandit.experiments import Store
    from hybandit.experiments.engines import make_engine
    from hybandit.experiments.experiment import Scale
    from hybandit.experiments.requests import (
        Reproduce,
        note_request,
        tasks_of,
        without_missing_data,
    )
    from hybandit.experiments.runner import run
    from hybandit.reports.folders import point_latest
    from hybandit.reports.page import write_report
    from hybandit.reports.runs import write_runs
    from hybandit.reports.tables import TableView, records_of

    request = Reproduce.of(names or [], Scale(runs, seed, quick))
    workshop = make_engine(engine, workers)
    store = Store(out / "results.sqlite")
    whole = request.with_former(store)
    note_request(store, whole, FOLDER)
    store.note("command", " ".join(["hybandit", *sys.argv[1:]]))
    console, warnings = Console(quiet=json), Console(stderr=True)
    skipped: dict[str, str] = {}
    for experiment in request.experiments:
        tasks = experiment.tasks(request.scale)
        ready, wrong = without_missing_data(tasks)
        if wrong:
            part = f"{len(tasks) - len(ready)} of {len(tasks)} runs of {experiment.id}"
            told = f"skipped {part}: no data {', '.join(wrong)}"
            warnings.print(told, style="yellow", highlight=False)
        skipped |= wrong
        run(ready, store, engine=workshop, title=experiment.id)
    results = store.get_many(tasks_of(whole))
    sections = whole.sections(results)
    page = write_report(whole.title, sections, store, out / FOLDER)
    write_runs(whole.experiments, whole.scale, results, out / FOLDER)
    point_latest(out / FOLDER)
    for section in sections:
        console.rule(section.title)
        for number, sentence in enumerate(section.sentences, start=1):
            console.print(f"{number}. {sentence.text}", highlight=False, markup=False)
        for table in section.tables:
            console.print(TableView.of(table).rich())
    console.print(f"report  {page}", highlight=False, markup=False)
    for name, reason in skipped.items():
        warnings.print(f"skipped what needs {name}: {reason}", style="yellow", highlight=False)
    if json:
        found = [
            {
                "id": section.id,
                "title": section.title,
                "tables": {table.name: records_of(table) for table in section.tables},
            }
            for section in sections
        ]
        print_document({"sections": found, "skipped": skipped, "files": {"report": page}})
    if skipped:
        raise typer.Exit(SKIPPED)


def report(
    store: Annotated[
        Path, typer.Argument(metavar="STORE", help="A file results.sqlite of an earlier command.")
    ],
    out: Annotated[
        Optional[Path],  # noqa: UP045
        typer.Option(
            metavar="FOLDER", help="Where to write it. Default: the same folder as before."
        ),
    ] = None,
) -> None:
    """Write the report of an earlier command again."""
    from rich.console import Console

    from hybandit.experiments import Store
    from hybandit.experiments.requests import read_request, tasks_of
    from hybandit.experiments.runner import remarks
    from hybandit.reports.page import write_report
    from hybandit.reports.runs import write_runs

    opened = Store(store, must_exist=True)
    request, folder = read_request(opened)
    found = opened.find(tasks_of(request))
    for line in remarks(found, opened):
        Console(stderr=True).print(line, style="yellow", markup=False, highlight=False)
    sections = request.sections(found.runs)
    place = out or store.parent / folder
    page = write_report(request.title, sections, opened, place)
    write_runs(request.experiments, request.scale, found.runs, place)
    Console().print(f"report  {page}", highlight=False, markup=False)
