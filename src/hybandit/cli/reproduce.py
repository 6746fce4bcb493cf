"""`hybandit reproduce` and `hybandit report`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Optional

import typer


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
    out: Annotated[Path, typer.Option(help="Where store and report go.")] = Path(
        "hybandit-results/reproduce"
    ),
) -> None:
    """Run the paper's experiments and set ours beside the published numbers.

    IDs: tuning, regret, schedules, news, parameters, enhanced, ablation, stability, network,
    scalability, drift, theory. Finished runs are kept: after a kill the same command goes on.
    """
    from rich.console import Console

    from hybandit.experiments import Store, run
    from hybandit.experiments.engines import make_engine
    from hybandit.experiments.experiment import Scale
    from hybandit.reports.page import write_report
    from hybandit.reports.reproduction import ask, chosen, sections_of

    scale = Scale(runs, seed, quick)
    experiments = chosen(names or [], scale)
    workshop = make_engine(engine, workers)
    store = Store(out / "results.sqlite")
    ask(store, names or [], scale)
    store.note("command", " ".join(["hybandit", *sys.argv[1:]]))
    console = Console()
    for experiment in experiments:
        run(experiment.tasks, store, engine=workshop, title=experiment.id)
    title, sections = sections_of(store)
    page = write_report(title, sections, store, out)
    for section in sections:
        console.rule(section.title)
        for table in section.tables:
            console.print(table.rich())
    console.print(f"report  {page}", highlight=False)


def report(
    store: Annotated[Path, typer.Argument(help="A results.sqlite that a command left.")],
    out: Annotated[
        Optional[Path],  # noqa: UP045
        typer.Option(help="Where to write. Default: beside the store."),
    ] = None,
) -> None:
    """Write the report of a store again: HTML, CSV and PNG."""
    from rich.console import Console

    from hybandit.experiments import Store
    from hybandit.reports.page import write_report
    from hybandit.reports.reproduction import sections_of

    opened = Store(store, must_exist=True)
    title, sections = sections_of(opened)
    page = write_report(title, sections, opened, out or store.parent)
    Console().print(f"report  {page}", highlight=False)
