"""Options that several commands share."""

from __future__ import annotations

from typing import Annotated, Any, Optional

import typer

Separator = Annotated[
    Optional[str],  # noqa: UP045
    typer.Option("--sep", help="What separates a file's columns, such as ';'. Default: found out."),
]
FileEncoding = Annotated[
    Optional[str],  # noqa: UP045
    typer.Option(help="A file's text encoding, such as latin-1. Default: found out."),
]
Drop = Annotated[
    Optional[list[str]],  # noqa: UP045
    typer.Option(help="A column to leave out; may be given more than once, or with commas."),
]
Kind = Annotated[
    Optional[list[str]],  # noqa: UP045
    typer.Option(
        help="What a column is, where it was taken for something else: column=number, category, "
        "date or drop. May be given more than once.",
        metavar="COLUMN=KIND",
    ),
]

ArmColumn = Annotated[
    Optional[str],  # noqa: UP045
    typer.Option(help="The column with the arm that was played; any values, they are names."),
]
RewardColumn = Annotated[
    Optional[str],  # noqa: UP045
    typer.Option(help="The column with what that arm paid."),
]
PropensityColumn = Annotated[
    Optional[str],  # noqa: UP045
    typer.Option(help="The column with how likely that arm was. Without it: estimated."),
]
ArmFeatures = Annotated[
    Optional[str],  # noqa: UP045
    typer.Option(
        help="How columns begin that belong to one arm each: with x_, x_tea_price is the price "
        "of arm tea.",
        metavar="PREFIX",
    ),
]
Scaling = Annotated[
    str, typer.Option(help="How numbers are scaled: standard, standard-raw, unit, raw.")
]


def sign_of(separator: str | None) -> str | None:
    """A separator as it stands in the file; a tab may be written in words."""
    return {"tab": "\t", "\\t": "\t"}.get(separator or "", separator)


def file_options(
    separator: str | None, file_encoding: str | None, drop: list[str] | None, kind: list[str] | None
) -> dict[str, Any]:
    """How a file is read, as `hybandit.datasets` takes it."""
    from hybandit.errors import InvalidInput

    kinds = {}
    for each in kind or []:
        column, sign, name = each.rpartition("=")
        if not sign or not column:
            raise InvalidInput("kind", "written column=kind", each)
        kinds[column] = name
    dropped = [name.strip() for each in drop or [] for name in each.split(",") if name.strip()]
    found = {"separator": sign_of(separator), "file_encoding": file_encoding}
    return {**found, "drop": dropped, "kinds": kinds}
