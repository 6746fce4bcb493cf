"""The command line: one thin file per command group, nothing heavy until a command runs."""

from __future__ import annotations

import os
import sys
from typing import Annotated

import typer

from hybandit._version import __version__
from hybandit.cli import compare, evaluate, lists, loop, reproduce, train
from hybandit.errors import HybanditError

app = typer.Typer(
    name="hybandit",
    help="Contextual bandits: compare policies, and reproduce the LNUCB-TA paper's experiments.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
app.command("compare")(compare.compare)
app.command("evaluate")(evaluate.evaluate)
app.command("train")(train.train)
app.command("decide")(train.decide)
app.command("reproduce")(reproduce.reproduce)
app.command("report")(reproduce.report)
app.add_typer(loop.app, name="loop")
app.command("policies")(lists.policies)
app.command("datasets")(lists.datasets)


def _show_version(wanted: bool) -> None:
    if wanted:
        print(f"hybandit {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_show_version, is_eager=True, help="Show the version and exit."
        ),
    ] = False,
) -> None:
    pass


def main() -> None:
    """Run the command line; an expected error is one clear line and exit code 1.

    Modules of the current directory can be named, as in ``--policies mymodule:MyPolicy``.
    """
    if os.getcwd() not in sys.path:
        sys.path.insert(0, os.getcwd())
    try:
        app(standalone_mode=True)
    except (HybanditError, OSError) as error:
        print(f"hybandit: {error}", file=sys.stderr)
        sys.exit(1)
