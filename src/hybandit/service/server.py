"""Runs the service with uvicorn, in one process or several."""

from __future__ import annotations

import os
import tomllib
from pathlib import Path
from typing import Any

import msgspec
import uvicorn
from starlette.applications import Starlette

from hybandit.errors import DataFileError, InvalidInput
from hybandit.loop import Loops
from hybandit.service.app import create_app, is_loopback
from hybandit.service.keys import Keys
from hybandit.service.limits import Limits

# How a worker process learns what it serves.
ENVIRONMENT = "_HYBANDIT_SERVE"
# Seconds that open requests may take when the server is asked to end.
GRACE = 30


class Config(msgspec.Struct, forbid_unknown_fields=True):
    """The configuration file: settings of loops by name, and limits."""

    loops: dict[str, dict[str, Any]] = {}
    limits: Limits = msgspec.field(default_factory=Limits)


class Served(msgspec.Struct):
    """What a worker needs to know."""

    db: str
    keys: str | None
    limits: Limits


def run(
    db: str, *, config: Path | None, keys: Path | None, host: str, port: int, workers: int
) -> None:
    """Serve loops until SIGTERM or Ctrl-C; returns when all that was acknowledged is stored."""
    if keys is None and not is_loopback(host):
        rule = "this machine's own, such as 127.0.0.1, as long as there are no keys"
        raise InvalidInput("host", rule, host)
    if keys is not None:
        Keys(keys).find("")
    if workers > 1 and "://" not in db:
        rule = "1 with SQLite: several need PostgreSQL, --db postgresql://..."
        raise InvalidInput("workers", rule, workers)
    read = Config() if config is None else _read(config)
    with Loops(db, learn=False) as loops:
        for name, settings in read.loops.items():
            loops.create(name, **settings)
    served = Served(db, None if keys is None else str(keys), read.limits)
    os.environ[ENVIRONMENT] = msgspec.json.encode(served).decode()
    uvicorn.run(
        "hybandit.service.server:application",
        factory=True,
        host=host,
        port=port,
        workers=workers,
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=GRACE,
    )


def application() -> Starlette:
    """The application of one worker."""
    served = msgspec.json.decode(os.environ[ENVIRONMENT], type=Served)
    keys = None if served.keys is None else Keys(served.keys)
    return create_app(Loops(served.db), keys=keys, limits=served.limits)


def _read(path: Path) -> Config:
    try:
        return msgspec.convert(tomllib.loads(path.read_text()), Config)
    except (OSError, ValueError, msgspec.MsgspecError) as error:
        raise DataFileError(f"the configuration {path} cannot be read: {error}") from error
