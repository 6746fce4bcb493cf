"""The command line: one thin file per command group, nothing heavy until a command runs."""

from __future__ import annotations

import sys

import typer

from hybandit.cli import compare, lists, reproduce
from hybandit.errors import HybanditError

app = typer.Typer(
    name="hybandit",
    help="Contextual bandits: compare policies, and reproduce the LNUCB-TA paper's experiments.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
app.command("compare")(compare.compare)
app.command("reproduce")(reproduce.reproduce)
app.command("report")(reproduce.report)
app.command("policies")(lists.policies)
app.command("datasets")(lists.datasets)


def main() -> None:
    """Run the command line; an expected error is one clear line and exit code 1."""
    try:
        app(standalone_mode=True)
    except (HybanditError, OSError) as error:
        print(f"hybandit: {error}", file=sys.stderr)
        sys.exit(1)
