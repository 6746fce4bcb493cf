"""Contexts in other forms: rows of DataFrames, Series, arrays of objects.

pandas is never imported here: its objects are recognised by their methods.
"""

from __future__ import annotations

import numbers
from collections.abc import Sequence
from decimal import Decimal
from typing import Any

import numpy as np

from hybandit.errors import InvalidInput, Unquoted
from hybandit.state import Array, Floats

RULE = "an array of numbers"
HINT = "numbers in every column; encode others first, by hybandit.features.Encoder"


def as_rows(given: Any, parameter: str = "contexts") -> Array:
    """One context or many as an array of numbers.

    An entry that is not a number is refused with the name of its column, or its place.

    Examples
    --------
    >>> import pandas as pd
    >>> as_rows(pd.DataFrame({"age": [30], "member": [True]}))
    array([[30.,  1.]])
    """
    if hasattr(given, "to_numpy") and hasattr(given, "columns"):
        return _from_frame(given, parameter)
    if hasattr(given, "to_numpy") and hasattr(given, "index"):
        columns = [f"in column {name!r}" for name in given.index]
        return _finite(_numbers(given.to_numpy(), parameter, columns), parameter, columns)
    array = np.asarray(given)
    if array.dtype.kind not in "fiubO" or array.ndim == 0:
        raise InvalidInput(parameter, RULE, given)
    return _numbers(array, parameter, [f"at {place}" for place in range(array.shape[-1])])


def as_reward(given: Any) -> Any:
    """A reward as a plain number if it is an array without dimensions, or a Decimal."""
    if isinstance(given, np.ndarray) and given.ndim == 0 and not np.ma.is_masked(given):
        return given.item()
    return float(given) if isinstance(given, Decimal) else given


def _from_frame(frame: Any, parameter: str) -> Floats:
    columns = [f"in column {name!r}" for name in frame.columns]
    parts = [
        _numbers(frame.iloc[:, [place]].to_numpy(), parameter, [name])
        for place, name in enumerate(columns)
    ]
    joined = np.hstack(parts) if parts else np.empty((len(frame), 0))
    return _finite(joined, parameter, columns)


def _numbers(array: Array, parameter: str, columns: Sequence[str]) -> Array:
    """The entries as numbers; `columns` describes the place of an entry that is not a number."""
    if array.dtype.kind in "fiub":
        return array
    out = np.empty(array.shape)
    for place, entry in np.ndenumerate(array):
        if not isinstance(entry, (numbers.Real, np.bool_, Decimal)):
            raise InvalidInput(parameter, HINT, Unquoted(f"{entry!r} {columns[place[-1]]}"))
        try:
            out[place] = float(entry)
        except OverflowError:
            out[place] = np.inf
    return out


def _finite(array: Array, parameter: str, columns: Sequence[str]) -> Floats:
    values = array.astype(np.float64)
    bad = np.argwhere(~np.isfinite(values))
    if len(bad):
        shown = Unquoted(f"{values[tuple(bad[0])]} {columns[bad[0][-1]]}")
        raise InvalidInput(parameter, "finite numbers, none missing", shown)
    return values
