"""`hybandit train` and `hybandit decide`."""

from __future__ import annotations

import json
import sys
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from hybandit.cli import options
from hybandit.cli.answers import (
    reading_log,
    tell_files,
    tell_reading,
    telling_warnings,
    watch_out,
    write_set_aside,
)
from hybandit.cli.documents import print_document, reading_document
from hybandit.cli.loop import is_loop, loop_log


def train(
    log: Annotated[
        str,
        typer.Argument(
            metavar="LOG",
            help="A CSV, TSV or Parquet file, a folder of Parquet files, a .dsjson log of Vowpal "
            "Wabbit, or the database of a loop.",
        ),
    ],
    out: Annotated[
        Path, typer.Option("--out", "-o", metavar="FILE", help="The model file to write, .npz.")
    ],
    arm: options.ArmColumn = None,
    reward: options.RewardColumn = None,
    policy: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="A policy, such as 'lin-ucb:alpha=0.1'. Default: stacked-hybrid; for a loop or a "
            ".dsjson log, item-hybrid.",
        ),
    ] = None,
    arm_features: options.ArmFeatures = None,
    scaling: options.Scaling = "standard",
    separator: options.Separator = None,
    file_encoding: options.FileEncoding = None,
    drop: options.Drop = None,
    kinds: options.Kinds = None,
    seed: Annotated[int, typer.Option(min=0, metavar="N", help="Seed of the policy.")] = 0,
    as_json: options.Json = False,
) -> None:
    """Train a policy on a log and save it to a model file.

    'hybandit decide' chooses arms with this file, and hybandit.load reads its policy in Python. On
    the journal of a loop, a policy of items is trained on the vectors that 'Loop.log' gives.
    """
    from hybandit.evaluation import StreamedItemLog
    from hybandit.experiments.progress import progress
    from hybandit.experiments.tasks import parse_policy
    from hybandit.experiments.trained import trained
    from hybandit.experiments.user_files import opened
    from hybandit.terminal import terminal

    live, console = is_loop(log), terminal(quiet=as_json)
    how = options.file_options(separator, file_encoding, drop, kinds)
    columns = {"arm": arm, "reward": reward, "arm_features": arm_features, "scaling": scaling}
    with reading_log(log):
        events, reading = (loop_log(log), None) if live else opened(log, **columns, **how)
    spec = parse_policy(policy or ("item-hybrid" if events.of_items else "stacked-hybrid"))
    tell_reading(console, reading)
    if isinstance(events, StreamedItemLog):
        watch_out(console, events.notes)
    with telling_warnings(console) as notes, progress(terminal(stderr=True)) as bars:
        bar = bars.add_task(spec.label, total=len(events))
        tick = partial(bars.advance, bar)
        model = trained(spec, events, seed=seed, tick=tick)
    model.save(out)
    set_aside = write_set_aside(reading, out.with_name(f"{out.stem}-set-aside.csv"))
    tell_files(console, {"model": out, "rows set aside": set_aside})
    if as_json:
        told = {"policy": spec.label, "events": len(events), "reading": reading_document(reading)}
        files = {"model": out, "set_aside": set_aside}
        print_document({**told, "watch": notes, "files": files})


def decide(
    model: Annotated[
        Path, typer.Argument(metavar="MODEL", help="A model file that 'hybandit train' wrote.")
    ],
    policy: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="The policy of the file, if it is your own: its module is imported.",
        ),
    ] = None,
    separator: options.Separator = None,
) -> None:
    """Choose an arm for each row of standard input.

    Rows are JSON objects, one per line, which are answered as they arrive, or CSV with a header.
    The answer has the same form and holds the arm and the probability of every arm.
    """
    import csv
    from itertools import chain

    from hybandit.datasets.delimited import read_lines
    from hybandit.errors import DataFileError
    from hybandit.experiments.trained import TrainedModel

    trained = TrainedModel.load(model, policy)
    first = next((line for line in sys.stdin if line.strip()), None)
    if first is None:
        raise DataFileError("there are no rows on standard input: give JSON lines or CSV")
    if first.lstrip().startswith("{"):
        for number, line in enumerate(chain([first], sys.stdin), start=1):
            if line.strip():
                print(json.dumps(trained.answer(line, number)), flush=True)
        return
    rows = read_lines([first, *sys.stdin], options.sign_of(separator), "standard input")
    # All rows are checked here, before anything is written.
    decisions = trained.decide(rows)
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(["arm", "probability", *(f"p({arm})" for arm in trained.arms)])
    for decision in decisions:
        chances = decision.probabilities.tolist()
        writer.writerow([trained.arms[decision.arm], decision.probability, *chances])
