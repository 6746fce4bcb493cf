"""Runs the service with uvicorn, in one process or several."""

from __future__ import annotations

import logging
import os
import sys
import tempfile
import tomllib
from pathlib import Path
from typing import Any

import msgspec
import uvicorn
from starlette.applications import Starlette

from hybandit.errors import DataFileError, InvalidInput
from hybandit.loop import Loops
from hybandit.service.app import create_app
from hybandit.service.guard import is_loopback
from hybandit.service.keys import Keys
from hybandit.service.limits import Limits
from hybandit.service.logs import settings as log_settings
from hybandit.service.metrics import FOLDER
from hybandit.service.page import assets

# How a worker process learns what it serves.
ENVIRONMENT = "_HYBANDIT_SERVE"
# Seconds that open requests may take when the server is asked to end.
GRACE = 30
# Seconds after which a thread that learns lets those go on that answer: a tenth of Python's own.
SWITCH = 5e-4


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
    db: str,
    *,
    config: Path | None = None,
    keys: Path | None = None,
    host: str = "127.0.0.1",
    port: int = 8000,
    workers: int = 1,
    log_level: str = "info",
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
            loops.create(name, **_settings(settings))
    served = Served(db, None if keys is None else str(keys), read.limits)
    os.environ[ENVIRONMENT] = msgspec.json.encode(served).decode()
    if keys is None:
        print("There are no keys: only this machine is answered (hybandit serve key add --help).")
    _allow_open_files()
    with tempfile.TemporaryDirectory(prefix="hybandit-metrics-") as folder:
        if workers > 1:
            os.environ[FOLDER] = folder
        uvicorn.run(
            "hybandit.service.server:application",
            factory=True,
            host=host,
            port=port,
            workers=workers,
            http="hybandit.service.protocol:LimitedProtocol",
            ws="none",
            log_config=log_settings(log_level),
            access_log=False,
            server_header=False,
            limit_concurrency=read.limits.connections,
            timeout_graceful_shutdown=GRACE,
        )


def _allow_open_files() -> None:
    """As many as the system lets us: a loop in SQLite has six open, each client one."""
    try:
        import resource
    except ImportError:  # Not on Windows.
        return
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def application() -> Starlette:
    """The application of one worker."""
    logging.captureWarnings(True)
    sys.setswitchinterval(SWITCH)
    assets.prepare()
    served = msgspec.json.decode(os.environ[ENVIRONMENT], type=Served)
    keys = None if served.keys is None else Keys(served.keys)
    return create_app(Loops(served.db), keys=keys, limits=served.limits)


def _settings(written: dict[str, Any]) -> dict[str, Any]:
    """Settings of a loop as TOML writes them: it has no null, so that "none" means it."""
    return {
        name: None if isinstance(value, str) and value.lower() == "none" else value
        for name, value in written.items()
    }


def _read(path: Path) -> Config:
    try:
        return msgspec.convert(tomllib.loads(path.read_text()), Config)
    except (OSError, ValueError, msgspec.MsgspecError) as error:
        raise DataFileError(f"the configuration {path} cannot be read: {error}") from error
