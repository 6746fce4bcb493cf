"""`hybandit compare`."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any

import typer
from typer.core import TyperCommand

from hybandit.cli import options
from hybandit.cli.answers import answer


class FileByOption(TyperCommand):
    """Says how a file is named, where it was given without its option."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if args and not args[0].startswith("-"):
            ctx.fail(f"a file or data set is named by --data: hybandit compare --data {args[0]}")
        return super().parse_args(ctx, args)


def compare(
    data: Annotated[
        str | None,
        typer.Option(
            metavar="DATA",
            help="A CSV, TSV or Parquet file, or the name of a built-in data set (see 'hybandit "
            "datasets'). Default: digits.",
        ),
    ] = None,
    label: Annotated[
        str | None,
        typer.Option(metavar="COLUMN", help="The column of your file that holds the right answer."),
    ] = None,
    policies: Annotated[
        str | None,
        typer.Option(
            metavar="LIST",
            help="Names with commas between them, such as 'stacked-hybrid,lnucb-ta:alpha=10,ucb'. "
            "Default: a selection of nine, or of three for items.",
        ),
    ] = None,
    rounds: Annotated[
        int | None,
        typer.Option(
            min=1, metavar="N", help="Rounds in each run. Default: all rows, at most 10,000."
        ),
    ] = None,
    runs: Annotated[
        int,
        typer.Option(min=1, metavar="N", help="Runs of each policy, each with its own seed."),
    ] = 5,
    seed: options.Seed = 0,
    environment: Annotated[
        str | None,
        typer.Option(
            metavar="MODULE:CLASS",
            help="An environment of your own instead of data, of arms or of items, such as "
            "'shop:Shop' or 'shop:Shop:rounds=500'; it is made with the seed of each run.",
        ),
    ] = None,
    encoding: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="How rows become vectors: ordinal, standard, standard-raw, online, unit or raw.",
        ),
    ] = "standard",
    separator: options.Separator = None,
    file_encoding: options.FileEncoding = None,
    drop: options.Drop = None,
    kinds: options.Kinds = None,
    engine: options.EngineName = "local",
    workers: options.Workers = None,
    out: options.Out = options.RESULTS,
    json: options.Json = False,
) -> None:
    """Compare policies on your own table, a built-in data set or in your own environment.

    Prints a table, and writes a figure and an HTML report into a new folder; the link 'latest'
    points to it. Finished runs are kept in results.sqlite and are not run again, so a command
    that was stopped continues where it was.
    """
    from hybandit.experiments.comparison import DEFAULT_POLICIES, Comparison
    from hybandit.experiments.engines import make_engine
    from hybandit.experiments.experiment import Effort
    from hybandit.experiments.runner import run

    how = {"label": label, **options.file_options(separator, file_encoding, drop, kinds)}
    comparison = Comparison.of(
        data,
        policies or DEFAULT_POLICIES,
        environment=environment,
        encoding=encoding,
        rounds=rounds,
        options=how,
    )
    each = partial(run, engine=make_engine(engine, workers), title=comparison.title)
    answer(comparison, Effort(runs, seed), each, out, comparison.reading(), as_json=json)
