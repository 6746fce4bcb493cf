"""`hybandit loop FILE`: what a live loop has done, and what to do about it."""

from __future__ import annotations

import sys
from contextlib import AbstractContextManager
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

from hybandit.cli.documents import print_document
from hybandit.cli.options import ArmColumn, Json, PropensityColumn, RewardColumn
from hybandit.terminal import visible

if TYPE_CHECKING:
    from hybandit.evaluation import ItemLog
    from hybandit.loop import Loop

# How a SQLite file begins.
MAGIC = b"SQLite format 3\0"
# So many events of an old log are learned between two signs of progress.
AT_ONCE = 256
COLUMNS = ["action", "shown", "day", "reward", "learned", "pending", "first", "last"]
ACTIONS = (
    "Day: share of the decisions of the last 24 hours. Reward: mean of the closed events, with a "
    "95 % interval for one look. Pending: not closed yet. First, last: how long ago it was shown."
)
MEANING = (
    "Mean reward: of all closed events, with a 95 % interval for one look. Baseline: the same if "
    "the baseline of each call had been shown."
)
MORE = "Agreement: how often the action that was shown is the model's favourite."


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
    more: Annotated[
        bool, typer.Option("--more", help="Also versions, sizes and who learns.")
    ] = False,
    json: Json = False,
) -> None:
    """Show the actions of a loop, its verdict and a curve, or run a command on it."""
    context.obj = file
    if context.invoked_subcommand is not None:
        return
    from hybandit.loop.overview import Overview, chart
    from hybandit.reports.tables import TableView
    from hybandit.terminal import terminal

    with _opened(file) as loop:
        found = Overview.of(loop)
    if json:
        print_document(found.document)
        return
    console, url = terminal(), found.status.url
    title = f"The loop {url}"
    for note in found.status.notes:
        console.print(f"{note}.\n", highlight=False)
    if found.action_lines:
        console.print(
            TableView("actions", f"Actions of {url}", COLUMNS, found.action_lines, ACTIONS).rich()
        )
    console.print(TableView("loop", title, ["", ""], found.lines, MEANING, left=2).rich())
    if more:
        console.print(
            TableView("more", f"More of {url}", ["", ""], found.more_lines, MORE, left=2).rich()
        )
    console.print(f"\n{found.status.verdict}", highlight=False)
    if found.curve:
        console.print("\nMean reward, from the first closed event to the last:")
        console.print(chart([mean for _, mean in found.curve]), highlight=False)


@app.command()
def explain(
    context: typer.Context,
    event: Annotated[str, typer.Argument(metavar="EVENT", help="The id of the event.")],
    json: Json = False,
) -> None:
    """Show the history of one event, and why it was learned or not."""
    from hybandit.loop.overview import caught_up
    from hybandit.reports.tables import TableView
    from hybandit.terminal import terminal

    with _opened(context.obj) as loop:
        caught_up(loop)
        told = loop.explain(event)
        lines = told.lines(has_window=loop.settings["wait"] is not None)
    if json:
        print_document(asdict(told))
        return
    terminal().print(TableView("event", f"Event {event}", ["", ""], lines, left=2).rich())


@app.command()
def events(
    context: typer.Context,
    csv: Annotated[
        Path | None,
        typer.Option("--csv", metavar="FILE", help="The file to write. Default: the terminal."),
    ] = None,
    spreadsheet: Annotated[
        bool,
        typer.Option(help="Put ' before names that begin with = + - or @, as formulas do."),
    ] = False,
    as_json: Json = False,
) -> None:
    """Write all events as CSV: contexts, decisions and rewards."""
    from hybandit.loop.overview import events_as_text

    with _opened(context.obj) as loop:
        table = loop.events()
    if as_json:
        print_document({"events": table.to_dict("records")})
        return
    text = events_as_text(table, spreadsheet=spreadsheet)
    if csv is not None:
        text.to_csv(csv, index=False)
        return
    lines = text.to_csv(index=False)
    print(visible(lines) if sys.stdout.isatty() else lines, end="")


@app.command()
def page(
    context: typer.Context,
    port: Annotated[
        int, typer.Option(min=0, max=65535, metavar="N", help="Where to listen; 0: any free port.")
    ] = 0,
) -> None:
    """Show the loop as a page in a browser of this machine, until Ctrl-C; it changes nothing."""
    from contextlib import suppress
    from threading import Event

    from hybandit.cli.serve import check_installed

    check_installed("hybandit loop FILE page")
    from hybandit.service.page.local import shown

    with _opened(context.obj) as loop, shown("loop", loop, port=port) as address:
        print(f"Look at {address}; Ctrl-C ends it.", flush=True)
        with suppress(KeyboardInterrupt):
            Event().wait()


