"""`hybandit loop FILE`: what a live loop has done, and what to do about it."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Optional

import typer
from typer.core import TyperGroup

from hybandit.cli.documents import print_document
from hybandit.cli.options import Json

if TYPE_CHECKING:
    from hybandit.evaluation import ValueEstimate
    from hybandit.loop import Loop, MeanInterval
    from hybandit.loop.journal import ItemLog

# What a snapshot may differ from a fold on another machine, relative.
CLOSE = 1e-9
# Seconds in which the status may learn the journal, to tell what is wrong with it.
PATIENCE = 3.0
# So many events, at least, are in one bar of the curve: fewer show little but chance.
EVENTS_IN_A_BAR = 10
# How a SQLite file begins, and whom its loop is compared with.
MAGIC = b"SQLite format 3\0"
RIVALS = "item-hybrid,item-hybrid:explore=0.1,item-hybrid:explore=gap"
MEANING = (
    "Mean reward: of the last 10,000 closed events, with its 95 % interval. Baseline: the same if "
    "the first action of each call had been shown. Agreement: how often the action that was "
    "shown is the model's favourite."
)
SAMPLE = (
    "Sample: how many events of equal weight would say as much. Below 100, do not trust the value."
)
BLOCKS = " ▁▂▃▄▅▆▇█"
HEIGHT, WIDTH = 6, 60


class _FileFirst(TyperGroup):
    """Lets options follow the file, as in ``hybandit loop FILE --json``."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        file, options = args[:1], args[1:]
        if options and all(option.startswith("-") for option in options):
            args = [*options, *file]
        return super().parse_args(ctx, args)


app = typer.Typer(
    cls=_FileFirst,
    help="Look into a live loop: its status, events and model versions.",
    invoke_without_command=True,
)


