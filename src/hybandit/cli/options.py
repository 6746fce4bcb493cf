"""Options that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

Seed = Annotated[int, typer.Option(min=0, metavar="N", help="Seed of the first run.")]
EngineName = Annotated[str, typer.Option(metavar="NAME", help="local, or ray for many machines.")]
Workers = Annotated[
    int | None,
    typer.Option(min=1, metavar="N", help="Parallel processes. Default: one per core."),
]
Out = Annotated[Path, typer.Option(metavar="FOLDER", help="Where results, figures and report go.")]
RESULTS = Path("hybandit-results")
Separator = Annotated[
    str | None,
    typer.Option(
        "--sep",
        metavar="SIGN",
        help="The sign between the columns of a file, such as ';'. Default: detected.",
    ),
]
FileEncoding = Annotated[
    str | None,
    typer.Option(
        metavar="NAME", help="The text encoding of a file, such as latin-1. Default: detected."
    ),
]
Drop = Annotated[
    list[str] | None,
    typer.Option(
        metavar="COLUMNS",
        help="Columns to leave out, with commas between them. May be given more than once.",
    ),
]
Kinds = Annotated[
    list[str] | None,
    typer.Option(
        "--kind",
        help="Read a column as number, category or date, or drop it, such as 'zip=category'. "
        "May be given more than once.",
        metavar="COLUMN=KIND",
    ),
]

ArmColumn = Annotated[
    str | None,
    typer.Option(
        metavar="COLUMN", help="The column that names the arm that was chosen, such as 'shown'."
    ),
]
RewardColumn = Annotated[
    str | None,
    typer.Option(
        metavar="COLUMN", help="The column with the reward of that arm: a number, larger is better."
    ),
]
PropensityColumn = Annotated[
    str | None,
    typer.Option(
        metavar="COLUMN",
        help="The column with the probability of that arm. Default: estimated.",
    ),
]
ArmFeatures = Annotated[
    str | None,
    typer.Option(
        help="How the names of columns begin that describe one arm: with 'x_', the column "
        "x_tea_price is the price of the arm tea.",
        metavar="PREFIX",
    ),
]
Scaling = Annotated[
    str,
    typer.Option(
        "--scaling",
        "--encoding",
        metavar="NAME",
        help="How numbers are scaled: standard, standard-raw, unit or raw.",
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON document instead of tables.")]


def sign_of(separator: str | None) -> str | None:
    """A separator as it stands in the file; a tab may be written in words."""
    return {"tab": "\t", "\\t": "\t"}.get(separator or "", separator)


def file_options(
    separator: str | None,
    file_encoding: str | None,
    drop: list[str] | None,
    kinds: list[str] | None,
) -> dict[str, Any]:
    """How a file is read, as `hybandit.datasets` takes it."""
    from hybandit.errors import InvalidInput

    kind_of = {}
    for each in kinds or []:
        column, sign, name = each.rpartition("=")
        if not sign or not column:
            raise InvalidInput("kinds", "written column=kind", each)
        kind_of[column] = name
    dropped = [name.strip() for each in drop or [] for name in each.split(",") if name.strip()]
    found = {"separator": sign_of(separator), "file_encoding": file_encoding}
    return {**found, "drop": dropped, "kinds": kind_of}