@app.command()
def learn(
    context: typer.Context,
    log: Annotated[
        str,
        typer.Argument(
            metavar="LOG",
            help="A .dsjson log of Vowpal Wabbit or Personalizer, or a CSV, TSV or Parquet file.",
        ),
    ],
    arm: ArmColumn = None,
    reward: RewardColumn = None,
    propensity: PropensityColumn = None,
    wait: Annotated[
        str | None,
        typer.Option(
            metavar="TIME",
            help="For a new loop: how long a reward may take from now on, such as '10 min', or "
            "'none' if every decision gets one.",
        ),
    ] = None,
) -> None:
    """Learn a log of another system; a loop that does not exist yet is made.

    The costs of a .dsjson log are negated. The same log again changes nothing.
    """
    from hybandit.cli.answers import telling_warnings, watch_out
    from hybandit.datasets.dsjson import COSTS, is_dsjson
    from hybandit.datasets.sources import about_rows
    from hybandit.experiments.progress import progress
    from hybandit.loop import Loop
    from hybandit.loop.settings import from_text
    from hybandit.terminal import terminal

    settings = {} if wait is None else from_text([f"wait={wait}"])
    given: dict[str, Any] = {"arm": arm, "reward": reward, "propensity": propensity}
    columns: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
    console, name = terminal(), visible(Path(log).name)
    with telling_warnings(console), Loop(context.obj, **settings) as loop:
        known, learned = loop.version, True
        with progress(terminal(stderr=True)) as bars:
            bar = bars.add_task(f"reading {name}", total=about_rows(log))
            count = loop.learn_from(log, tick=partial(bars.advance, bar), **columns)
            done, total = 0, loop.version - known
            bar = bars.add_task(f"learning {name}", total=total)
            while learned and done < total:
                done = min(done + AT_ONCE, total)
                learned = loop.wait_for(known + done)
                bars.update(bar, completed=done)
        how = "learned" if learned else "written, but not all learned yet"
        print(f"{count:,} events of {visible(log)} {how}, version {loop.version:,}")
    if is_dsjson(log):
        watch_out(console, [COSTS])


@app.command()
def switch(
    context: typer.Context,
    policy: Annotated[
        str,
        typer.Argument(
            metavar="POLICY",
            help="A policy, such as 'item-lin-ucb:alpha=0.3', mymodule:MyPolicy, or 'default'.",
        ),
    ],
) -> None:
    """Let another policy learn the whole journal and decide from now on."""
    with _opened(context.obj) as loop:
        print(f"from version {loop.switch(policy):,} on, {visible(policy)} decides")


@app.command("set")
def change(
    context: typer.Context,
    settings: Annotated[
        list[str],
        typer.Argument(
            metavar="NAME=VALUE...",
            help="explore, wait (such as 'wait=10 min', or none), aggregate, default_reward, mode, "
            "paused (true or false), "
            "keep (days, or none) or staleness.",
        ),
    ],
) -> None:
    """Change settings of a running loop, in all its processes."""
    from hybandit.loop.settings import from_text

    with _opened(context.obj) as loop:
        print(f"changed in version {loop.change(**from_text(settings)):,}")


@app.command()
def reset(context: typer.Context) -> None:
    """Forget what was learned; the events stay."""
    with _opened(context.obj) as loop:
        print(f"version {loop.reset():,} has learned nothing; 'rollback' brings back what was")


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
        int | None,
        typer.Option(metavar="N", help="Which version. Default: the newest."),
    ] = None,
) -> None:
    """Write a version of the model to a file for another loop."""
    with _opened(context.obj) as loop:
        loop.export(path, version)


@app.command()
def backup(
    context: typer.Context,
    path: Annotated[Path, typer.Argument(metavar="OUT", help="The file to write, a new one.")],
) -> None:
    """Write a copy of a loop to a new file, while it is in use; to restore, open the copy."""
    with _opened(context.obj) as loop:
        loop.backup(path)


@app.command()
def verify(context: typer.Context) -> None:
    """Learn the journal again and compare with every stored model."""
    from hybandit.loop.overview import verified

    with _opened(context.obj) as loop:
        lines, right = verified(loop)
    print("\n".join(lines))
    if not right:
        raise typer.Exit(1)


def is_loop(place: str) -> bool:
    """Whether a log is a loop's database: an address, or a file that begins as SQLite's do."""
    if "://" in place:
        return True
    path = Path(place)
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(len(MAGIC)) == MAGIC


def loop_log(place: str) -> ItemLog:
    from hybandit.loop.overview import loop_log

    return loop_log(place)


def _opened(file: str) -> AbstractContextManager[Loop]:
    from hybandit.loop.overview import existing

    return existing(file)
