"""`hybandit compare`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Optional

import typer


def compare(
    data: Annotated[
        str, typer.Option(help="A data set (see 'hybandit datasets'), or a CSV file, class last.")
    ] = "digits",
    policies: Annotated[
        Optional[str],  # noqa: UP045
        typer.Option(help="Such as 'stacked-hybrid,lnucb-ta:alpha=10,ucb'. Default: a selection."),
    ] = None,
    rounds: Annotated[
        Optional[int],  # noqa: UP045
        typer.Option(min=1, help="Rounds a run. Default: all rows, at most 10,000."),
    ] = None,
    runs: Annotated[int, typer.Option(min=1, help="Runs a policy, each with its own seed.")] = 5,
    seed: Annotated[int, typer.Option(min=0, help="The first run's seed.")] = 0,
    encoding: Annotated[
        str,
        typer.Option(
            help="How rows become vectors: ordinal, standard, standard-raw, online, unit, raw."
        ),
    ] = "standard",
    engine: Annotated[str, typer.Option(help="local, or ray for many machines.")] = "local",
    workers: Annotated[
        Optional[int],  # noqa: UP045
        typer.Option(min=1, help="Processes at a time. Default: one a core."),
    ] = None,
    out: Annotated[Path, typer.Option(help="Where results, figure and report go.")] = Path(
        "hybandit-results"
    ),
) -> None:
    """Play policies side by side and show what they cost.

    Prints a table and writes a figure and an HTML report. Finished runs are kept in the
    folder: the same command again is answered from there, and a killed one goes on.
    """
    from rich.console import Console

    from hybandit.experiments import Store, run
    from hybandit.experiments.comparison import DEFAULT_POLICIES, comparison
    from hybandit.experiments.engines import make_engine
    from hybandit.reports.page import write_report
    from hybandit.reports.reproduction import sections_of

    experiment = comparison(
        data,
        DEFAULT_POLICIES if policies is None else policies,
        encoding=encoding,
        rounds=rounds,
        runs=runs,
        seed=seed,
    )
    workshop = make_engine(engine, workers)
    store = Store(out / "results.sqlite")
    store.note("asked", {"kind": "compare", "experiment": experiment.written()})
    store.note("command", " ".join(["hybandit", *sys.argv[1:]]))
    run(experiment.tasks, store, engine=workshop, title=experiment.title)
    title, (section,) = sections_of(store)
    page = write_report(title, [section], store, out)
    console = Console()
    console.print(section.tables[0].rich())
    console.print(f"figure  {out / section.pictures[0].name}.png\nreport  {page}", highlight=False)
