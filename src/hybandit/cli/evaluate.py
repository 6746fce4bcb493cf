"""`hybandit evaluate`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Optional

import typer

from hybandit.cli.loop import evaluate_loop, is_loop
from hybandit.cli.options import (
    ArmColumn,
    ArmFeatures,
    Drop,
    FileEncoding,
    Kind,
    PropensityColumn,
    RewardColumn,
    Scaling,
    Separator,
    file_options,
    tell_files,
    tell_reading,
    write_set_aside,
)


def evaluate(
    log: Annotated[
        str,
        typer.Argument(
            help="A CSV, TSV or Parquet file, a loop's database, or 'news' of the catalogue."
        ),
    ],
    arm: ArmColumn = None,
    reward: RewardColumn = None,
    propensity: PropensityColumn = None,
    arm_features: ArmFeatures = None,
    policies: Annotated[
        Optional[str],  # noqa: UP045
        typer.Option(help="Such as 'stacked-hybrid,lin-ucb:alpha=0.1'. Default: a selection."),
    ] = None,
    estimators: Annotated[
        Optional[str],  # noqa: UP045
        typer.Option(
            help="Of replay, ips, snips, clipped, switch, direct, doubly-robust, "
            "switch-doubly-robust. Default: ips,snips,doubly-robust."
        ),
    ] = None,
    learn: Annotated[
        str,
        typer.Option(help="What policies learn from: all events, matched ones, or nothing."),
    ] = "all",
    matches: Annotated[
        Optional[int],  # noqa: UP045
        typer.Option(min=1, help="Where replay stops."),
    ] = None,
    scaling: Scaling = "standard",
    separator: Separator = None,
    file_encoding: FileEncoding = None,
    drop: Drop = None,
    kind: Kind = None,
    seed: Annotated[int, typer.Option(min=0, help="The policies' seed.")] = 0,
    out: Annotated[Path, typer.Option(help="Where results, figure and report go.")] = Path(
        "hybandit-results"
    ),
) -> None:
    """Tell what policies would have earned, from a log of another's decisions.

    Each policy walks through the log in order, is judged on an event before it knows it, and then
    learns it. Prints a table of values with intervals and writes a report. What has been
    evaluated is kept in results.sqlite and not done again.

    A loop's journal is a log whose probabilities are true; policies of items are judged on it,
    by ips and snips, and nothing is kept.
    """
    if is_loop(log):
        evaluate_loop(log, policies, seed)
        return
    from rich.console import Console

    from hybandit.experiments import Store
    from hybandit.experiments.experiment import Scale
    from hybandit.experiments.log_evaluation import DEFAULT_POLICIES, LogEvaluation
    from hybandit.experiments.logs import DEFAULT_ESTIMATORS
    from hybandit.experiments.requests import Evaluate, note_request, tasks_of
    from hybandit.experiments.runner import run_here
    from hybandit.reports.folders import new_folder, point_latest
    from hybandit.reports.page import write_report
    from hybandit.reports.tables import TableView

    evaluation = LogEvaluation.of(
        log,
        DEFAULT_POLICIES if policies is None else policies,
        estimators=estimators.split(",") if estimators else DEFAULT_ESTIMATORS,
        learn=learn,
        matches=matches,
        options={
            "arm": arm,
            "reward": reward,
            "propensity": propensity,
            "arm_features": arm_features,
            "scaling": scaling,
            **file_options(separator, file_encoding, drop, kind),
        },
    )
    console, reading = Console(), evaluation.task.reading()
    tell_reading(console, reading)
    request = Evaluate(evaluation, Scale(1, seed))
    store = Store(out / "results.sqlite")
    note_request(store, request, "unfinished")
    store.note("command", " ".join(["hybandit", *sys.argv[1:]]))
    results = run_here(tasks_of(request), store, events=len(evaluation.task.log()))
    folder = new_folder(out, evaluation.data)
    note_request(store, request, folder.name)
    (section,) = request.sections(results)
    page = write_report(request.title, [section], store, folder)
    set_aside = write_set_aside(reading, folder)
    point_latest(folder)
    console.print(section.about, highlight=False, markup=False)
    console.print(TableView.of(section.tables[0]).rich())
    for note in section.notes:
        console.print(note, style="bold yellow", highlight=False, markup=False)
    figure = folder / f"{section.figures[0].name}.png"
    tell_files(console, {"figure": figure, "report": page, "rows set aside": set_aside})
