"""Checks of the arguments that say what is read and how, before anything is read."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any, TypedDict

import pandas as pd

from hybandit.errors import InvalidInput
from hybandit.features.encoder import SCALINGS
from hybandit.validation import checks
from hybandit.validation.settings import Rule, either, nothing


class HowToRead(TypedDict):
    """How a file is read."""

    separator: str | None
    file_encoding: str | None
    drop: list[str]
    kinds: dict[str, str]


def _is_text(given: Any) -> bool:
    return isinstance(given, str) and len(given) > 0


COLUMN = either(Rule("the name of a column, as text", _is_text), nothing())
PREFIX = either(Rule("how the names of columns begin, as text", _is_text), nothing())
SIGN = either(Rule("one character", lambda given: _is_text(given) and len(given) == 1), nothing())
SCALING = Rule(
    f"one of {', '.join(SCALINGS)}", lambda given: isinstance(given, str) and given in SCALINGS
)
ENCODING = either(Rule("the name of a text encoding", _is_text), nothing())


def check_source(parameter: str, given: Any) -> None:
    """A table in memory, or where it is."""
    known = isinstance(given, (str, pd.DataFrame)) or _is_path(given)
    streams = callable(getattr(given, "__arrow_c_stream__", None))
    if not known and (not streams or isinstance(given, pd.Series)):
        rule = "a table of pandas, polars or Arrow, or the path of a file"
        raise InvalidInput(parameter, rule, given)


def check_log_columns(arm: Any, reward: Any, propensity: Any, arm_features: Any) -> None:
    """Which columns of a log hold what."""
    COLUMN.check("arm", arm)
    COLUMN.check("reward", reward)
    COLUMN.check("propensity", propensity)
    PREFIX.check("arm_features", arm_features)


def how_to_read(*, separator: Any, file_encoding: Any, drop: Any, kinds: Any) -> HowToRead:
    """The arguments that all readers share, checked."""
    SIGN.check("separator", separator)
    ENCODING.check("file_encoding", file_encoding)
    return {
        "separator": separator,
        "file_encoding": file_encoding,
        "drop": _columns("drop", drop),
        "kinds": _kinds({} if kinds is None else kinds),
    }


def _columns(parameter: str, given: Any) -> list[str]:
    columns = checks.sequence(parameter, given)
    for each in columns:
        if not isinstance(each, str):
            raise InvalidInput(parameter, "names of columns, as text", each)
    return columns


def _kinds(given: Any) -> dict[str, str]:
    """Whether a kind exists is checked where it is used."""
    rule = "a dict from names of columns to kinds, as text"
    if not isinstance(given, Mapping):
        raise InvalidInput("kinds", rule, given)
    for pair in given.items():
        if not all(isinstance(each, str) for each in pair):
            raise InvalidInput("kinds", rule, given)
    return dict(given)


def _is_path(given: Any) -> bool:
    try:
        return isinstance(given, os.PathLike) and isinstance(os.fspath(given), str)
    except Exception:  # Its __fspath__ fails.
        return False
