"""Encodings of a whole table at once, which look at all rows."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd

from hybandit.errors import InvalidInput, Unquoted
from hybandit.features.online import OnlineRows
from hybandit.names import check_name
from hybandit.state import Floats

ROWS_AT_ONCE = 1000


def encode(table: pd.DataFrame, encoding: str = "standard") -> Floats:
    """One vector for each row of a table.

    Numeric and boolean columns count as numbers, all others as categories. A missing
    number takes the mean of its column, a missing category belongs to none.

    Parameters
    ----------
    encoding
        ``ordinal``: categories as integer codes in order of their names, missing -1, rows
        scaled to unit length. ``standard``: numbers standardised, categories one-hot,
        rows scaled to unit length. ``standard-raw``: the same without the unit length.
        ``online``: as standard, but each row is scaled by the rows up to it, and a
        category has no column until it appears. ``raw``: numbers as they are, categories
        one-hot. ``unit``: that, to unit length.

    Examples
    --------
    >>> table = pd.DataFrame({"age": [20.0, 40.0], "town": ["Ulm", "Bonn"]})
    >>> encode(table, "standard-raw")
    array([[-1.,  0.,  1.],
           [ 1.,  1.,  0.]])
    """
    check_name("encoding", "encoding", encoding, ENCODINGS)
    return ENCODINGS[encoding](table)


def unit_rows(matrix: Floats) -> Floats:
    """Every row scaled to length 1; a row of zeros stays.

    Examples
    --------
    >>> unit_rows(np.array([[3.0, 4.0], [0.0, 0.0]]))
    array([[0.6, 0.8],
           [0. , 0. ]])
    """
    sizes = np.abs(matrix).max(axis=1, keepdims=True, initial=0.0)
    # Divide by the largest entry first, so that no square overflows.
    scaled = matrix / np.where(sizes > 0.0, sizes, 1.0)
    lengths = np.linalg.norm(scaled, axis=1, keepdims=True)
    return scaled / np.where(lengths > 0.0, lengths, 1.0)


def to_unit_length(matrix: Floats) -> Floats:
    """As `unit_rows`, but in place, because a table may fill most of the memory."""
    for start in range(0, len(matrix), ROWS_AT_ONCE):
        part = slice(start, start + ROWS_AT_ONCE)
        matrix[part] = unit_rows(matrix[part])
    return matrix


def _ordinal(table: pd.DataFrame) -> Floats:
    columns = [
        _numbers(column) if _is_numeric(column) else pd.Categorical(column).codes.astype(np.float64)
        for column in _columns(table)
    ]
    return to_unit_length(np.column_stack(columns) if columns else np.empty((len(table), 0)))


def _standard_raw(table: pd.DataFrame) -> Floats:
    return _joined(table, _standardised)


def _raw(table: pd.DataFrame) -> Floats:
    return _joined(table, _numbers)


def _online(table: pd.DataFrame) -> Floats:
    rows = OnlineRows(table)
    return np.array([rows[number] for number in range(len(rows))])


def _joined(table: pd.DataFrame, number: Callable[[pd.Series], Floats]) -> Floats:
    matrix = np.empty((len(table), sum(_width(column) for column in _columns(table))))
    place = 0
    for column in _columns(table):
        part = number(column)[:, None] if _is_numeric(column) else _one_hot(column)
        matrix[:, place : place + part.shape[1]] = part
        place += part.shape[1]
    return matrix


def _width(column: pd.Series) -> int:
    return 1 if _is_numeric(column) else len(pd.Categorical(column).categories)


def scale_of(values: Floats) -> tuple[float, float]:
    """Mean and spread of numbers; the spread of a column that is constant, to rounding, is 0."""
    if not len(values):
        return 0.0, 0.0
    spread = float(values.std())
    return float(values.mean()), spread if spread > 1e-12 * np.abs(values).max() else 0.0


def filled(values: Floats) -> Floats:
    """Replace missing numbers by the mean of the others, or 0 if there are none."""
    missing = np.isnan(values)
    if not missing.any():
        return values
    return np.where(missing, values[~missing].mean() if not missing.all() else 0.0, values)


def _standardised(column: pd.Series) -> Floats:
    values = _numbers(column)
    mean, spread = scale_of(values)
    moved: Floats = values - mean
    return moved / spread if spread else np.zeros_like(moved)


def _one_hot(column: pd.Series) -> Floats:
    """A column for each value; a missing one belongs to none."""
    values = pd.Categorical(column)
    hot: Floats = (values.codes[:, None] == np.arange(len(values.categories))).astype(np.float64)
    return hot


def _numbers(column: pd.Series) -> Floats:
    values = column.to_numpy(np.float64, na_value=np.nan)
    if np.isinf(values).any():
        raise InvalidInput(f"column {column.name}", "finite numbers", Unquoted("an infinite one"))
    return filled(values)


def _columns(table: pd.DataFrame) -> list[pd.Series]:
    """By place, because two columns may have the same name."""
    return [table.iloc[:, place] for place in range(table.shape[1])]


def _is_numeric(column: pd.Series) -> bool:
    return bool(pd.api.types.is_numeric_dtype(column))


ENCODINGS: dict[str, Callable[[pd.DataFrame], Floats]] = {
    "ordinal": _ordinal,
    "standard": lambda table: to_unit_length(_standard_raw(table)),
    "standard-raw": _standard_raw,
    "online": _online,
    "raw": _raw,
    "unit": lambda table: to_unit_length(_raw(table)),
}
