"""`hybandit loop FILE`: what a live loop has done, and what to do about it."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Optional

import typer

if TYPE_CHECKING:
    from hybandit.loop import Loop, Rate
    from hybandit.loop.journal import ItemLog

# What a snapshot may differ from a fold on another machine, relative.
CLOSE = 1e-9
# How a SQLite file begins, and whom its loop is compared with.
MAGIC = b"SQLite format 3\0"
RIVALS = "item-hybrid,item-hybrid:explore=0.1,item-hybrid:explore=gap"
BLOCKS = " ▁▂▃▄▅▆▇█"
HEIGHT, WIDTH = 6, 60

app = typer.Typer(
    help="Look into a live loop: its status, one event, all events, its models.",
    invoke_without_command=True,
)


@app.callback()
def status(
    context: typer.Context,
    file: Annotated[str, typer.Argument(help="A loop's file, or postgresql://...")],
) -> None:
    """Show a loop's status, with its rewards so far as a curve; or run a command on it."""
    context.obj = file
    if context.invoked_subcommand is not None:
        return
    from rich.console import Console

    from hybandit.reports.tables import TableView

    with _opened(file) as loop:
        now, curve = loop.status(), loop.curve(WIDTH)
    since = now.learner
    rows = [
        ["mode", now.mode],
        ["events, rewards", f"{now.events:,}, {now.rewards:,} ({now.late:,} late)"],
        ["closed, learned", f"{now.closed:,}, {now.learned:,}"],
        ["waiting for their window", f"{now.waiting:,}"],
        ["version", f"{now.version:,}"],
        ["distinct actions", f"{now.actions:,}"],
        ["size", f"{now.bytes / 1e6:,.1f} MB"],
        ["snapshots", f"{now.snapshots}"],
        ["learns, or did last", f"process {since['process']} on {since['host']}" if since else "-"],
        ["reward, last 10,000", _rate(now.reward)],
        ["the first action alone", _rate(now.baseline)],
        ["agreement", "-" if now.agreement is None else f"{now.agreement:.1%}"],
    ]
    console = Console()
    console.print(TableView("loop", f"The loop {now.url}", ["", ""], rows, left=2).rich())
    if curve:
        console.print(chart([mean for _, mean in curve]), highlight=False)
        console.print(f"mean reward from the first closed event to version {curve[-1][0]:,}")


@app.command()
def explain(
    context: typer.Context, event: Annotated[str, typer.Argument(help="The event's id.")]
) -> None:
    """Tell the life of one event, and why it is not learned, if it is not."""
    from rich.console import Console

    from hybandit.reports.tables import TableView

    with _opened(context.obj) as loop:
        loop.wait_for()
        told = loop.explain(event)
    rewards = [f"{each.value:g}{' (late)' if each.late else ''}" for each in told.rewards]
    rows = [
        ["action", f"{told.action}, probability {told.probability:.4f}"],
        ["ranked", _moment(told.ranked)],
        ["activated", _moment(told.activated)],
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
        typer.Option("--csv", help="Where to write them. Default: to the terminal."),
    ] = None,
) -> None:
    """Write every event as CSV: what was asked, decided, rewarded and learned."""
    import json

    with _opened(context.obj) as loop:
        table = loop.events()
    for column in ("context", "actions", "probabilities", "excluded", "rewards"):
        table[column] = table[column].map(json.dumps)
    table.to_csv(sys.stdout if csv is None else csv, index=False)


@app.command()
def rollback(
    context: typer.Context,
    version: Annotated[int, typer.Argument(help="The version to go back to.")],
) -> None:
    """Go back to the model of an earlier version; learning goes on from there."""
    with _opened(context.obj) as loop:
        print(f"version {loop.rollback(version):,} is equal to version {version:,}")


@app.command()
def export(
    context: typer.Context,
    path: Annotated[Path, typer.Argument(help="The .npz file to write.")],
    version: Annotated[
        Optional[int],  # noqa: UP045
        typer.Option(help="Default: the newest."),
    ] = None,
) -> None:
    """Write the model of a version to a file that another loop can import."""
    with _opened(context.obj) as loop:
        loop.export(path, version)


@app.command()
def verify(context: typer.Context) -> None:
    """Fold the journal from its beginning and compare with every snapshot."""
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


def evaluate_loop(place: str, policies: str | None, seed: int) -> None:
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
    rows = [["(the loop itself)", _rate(earned), "", f"{len(log):,}"]]
    for text, (name, settings) in chosen.items():
        estimates = judged(make_policy(name, *sizes, seed=seed, **settings), log)
        told = [
            f"{found.value:.4f} [{found.bootstrap.low:.4f}, {found.bootstrap.high:.4f}]"
            for found in estimates
        ]
        rows.append([text, *told, f"{estimates[1].effective_sample_size:,.0f}"])
    columns = ["policy", "ips", "snips", "effective events"]
    title = f"Reward per event on the journal of {place}, with 95 % intervals"
    Console().print(TableView("loop", title, columns, rows).rich())


def train_on_loop(place: str, text: str, seed: int, out: Path) -> None:
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
    tell_files(Console(), {"model": out})


def _of_items(parameter: str, text: str) -> tuple[str, dict[str, Any]]:
    """Name and settings of a policy that can learn a loop's journal."""
    from hybandit.errors import InvalidInput
    from hybandit.experiments.tasks import named_settings
    from hybandit.policies import ItemPolicy, find_policy

    name, settings = named_settings(text)
    if not issubclass(find_policy(name), ItemPolicy):
        raise InvalidInput(parameter, "policies of items, for a loop's journal", text)
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
        raise StoreError(f"there is no loop {file}")
    return Loop(file, learn=False)


def _rate(rate: Rate) -> str:
    if rate.mean is None:
        return "-"
    return f"{rate.mean:.4f} [{rate.low:.4f}, {rate.high:.4f}]"


def _moment(moment: object) -> str:
    return "-" if moment is None else f"{moment:%Y-%m-%d %H:%M:%S} UTC"
