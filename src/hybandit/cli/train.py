"""`hybandit train` and `hybandit decide`."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hybandit.cli.answers import tell_files, tell_reading, telling_warnings, write_set_aside
from hybandit.cli.options import (
    ArmFeatures,
    Drop,
    FileEncoding,
    Kind,
    Scaling,
    Separator,
    file_options,
    sign_of,
)

if TYPE_CHECKING:
    from hybandit.experiments.trained import TrainedModel


def train(
    log: Annotated[Path, typer.Argument(help="A CSV, TSV or Parquet file.")],
    arm: Annotated[str, typer.Option(help="The column with the arm that was played.")],
    reward: Annotated[str, typer.Option(help="The column with what that arm paid.")],
    out: Annotated[Path, typer.Option("--out", "-o", help="The model file to write, .npz.")],
    policy: Annotated[
        str, typer.Option(help="A policy, such as 'lin-ucb:alpha=0.1'.")
    ] = "stacked-hybrid",
    arm_features: ArmFeatures = None,
    scaling: Scaling = "standard",
    separator: Separator = None,
    file_encoding: FileEncoding = None,
    drop: Drop = None,
    kind: Kind = None,
    seed: Annotated[int, typer.Option(min=0, help="The policy's seed.")] = 0,
) -> None:
    """Let a policy learn a log, and keep it with what turns rows into contexts.

    'hybandit decide' then decides with it; in Python, hybandit.load reads the policy.
    """
    from rich.console import Console
    from rich.progress import Progress

    from hybandit.datasets import read_log
    from hybandit.experiments.tasks import parse_policy
    from hybandit.experiments.trained import TrainedModel

    spec = parse_policy(policy)
    options = file_options(separator, file_encoding, drop, kind)
    events, reading = read_log(
        log, arm, reward, arm_features=arm_features, scaling=scaling, **options
    )
    console = Console()
    tell_reading(console, reading)
    with (
        telling_warnings(console),
        Progress(console=Console(stderr=True), transient=True) as bars,
    ):
        bar = bars.add_task(spec.label, total=len(events))
        model = TrainedModel.learned(
            spec, events, reading, arm_features=arm_features, seed=seed,
            tick=lambda count: bars.advance(bar, count),
        )  # fmt: skip
    model.save(out)
    set_aside = write_set_aside(reading, out.with_name(f"{out.stem}-set-aside.csv"))
    tell_files(console, {"model": out, "rows set aside": set_aside})


def decide(
    model: Annotated[Path, typer.Argument(help="A model file that 'hybandit train' wrote.")],
    separator: Separator = None,
) -> None:
    """Choose an arm for each row on standard input, and tell the probabilities.

    Rows are JSON objects, one a line, and are answered as they come; or CSV with a header. The
    answer has the same form.
    """
    from hybandit.errors import DataFileError
    from hybandit.experiments.trained import TrainedModel

    trained = TrainedModel.load(model)
    first = next((line for line in sys.stdin if line.strip()), None)
    if first is None:
        raise DataFileError("there are no rows on standard input: give JSON lines or CSV")
    if first.lstrip().startswith("{"):
        for answer in _answers(trained, first):
            print(json.dumps(answer), flush=True)
    else:
        _answer_csv(trained, first, sign_of(separator))


def _answers(trained: TrainedModel, first: str) -> Iterator[dict[str, object]]:
    from itertools import chain

    import pandas as pd

    from hybandit.errors import DataFileError, HybanditError

    for number, line in enumerate(chain([first], sys.stdin), start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
            (decision,) = trained.decide(pd.DataFrame([row]))
        except (ValueError, TypeError, HybanditError) as error:
            raise DataFileError(f"line {number} of standard input: {error}") from error
        chances = dict(zip(trained.arms, decision.probabilities.tolist(), strict=True))
        yield {
            "arm": trained.arms[decision.arm],
            "probability": decision.probability,
            "probabilities": chances,
        }


def _answer_csv(trained: TrainedModel, first: str, separator: str | None) -> None:
    import csv
    import io

    import pandas as pd

    from hybandit.datasets.delimited import LOOKED_AT, codes_of, separator_of
    from hybandit.errors import DataFileError

    lines = [first, *sys.stdin.readlines()]
    sign = separator or separator_of(lines[:LOOKED_AT])
    names = next(csv.reader([first], delimiter=sign))
    try:
        codes = codes_of(lines, sign, names)
        rows = pd.read_csv(io.StringIO("".join(lines)), sep=sign, dtype=codes)
    except ValueError as error:
        raise DataFileError(f"standard input cannot be read as CSV: {error}") from error
    decisions = trained.decide(rows)
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(["arm", "probability", *(f"p({arm})" for arm in trained.arms)])
    for decision in decisions:
        chances = decision.probabilities.tolist()
        writer.writerow([trained.arms[decision.arm], decision.probability, *chances])
