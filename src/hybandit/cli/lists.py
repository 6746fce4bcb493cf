"""`hybandit policies` and `hybandit datasets`: what there is."""

from __future__ import annotations

from typing import Annotated

import typer

from hybandit.cli.documents import print_document
from hybandit.cli.options import Json


def policies(
    name: Annotated[
        str | None,
        typer.Argument(metavar="NAME", help="The policy to explain."),
    ] = None,
    json: Json = False,
) -> None:
    """List all policies; name one to see its settings."""
    from hybandit.reports.listings import policies_listed, policy_explained
    from hybandit.terminal import terminal

    found = policies_listed() if name is None else policy_explained(name)
    if json:
        print_document(found.document)
        return
    console = terminal()
    if found.title:
        console.print(found.title, style="bold", highlight=False)
    if found.text:
        console.print(f"{found.text}\n", highlight=False, markup=False, soft_wrap=True)
    console.print(found.table.rich(), highlight=False)
    if name is None:
        console.print("\n'hybandit policies NAME' explains one policy and lists its settings.")


def datasets(json: Json = False) -> None:
    """List the built-in data sets, and which of them are here."""
    from hybandit.reports.listings import datasets_listed
    from hybandit.terminal import terminal

    found = datasets_listed()
    if json:
        print_document(found.document)
    else:
        terminal().print(found.table.rich())
