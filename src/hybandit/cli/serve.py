"""`hybandit serve`: loops behind HTTP."""

from __future__ import annotations

from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from hybandit.errors import HybanditError

KEYS_FILE = typer.Option(metavar="FILE", help="The file of keys. Without: this machine only.")
NEEDED = (
    "uvicorn", "starlette", "msgspec", "prometheus_client", "aiolimiter", "swagger_ui",
    "jinja2", "bokeh",
)  # fmt: skip


class LogLevel(StrEnum):
    """What is logged."""

    DEBUG = "debug"
    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


app = typer.Typer(
    help="Serve loops over HTTP: rank, reward, look and administer.", invoke_without_command=True
)
key_app = typer.Typer(help="Make the keys that clients need.", no_args_is_help=True)
app.add_typer(key_app, name="key")


@app.callback()
def serve(
    context: typer.Context,
    db: Annotated[
        str,
        typer.Option(
            metavar="PLACE", help="A folder of loops, or postgresql://...", envvar="HYBANDIT_DB"
        ),
    ] = "loops",
    config: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="TOML: settings of loops to make, and limits."),
    ] = None,
    keys: Annotated[Path | None, KEYS_FILE] = None,
    host: Annotated[str, typer.Option(metavar="ADDRESS", help="Where to listen.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, metavar="N", help="The port.")] = 8000,
    workers: Annotated[
        int, typer.Option(min=1, metavar="N", help="Processes; more than 1 with PostgreSQL.")
    ] = 1,
    log_level: Annotated[
        LogLevel, typer.Option(help="The least that is logged; info: every request.")
    ] = LogLevel.INFO,
) -> None:
    """Serve loops over HTTP until SIGTERM or Ctrl-C."""
    if context.invoked_subcommand is not None:
        return
    check_installed("hybandit serve")
    from hybandit.service.server import run

    run(
        db, config=config, keys=keys, host=host, port=port, workers=workers, log_level=log_level
    )  # fmt: skip


@key_app.command("add")
def add(
    name: Annotated[str, typer.Argument(metavar="NAME", help="What the key is for.")],
    keys: Annotated[Path, typer.Option(metavar="FILE", help="The file of keys.")] = Path(
        "keys.json"
    ),
    loops: Annotated[
        str, typer.Option(metavar="NAMES", help="Loops, with commas between them; * for all.")
    ] = "*",
    rights: Annotated[
        str, typer.Option(metavar="RIGHTS", help="Some of rank,reward,read,administer.")
    ] = "rank,reward",
    until: Annotated[
        datetime | None,
        typer.Option(metavar="DATE", help="When it ends, in UTC. Default: never."),
    ] = None,
) -> None:
    """Make a key and show it, this once; the file keeps its hash."""
    check_installed("hybandit serve")
    from hybandit.service.keys import Keys

    end = None if until is None else until.replace(tzinfo=UTC)
    print(Keys(keys).add(name, loops=loops.split(","), rights=rights.split(","), end=end))


def check_installed(command: str) -> None:
    """Refuse a command whose libraries are missing."""
    from importlib.util import find_spec

    missing = [each for each in NEEDED if find_spec(each) is None]
    if missing:
        raise HybanditError(
            f"'{command}' needs {', '.join(missing)}: pip install 'hybandit[serve]'"
        )
