"""`hybandit evaluate`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Optional

import typer

from hybandit.cli.answers import opened_store, tell_answer, tell_reading
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

    from hybandit.experiments.experiment import Scale
    from hybandit.experiments.log_evaluation import DEFAULT_POLICIES, LogEvaluation
    from hybandit.experiments.logs import DEFAULT_ESTIMATORS
    from hybandit.experiments.requests import Question, tasks_of
    from hybandit.experiments.runner import run_here

    evaluation = LogEvaluation.of(
        log,
        DEFAULT_POLICIES if policies is None else policies,
        estimators=_names(estimators) or DEFAULT_ESTIMATORS,
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
    question = Question(evaluation, Scale(1, seed))
    store = opened_store(out, question)
    results = run_here(tasks_of(question), store, events=len(evaluation.task.log()))
    tell_answer(console, question, results, store, out, reading)


def _names(text: str | None) -> list[str]:
    return [name.strip() for name in (text or "").split(",") if name.strip()]
