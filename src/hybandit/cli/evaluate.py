"""`hybandit evaluate`."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from hybandit.cli.answers import answer, reading_log
from hybandit.cli.loop import is_loop, loop_log
from hybandit.cli.options import (
    ArmColumn,
    ArmFeatures,
    Drop,
    FileEncoding,
    Json,
    Kinds,
    PropensityColumn,
    RewardColumn,
    Scaling,
    Separator,
    file_options,
)
from hybandit.errors import without_passwords


def evaluate(
    log: Annotated[
        str,
        typer.Argument(
            metavar="LOG",
            help="A CSV, TSV or Parquet file, a folder of Parquet files, a .dsjson log of Vowpal "
            "Wabbit, the database of a loop, or the data set 'news'.",
        ),
    ],
    arm: ArmColumn = None,
    reward: RewardColumn = None,
    propensity: PropensityColumn = None,
    arm_features: ArmFeatures = None,
    policies: Annotated[
        str | None,
        typer.Option(
            metavar="LIST",
            help="Names with commas between them, such as 'stacked-hybrid,lin-ucb:alpha=0.1'; "
            "'always:tea' always chooses tea. Default: a selection of five. The best constant "
            "choices are added.",
        ),
    ] = None,
    estimators: Annotated[
        str | None,
        typer.Option(
            metavar="LIST",
            help="Some of replay, ips, snips, clipped, switch, direct, doubly-robust and "
            "switch-doubly-robust. Default: ips,snips,doubly-robust.",
        ),
    ] = None,
    learn: Annotated[
        str,
        typer.Option(
            metavar="RULE",
            help="What policies learn from: all events, matched ones (where they chose the same "
            "arm as the log; more cautious), or nothing.",
        ),
    ] = "all",
    learn_every: Annotated[
        int,
        typer.Option(
            min=1,
            metavar="N",
            help="Let policies learn after every N events: faster, and like a live policy that is "
            "taught in batches. Default: after each.",
        ),
    ] = 1,
    matches: Annotated[
        int | None,
        typer.Option(min=1, metavar="N", help="Stop replay after this many matches."),
    ] = None,
    scaling: Scaling = "standard",
    separator: Separator = None,
    file_encoding: FileEncoding = None,
    drop: Drop = None,
    kinds: Kinds = None,
    seed: Annotated[int, typer.Option(min=0, metavar="N", help="Seed of the policies.")] = 0,
    engine: Annotated[
        str, typer.Option(metavar="NAME", help="local, or ray for many machines.")
    ] = "local",
    workers: Annotated[
        int | None,
        typer.Option(
            min=1,
            metavar="N",
            help="Processes, for policies side by side and for parts of the log where nothing is "
            "learned. Default: one after another in this process; with ray, one per core.",
        ),
    ] = None,
    out: Annotated[
        Path, typer.Option(metavar="FOLDER", help="Where results, figure and report go.")
    ] = Path("hybandit-results"),
    json: Json = False,
) -> None:
    """Estimate what policies would have earned on a log of decisions.

    Each policy goes through the log in order. It is judged on each event before it learns from it.
    Prints a table of values with intervals and writes a report. Finished evaluations are kept in
    results.sqlite and are not done again.

    The journal of a loop is also a log, with exact probabilities: on it policies of items are
    judged.
    """
    from hybandit.experiments.engines import make_engine
    from hybandit.experiments.experiment import Effort
    from hybandit.experiments.log_evaluation import LogEvaluation
    from hybandit.experiments.logs import DEFAULT_ESTIMATORS
    from hybandit.experiments.runner import run_on_log

    side_by_side = engine != "local" or (workers or 1) > 1
    chosen = make_engine(engine, workers) if side_by_side else None
    with reading_log(log):
        evaluation = LogEvaluation.of(
            without_passwords(log),
            policies,
            items=loop_log(log) if is_loop(log) else None,
            estimators=_names(estimators) or DEFAULT_ESTIMATORS,
            learn=learn,
            learn_every=learn_every,
            matches=matches,
            options={
                "arm": arm,
                "reward": reward,
                "propensity": propensity,
                "arm_features": arm_features,
                "scaling": scaling,
                **file_options(separator, file_encoding, drop, kinds),
            },
        )
    each = partial(run_on_log, events=len(evaluation.task.log()), engine=chosen)
    answer(evaluation, Effort(1, seed), each, out, evaluation.task.reading(), as_json=json)


def _names(text: str | None) -> list[str]:
    return [name.strip() for name in (text or "").split(",") if name.strip()]
