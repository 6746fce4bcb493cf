"""`hybandit reproduce` and `hybandit report`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Optional

import typer

# The report's folder beside the store, and the exit code when something was skipped.
FOLDER = "reproduce"
SKIPPED = 3


def reproduce(
    names: Annotated[
        Optional[list[str]],  # noqa: UP045
        typer.Argument(help="Experiments by id; all if none is named.", metavar="[ID]..."),
    ] = None,
    runs: Annotated[
        Optional[int],  # noqa: UP045
        typer.Option(min=1, help="Runs a cell. Default: each experiment's own number."),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="The first run's seed.")] = 0,
    quick: Annotated[
        bool, typer.Option("--quick", help="Shorter and fewer: some minutes.")
    ] = False,
    engine: Annotated[str, typer.Option(help="local, or ray for many machines.")] = "local",
    workers: Annotated[
        Optional[int],  # noqa: UP045
        typer.Option(min=1, help="Processes at a time. Default: one a core."),
    ] = None,
    out: Annotated[Path, typer.Option(help="Where the store and the report's folder go.")] = Path(
        "hybandit-results"
    ),
) -> None:
    """Run the paper's experiments and set ours beside the published numbers.

    IDs: tuning, regret, schedules, news, parameters, enhanced, ablation, stability, network,
    scalability, drift, items, theory. Finished runs are kept: after a kill the same command goes
    on. What needs a data file that is not here is skipped and named, and the exit code is 3.
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
    from hybandit.reports.tables import TableView

    request = Reproduce.of(names or [], Scale(runs, seed, quick))
    workshop = make_engine(engine, workers)
    store = Store(out / "results.sqlite")
    whole = request.with_former(store)
    note_request(store, whole, FOLDER)
    store.note("command", " ".join(["hybandit", *sys.argv[1:]]))
    console, warnings = Console(), Console(stderr=True)
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
    point_latest(out / FOLDER)
    for section in sections:
        console.rule(section.title)
        for table in section.tables:
            console.print(TableView.of(table).rich())
    console.print(f"report  {page}", highlight=False, markup=False)
    for name, reason in skipped.items():
        warnings.print(f"skipped what needs {name}: {reason}", style="yellow", highlight=False)
    if skipped:
        raise typer.Exit(SKIPPED)


def report(
    store: Annotated[Path, typer.Argument(help="A results.sqlite that a command left.")],
    out: Annotated[
        Optional[Path],  # noqa: UP045
        typer.Option(help="Where to write. Default: where that command wrote it."),
    ] = None,
) -> None:
    """Write the report of the last command on a store again: HTML, CSV and PNG."""
    from rich.console import Console

    from hybandit.experiments import Store
    from hybandit.experiments.requests import read_request, tasks_of
    from hybandit.experiments.runner import remarks
    from hybandit.reports.page import write_report

    opened = Store(store, must_exist=True)
    request, folder = read_request(opened)
    found = opened.find(tasks_of(request))
    for line in remarks(found, opened):
        Console(stderr=True).print(line, style="yellow", markup=False, highlight=False)
    sections = request.sections(found.runs)
    page = write_report(request.title, sections, opened, out or store.parent / folder)
    Console().print(f"report  {page}", highlight=False, markup=False)
