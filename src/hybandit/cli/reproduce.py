"""`hybandit reproduce` and `hybandit report`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from hybandit.cli import options
from hybandit.cli.documents import print_document

# The exit code when something was skipped.
SKIPPED = 3


def reproduce(
    names: Annotated[
        list[str] | None,
        typer.Argument(help="Experiments by id. Default: all.", metavar="ID"),
    ] = None,
    runs: Annotated[
        int | None,
        typer.Option(
            min=1, metavar="N", help="Runs of each cell. Default: as each experiment says."
        ),
    ] = None,
    seed: options.Seed = 0,
    quick: Annotated[
        bool, typer.Option("--quick", help="Fewer and shorter runs: takes some minutes.")
    ] = False,
    engine: options.EngineName = "local",
    workers: options.Workers = None,
    out: options.Out = options.RESULTS,
    json: options.Json = False,
) -> None:
    """Run the experiments of the paper and compare with its numbers.

    IDs: tuning, regret, fresh, schedules, news, parameters, enhanced, ablation, stability,
    network, scalability, drift, sparse, plain, items, theory. Finished runs are kept: the same
    command continues where it was stopped. Experiments whose data files are missing are skipped
    with a message, and the exit code is 3.
    """
    from hybandit.cli.answers import tell_sections
    from hybandit.experiments.engines import make_engine
    from hybandit.experiments.experiment import Effort
    from hybandit.paper.reproduce import Reproduce
    from hybandit.paper.reproduce import reproduce as reproduce_paper
    from hybandit.terminal import terminal

    warnings = terminal(stderr=True, style="yellow", highlight=False)
    found = reproduce_paper(
        Reproduce.of(names or [], Effort(runs, seed, quick)),
        out,
        engine=make_engine(engine, workers),
        command=" ".join(["hybandit", *sys.argv[1:]]),
        say=warnings.print,
    )
    sections = tell_sections(terminal(quiet=json), found.sections, found.page)
    for name, reason in found.skipped.items():
        warnings.print(f"skipped what needs {name}: {reason}")
    if json:
        files = {"report": found.page}
        print_document({"sections": sections, "skipped": found.skipped, "files": files})
    if found.skipped:
        raise typer.Exit(SKIPPED)


def report(
    store: Annotated[
        Path, typer.Argument(metavar="STORE", help="A file results.sqlite of an earlier command.")
    ],
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER", help="Where to write it. Default: the same folder as before."
        ),
    ] = None,
) -> None:
    """Write the report of an earlier command again."""
    import hybandit.paper  # noqa: F401  So that reports of `reproduce` can be read.
    from hybandit.experiments.again import write_again
    from hybandit.terminal import terminal

    page, remarks = write_again(store, out)
    for line in remarks:
        terminal(stderr=True).print(line, style="yellow", markup=False, highlight=False)
    terminal().print(f"report  {page}", highlight=False, markup=False)
