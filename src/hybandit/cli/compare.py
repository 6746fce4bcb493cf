"""`hybandit compare`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Optional

import typer

from hybandit.cli.answers import opened_store, tell_answer, tell_reading
from hybandit.cli.options import Drop, FileEncoding, Kind, Separator, file_options


def compare(
    data: Annotated[
        str,
        typer.Option(help="A data set (see 'hybandit datasets'), or a CSV, TSV or Parquet file."),
    ] = "digits",
    label: Annotated[
        Optional[str],  # noqa: UP045
        typer.Option(help="The column of the file with the class."),
    ] = None,
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
    separator: Separator = None,
    file_encoding: FileEncoding = None,
    drop: Drop = None,
    kind: Kind = None,
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

    Prints a table and writes a figure and an HTML report, each time into a folder of its own
    that 'latest' leads to. Finished runs are kept in results.sqlite: what is there already is
    not run again, and a killed command goes on.
    """
    from rich.console import Console

    from hybandit.experiments.comparison import DEFAULT_POLICIES, Comparison
    from hybandit.experiments.engines import make_engine
    from hybandit.experiments.experiment import Scale
    from hybandit.experiments.requests import Question, tasks_of
    from hybandit.experiments.runner import run

    chosen = DEFAULT_POLICIES if policies is None else policies
    options = {"label": label, **file_options(separator, file_encoding, drop, kind)}
    comparison = Comparison.of(data, chosen, encoding=encoding, rounds=rounds, options=options)
    console, reading = Console(), comparison.reading()
    tell_reading(console, reading)
    question = Question(comparison, Scale(runs, seed))
    workshop = make_engine(engine, workers)
    store = opened_store(out, question)
    results = run(tasks_of(question), store, engine=workshop, title=question.title)
    tell_answer(console, question, results, store, out, reading)
