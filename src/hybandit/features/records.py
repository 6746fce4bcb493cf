"""Checks features that a caller sends, and writes them in one canonical form."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from hybandit.errors import InvalidInput, Unquoted
from hybandit.state import LARGEST_INPUT

DEEPEST = 32
LONGEST = 1_000_000

_write = json.JSONEncoder(
    sort_keys=True, separators=(",", ":"), allow_nan=False, check_circular=False
).encode


def canonical(parameter: str, features: Any) -> str:
    """The features as JSON text: equal features give equal text.

    Keys are sorted. NaN, which pandas uses for a missing value, becomes null. Numbers and
    arrays of NumPy become plain ones. Anything that JSON cannot express is refused.

    Examples
    --------
    >>> canonical("context", {"town": "Ulm", "age": 34, "height": float("nan")})
    '{"age":34,"height":null,"town":"Ulm"}'
    """
    if not isinstance(features, Mapping):
        raise InvalidInput(parameter, "a dict of features", features)
    if not features:
        return "{}"
    text = _write(_plain(parameter, features, 1))
    if len(text) > LONGEST:
        rule = f"at most {LONGEST:,} characters as JSON"
        raise InvalidInput(parameter, rule, Unquoted(f"{len(text):,} characters"))
    return text


def _plain(where: str, value: Any, depth: int) -> Any:
    """The value in JSON's types; `where` is its path, for error messages."""
    if depth > DEEPEST:
        raise InvalidInput(where, f"nested at most {DEEPEST} deep", Unquoted("more"))
    if isinstance(value, Mapping):
        return {
            key if type(key) is str else _key(where, key): (
                entry if _is_plain(entry) else _plain(f"{where}.{key}", entry, depth + 1)
            )
            for key, entry in value.items()
        }
    if isinstance(value, (list, tuple)):
        return [
            entry if _is_plain(entry) else _plain(f"{where}[{place}]", entry, depth + 1)
            for place, entry in enumerate(value)
        ]
    if isinstance(value, (np.ndarray, np.generic)) and value.dtype.kind not in "mM":
        return _plain(where, value.tolist(), depth + 1)
    if _is_plain(value) or isinstance(value, str):
        return value
    if isinstance(value, (int, float)):
        return _number(where, value)
    raise InvalidInput(where, "text, a number, a boolean, None, or a list or dict of them", value)


def _is_plain(value: Any) -> bool:
    kind = type(value)
    return (
        kind is str
        or ((kind is float or kind is int) and -LARGEST_INPUT <= value <= LARGEST_INPUT)
        or kind is bool
        or value is None
    )


def _number(where: str, value: float) -> float | None:
    if isinstance(value, float) and math.isnan(value):
        return None
    if not -LARGEST_INPUT <= value <= LARGEST_INPUT:
        raise InvalidInput(where, f"a number of at most {LARGEST_INPUT:g} in size", value)
    return float(value) if isinstance(value, float) else int(value)


def _key(where: str, key: Any) -> str:
    if not isinstance(key, str):
        raise InvalidInput(f"a key of {where}", "text", key)
    return str(key)


def as_number(text: str) -> float | None:
    """The number that a text represents, or None."""
    if not 0 < len(text) <= 32 or text[-1] not in "0123456789." or not text.isascii():
        return None
    try:
        number = float(text)
    except ValueError:
        return None
    return (
        number
        if "_" not in text and math.isfinite(number) and abs(number) <= LARGEST_INPUT
        else None
    )
