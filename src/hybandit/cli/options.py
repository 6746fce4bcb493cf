"""Options that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Optional

import typer

if TYPE_CHECKING:
    from rich.console import Console

    from hybandit.datasets import Reading

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
    dropped = [name for each in drop or [] for name in each.split(",") if name]
    separator = {"tab": "\t", "\\t": "\t"}.get(separator or "", separator)
    return {"separator": separator, "file_encoding": file_encoding, "drop": dropped, "kinds": kinds}


def tell_reading(console: Console, reading: Reading | None) -> None:
    """Show what was read, before anything is done with it."""
    if reading is not None:
        console.print(reading.rich())


def write_set_aside(reading: Reading | None, folder: Path) -> Path | None:
    """List rows that were not used beside the report, if there are any."""
    if reading is None or not reading.set_aside:
        return None
    path = folder / "set-aside.csv"
    reading.write_set_aside(path)
    return path


def tell_files(console: Console, files: dict[str, Path | None]) -> None:
    """Where everything went."""
    for name, path in files.items():
        if path is not None:
            console.print(f"{name}  {path}", highlight=False, markup=False, soft_wrap=True)
