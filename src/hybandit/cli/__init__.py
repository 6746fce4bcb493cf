"""The command line: one thin file per command group, nothing heavy until a command runs."""

from __future__ import annotations

import os
import sys
from typing import Annotated

import typer

from hybandit._version import __version__
from hybandit.cli import compare, demo, evaluate, lists, loop, reproduce, serve, train
from hybandit.errors import HybanditError, naming_options
from hybandit.terminal import visible

EXIT_CODES = {
    0: "success",
    1: (
        "an error, explained on standard error; 'loop verify' found damage; or, without a word, "
        "nobody reads the output any more, as after a pipe to head"
    ),
    2: "the command line cannot be understood",
    3: "'reproduce' skipped experiments because data files are missing",
    130: "stopped by Ctrl-C",
}
TO_TRY = """\
hybandit: contextual bandits. Three things to try:

  hybandit compare
      Compare policies on handwritten digits. Takes less than a minute.
  hybandit compare --data visits.csv --label bought
      Compare them on your own table, with the right answer in one column.
  hybandit evaluate log.csv --arm shown --reward clicked
      Find out which policy would have earned more on your own log of decisions.

'hybandit -h' lists all commands, 'hybandit COMMAND -h' explains one.
"""

app = typer.Typer(
    name="hybandit",
    help="Contextual bandits: compare policies, judge them on logs, look into live loops.",
    epilog="Exit codes. " + " ".join(f"{code}: {told}." for code, told in EXIT_CODES.items()),
    context_settings={"help_option_names": ["-h", "--help"]},
    pretty_exceptions_enable=False,
    rich_markup_mode=None,  # Boxes cut off long words and break paragraphs.
)
app.command("compare", cls=compare.FileByOption)(compare.compare)
app.command("evaluate")(evaluate.evaluate)
app.command("train")(train.train)
app.command("decide")(train.decide)
app.command("reproduce")(reproduce.reproduce)
app.command("report")(reproduce.report)
app.add_typer(loop.app, name="loop")
app.add_typer(serve.app, name="serve")
app.command("demo")(demo.demo)
app.command("policies")(lists.policies)
app.command("datasets")(lists.datasets)


def _show_version(wanted: bool) -> None:
    if wanted:
        print(f"hybandit {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def _options(
    context: typer.Context,
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_show_version, is_eager=True, help="Show the version and exit."
        ),
    ] = False,
) -> None:
    context.with_resource(naming_options(_options_of(context).get))
    if context.invoked_subcommand is None:
        print(TO_TRY, end="")


def _options_of(context: typer.Context) -> dict[str, str]:
    """The options by their parameters: of all commands, first of the one that runs."""
    commands = dict(getattr(context.command, "commands", {}))
    current = commands.pop(context.invoked_subcommand, context.command)
    found: dict[str, str] = {}
    for command in (current, *commands.values()):
        for each in command.params:
            if each.param_type_name == "option":
                found.setdefault(each.name, each.opts[0])
    for each in current.params:
        if each.param_type_name != "option":
            found.pop(each.name, None)
    return found


def main() -> None:
    """Run the command line; an expected error is one clear line and exit code 1.

    Modules of the current directory can be named, as in ``--policies mymodule:MyPolicy``.
    """
    if os.getcwd() not in sys.path:
        sys.path.insert(0, os.getcwd())
    try:
        app(standalone_mode=True, prog_name="hybandit")
    except (HybanditError, OSError) as error:
        print(f"hybandit: {visible(str(error))}", file=sys.stderr)
        sys.exit(1)