@app.callback()
def status(
    context: typer.Context,
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="The file of a loop, or postgresql://...")
    ],
    json: Json = False,
) -> None:
    """Show the status of a loop and a curve of its rewards, or run a command on it."""
    context.obj = file
    if context.invoked_subcommand is not None:
        return
    from rich.console import Console

    from hybandit.reports.tables import TableView

    with _opened(file) as loop:
        # Whether the journal can be learned shows when it is.
        loop.wait_for(timeout=PATIENCE)
        now = loop.status()
        bars = min(WIDTH, now.closed // EVENTS_IN_A_BAR)
        curve = loop.curve(bars) if bars > 1 else []
        window = loop.settings["wait"] is not None
    if json:
        points = [{"version": version, "reward": mean} for version, mean in curve]
        print_document({**asdict(now), "verdict": now.verdict, "curve": points})
        return
    since = now.learner
    rows = [
        ["mode", now.mode],
        ["events", f"{now.events:,}"],
        ["rewards", f"{now.rewards:,}, {now.late:,} of them {_late(window)}"],
        ["closed events", f"{now.closed:,}, {now.learned:,} of them learned"],
        ["still in their window" if window else "waiting for a reward", f"{now.waiting:,}"],
        ["different actions", f"{now.actions:,}"],
        ["model version", f"{now.version:,}"],
        ["stored models", f"{now.snapshots}"],
        ["size on disk", f"{now.bytes / 1e6:,.1f} MB"],
        ["last learner", f"process {since['process']} on {since['host']}" if since else "-"],
        ["mean reward", _rate(now.reward)],
        ["baseline", _rate(now.baseline)],
        ["agreement", "-" if now.agreement is None else f"{now.agreement:.1%}"],
        *([["error", now.error]] if now.error else []),
    ]
    console = Console()
    title = f"The loop {now.url}"
    console.print(TableView("loop", title, ["", ""], rows, MEANING, left=2).rich())
    console.print(f"\n{now.verdict}", highlight=False)
    if curve:
        console.print("\nMean reward, from the first closed event to the last:")
        console.print(chart([mean for _, mean in curve]), highlight=False)


@app.command()
def explain(
    context: typer.Context,
    event: Annotated[str, typer.Argument(metavar="EVENT", help="The id of the event.")],
    json: Json = False,
) -> None:
    """Show the history of one event, and why it was learned or not."""
    from rich.console import Console

    from hybandit.reports.tables import TableView

    with _opened(context.obj) as loop:
        loop.wait_for()
        told = loop.explain(event)
        late = f" ({_late(loop.settings['wait'] is not None)})"
    if json:
        print_document(asdict(told))
        return
    rewards = [f"{each.value:g}{late if each.late else ''}" for each in told.rewards]
    rows = [
        ["action", f"{told.action}, probability {told.probability:.4f}"],
        ["ranked", _moment(told.ranked)],
        *([["activated", _moment(told.activated)]] if told.activated else []),
        ["rewards", ", ".join(rewards) or "-"],
        ["closed", _moment(told.closed)],
        ["reward learned", "-" if told.reward is None else f"{told.reward:g}"],
        ["why", told.why],
    ]
    Console().print(TableView("event", f"Event {event}", ["", ""], rows, left=2).rich())


@app.command()
def events(
    context: typer.Context,
    csv: Annotated[
        Optional[Path],  # noqa: UP045
        typer.Option("--csv", metavar="FILE", help="The file to write. Default: the terminal."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Write all events as CSV: contexts, decisions and rewards."""
    import json

    with _opened(context.obj) as loop:
        table = loop.events()
    if as_json:
        print_document({"events": table.to_dict("records")})
        return
    for column in ("context", "actions", "probabilities", "excluded", "rewards"):
        table[column] = table[column].map(json.dumps)
    table.to_csv(sys.stdout if csv is None else csv, index=False)


@app.command()
def rollback(
    context: typer.Context,
    version: Annotated[int, typer.Argument(metavar="VERSION", help="The version to go back to.")],
) -> None:
    """Go back to an earlier version of the model and continue from it."""
    with _opened(context.obj) as loop:
        print(f"version {loop.rollback(version):,} is equal to version {version:,}")


@app.command()
def export(
    context: typer.Context,
    path: Annotated[Path, typer.Argument(metavar="PATH", help="The .npz file to write.")],
    version: Annotated[
        Optional[int],  # noqa: UP045
        typer.Option(metavar="N", help="Which version. Default: the newest."),
    ] = None,
) -> None:
    """Write a version of the model to a file for another loop."""
    with _opened(context.obj) as loop:
        loop.export(path, version)


@app.command()
def verify(context: typer.Context) -> None:
    """Learn the journal again and compare with every stored model."""
    with _opened(context.obj) as loop:
        found = loop.verify()
    for position, difference in found:
        if difference is None:
            print(f"version {position:,}: DAMAGED")
        elif difference == 0.0:
            print(f"version {position:,}: equal bit for bit")
        else:
            print(f"version {position:,}: differs by {difference:.1e}")
    if not found:
        print("there are no snapshots to compare with")
    if any(difference is None or difference > CLOSE for _, difference in found):
        raise typer.Exit(1)


def is_loop(place: str) -> bool:
    """Whether a log is a loop's database: by its address, or by how SQLite's files begin."""
    if place.startswith(("postgresql://", "postgres://", "sqlite://")):
        return True
    path = Path(place)
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(len(MAGIC)) == MAGIC


def evaluate_loop(place: str, policies: str | None, seed: int, *, as_json: bool = False) -> None:
    """Print what policies of items would have earned on a loop's journal."""
    from rich.console import Console

    from hybandit.experiments.tasks import separated
    from hybandit.loop import judged
    from hybandit.policies import make_policy
    from hybandit.reports.tables import TableView

    chosen = {text: _of_items("policies", text) for text in separated(policies or RIVALS)}
    with _opened(place) as loop:
        log, earned = _log(loop), loop.status().reward
        sizes = _sizes(loop)
    found = {
        text: judged(make_policy(name, *sizes, seed=seed, **settings), log)
        for text, (name, settings) in chosen.items()
    }
    if as_json:
        print_document({"events": len(log), "loop": earned, "rows": _judgements(found)})
        return
    rows = [
        [text, each.estimator, f"{each.value:.4f}", _interval(*each.bootstrap),
         f"{each.effective_sample_size:,.0f}"]
        for text, estimates in found.items()
        for each in estimates
    ]  # fmt: skip
    if earned.mean is not None and earned.low is not None and earned.high is not None:
        own = [f"{earned.mean:.4f}", _interval(earned.low, earned.high)]
        rows.append(["(the loop itself)", "its mean reward", *own, f"{len(log):,}"])
    columns = ["policy", "estimator", "value", "95 % interval", "sample"]
    title = f"What each policy would have earned per event in {place}"
    Console().print(TableView("loop", title, columns, rows, SAMPLE, left=2).rich())


def _interval(low: float, high: float) -> str:
    return f"{low:.4f} to {high:.4f}"


def _judgements(found: dict[str, tuple[ValueEstimate, ValueEstimate]]) -> list[dict[str, object]]:
    return [
        {
            "policy": text,
            "estimator": each.estimator,
            "value": each.value,
            "low": each.bootstrap.low,
            "high": each.bootstrap.high,
            "effective_sample_size": each.effective_sample_size,
        }
        for text, estimates in found.items()
        for each in estimates
    ]


def train_on_loop(place: str, text: str, seed: int, out: Path, *, as_json: bool = False) -> None:
    """Let a policy of items learn a loop's journal, and write it to a file."""
    from rich.console import Console

    from hybandit.cli.answers import tell_files
    from hybandit.policies import make_policy

    name, settings = _of_items("policy", text)
    with _opened(place) as loop:
        log, policy = _log(loop), make_policy(name, *_sizes(loop), seed=seed, **settings)
    for context, items, names, choice, reward in zip(
        log.contexts, log.items, log.names, log.choices, log.rewards, strict=True
    ):
        policy.learn(context, items[choice], reward, id=names[choice])
    policy.save(out)
    tell_files(Console(quiet=as_json), {"model": out})
    if as_json:
        print_document({"policy": text, "events": len(log), "files": {"model": out}})


def _of_items(parameter: str, text: str) -> tuple[str, dict[str, Any]]:
    """Name and settings of a policy that can learn a loop's journal."""
    from hybandit.errors import InvalidInput
    from hybandit.policies import ItemPolicy, find_policy, named_settings

    name, settings = named_settings(text)
    if not issubclass(find_policy(name), ItemPolicy):
        raise InvalidInput(
            parameter, "policies of items, such as item-hybrid, for the journal of a loop", text
        )
    return name, settings


def _sizes(loop: Loop) -> tuple[int, int]:
    return loop.settings["context_width"], loop.settings["action_width"]


def _log(loop: Loop) -> ItemLog:
    from hybandit.errors import InvalidInput

    log = loop.log()
    if not len(log):
        raise InvalidInput("log", "a loop with closed events", loop.status().url)
    return log


def chart(values: Sequence[float], height: int = HEIGHT) -> str:
    """Bars from the least value to the largest, which stand beside them.

    Examples
    --------
    >>> print(chart([0.0, 0.4, 1.0], height=2))
    1 |  █
    0 |▁▇█
    """
    low, high = min(values), max(values)
    scale = (8 * height - 1) / (high - low) if high > low else 0.0
    heights = [1 + round((value - low) * scale) for value in values]
    edges = {height - 1: f"{high:.3g}", 0: f"{low:.3g}"}
    margin = max(map(len, edges.values()))
    lines = []
    for line in reversed(range(height)):
        bars = "".join(BLOCKS[min(8, max(0, bar - 8 * line))] for bar in heights)
        lines.append(f"{edges.get(line, ''):>{margin}} |{bars}")
    return "\n".join(lines)


def _opened(file: str) -> AbstractContextManager[Loop]:
    """A loop that is there already, which this process will not learn for."""
    from hybandit.errors import StoreError
    from hybandit.loop import Loop

    path = file.removeprefix("sqlite:///")
    if "://" not in path and not Path(path).exists():
        raise StoreError(f"there is no loop {file}; in Python, hybandit.Loop makes one")
    return Loop(file, learn=False)


def _late(window: bool) -> str:
    """What is said of a reward that was not learned."""
    return "too late" if window else "after the first"


def _rate(rate: MeanInterval) -> str:
    if rate.mean is None:
        return "-"
    if rate.low is None or rate.high is None:
        return f"{rate.mean:.4f}"
    return f"{rate.mean:.4f} [{rate.low:.4f}, {rate.high:.4f}]"


def _moment(moment: object) -> str:
    return "-" if moment is None else f"{moment:%Y-%m-%d %H:%M:%S} UTC"
