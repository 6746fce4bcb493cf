"""Logs: one JSON object a line, without keys and without anything of a person."""

from __future__ import annotations

import json
import logging
import traceback
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Any

from hybandit.errors import StoreError, without_passwords

# The request that is being answered, for every line that is written meanwhile.
REQUEST: ContextVar[str | None] = ContextVar("request", default=None)
# Errors whose messages are about the database or the disk; of those of others only the kind is
# told, since they may quote what a client sent.
SAYING_WHY = (StoreError, OSError)
DEEPEST = 30


class JSONLines(logging.Formatter):
    """A line of JSON for each record; `fields` of a record become fields of the line.

    Examples
    --------
    >>> record = logging.LogRecord("shop", logging.INFO, "", 0, "%s opened", ("tea",), None)
    >>> json.loads(JSONLines().format(record))["message"]
    'tea opened'
    """

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        request = REQUEST.get()
        if request is not None:
            line["request"] = request
        line.update(getattr(record, "fields", {}))
        if record.exc_info and record.exc_info[1] is not None:
            line["errors"] = _errors(record.exc_info[1])
        return json.dumps(line, default=str)


def settings(level: str) -> dict[str, Any]:
    """The configuration of Python's logging, for uvicorn's loggers and ours."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"lines": {"()": "hybandit.service.logs.JSONLines"}},
        "handlers": {"errors": {"class": "logging.StreamHandler", "formatter": "lines"}},
        "root": {"handlers": ["errors"], "level": "WARNING"},
        "loggers": {
            name: {"handlers": ["errors"], "level": level.upper(), "propagate": False}
            for name in ("uvicorn", "hybandit")
        },
    }


def _errors(error: BaseException | None) -> list[dict[str, Any]]:
    """An error and those that led to it: kinds and places, and messages that quote nobody."""
    found: list[dict[str, Any]] = []
    while error is not None and len(found) < DEEPEST:
        told: dict[str, Any] = {"kind": type(error).__name__}
        if isinstance(error, SAYING_WHY):
            told["message"] = without_passwords(str(error)).partition("\n")[0]
        frames = traceback.extract_tb(error.__traceback__)[-DEEPEST:]
        told["places"] = [f"{each.filename}:{each.lineno} {each.name}" for each in frames]
        found.append(told)
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    return found
