"""Encoding row by row, as in a live system, without looking ahead."""

from __future__ import annotations

import copy
import json
import math
import numbers
import os
from collections.abc import Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from hybandit.atomic import atomic_write
from hybandit.errors import InvalidInput, ModelFileError
from hybandit.state import LARGEST_INPUT, Floats


class OnlineRows:
    """A table whose rows are encoded on access, in the order of access.

    Examples
    --------
    >>> rows = OnlineRows(pd.DataFrame({"town": ["Ulm", "Bonn"]}))
    >>> rows[1], rows[0]
    (array([1., 0.]), array([0., 1.]))
    """

    def __init__(self, table: pd.DataFrame) -> None:
        names = [str(place) for place in range(table.shape[1])]
        self._records = [
            dict(zip(names, row, strict=True)) for row in table.itertuples(index=False)
        ]
        self._encoder = OnlineEncoder.for_table(table)
        self.shape = (len(table), self._encoder.width)

    def restarted(self) -> OnlineRows:
        """The same table, with nothing learned yet."""
        fresh = copy.copy(self)
        fresh._encoder = OnlineEncoder(self._encoder.width)
        return fresh

    def __len__(self) -> int:
        return self.shape[0]

    def __getitem__(self, row: int) -> Floats:
        return self._encoder.encode(self._records[row])


class OnlineEncoder:
    """Turns records into vectors of one fixed width, learning scales as it goes.

    Numbers are standardised by the mean and spread of the rows seen so far, this one
    included. A category, or a number under a new name, gets the next free column when it
    first appears; once all columns are taken, new ones share the last. Missing values (None,
    NaN) leave their columns 0. Rows are scaled to unit length.

    Examples
    --------
    >>> encoder = OnlineEncoder(width=4)
    >>> encoder.encode({"age": 20.0, "town": "Ulm"})
    array([0., 1., 0., 0.])
    >>> encoder.encode({"age": 40.0, "town": "Bonn"}).round(2)
    array([0.71, 0.  , 0.71, 0.  ])
    """

    def __init__(self, width: int = 256) -> None:
        if not isinstance(width, numbers.Integral) or isinstance(width, bool) or width < 1:
            raise InvalidInput("width", "a whole number of at least 1", width)
        self.width: int = int(width)
        self._columns: dict[str, int] = {}
        self._moments: dict[str, tuple[int, float, float]] = {}

    def encode(self, record: Mapping[str, object]) -> Floats:
        """The vector of one record, after learning from it."""
        if not isinstance(record, Mapping):
            raise InvalidInput("record", "a mapping of names to values", record)
        known = {str(name): _plain(str(name), value) for name, value in record.items()}
        vector = np.zeros(self.width)
        for name, value in known.items():
            if isinstance(value, float):
                vector[self._column(name)] += self._standardised(name, value)
            elif value is not None:
                vector[self._column(f"{name}={value!r}")] += 1.0
        length = np.linalg.norm(vector)
        return vector / length if length > 0.0 else vector

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write columns and scales to a JSON file, to go with a saved policy."""
        learned = {"width": self.width, "columns": self._columns, "moments": self._moments}
        with atomic_write(Path(path)) as file:
            file.write(json.dumps(learned).encode())

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> OnlineEncoder:
        """An encoder as `save` wrote it."""
        try:
            learned = json.loads(Path(path).read_bytes())
            encoder = cls(learned["width"])
            encoder._columns = {key: int(place) for key, place in learned["columns"].items()}
            if not all(0 <= place < encoder.width for place in encoder._columns.values()):
                raise ValueError("it has columns beyond its width")
            encoder._moments = {
                key: (int(count), float(mean), float(squares))
                for key, (count, mean, squares) in learned["moments"].items()
            }
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            raise ModelFileError(f"{path} is not an encoder of hybandit: {error}") from error
        return encoder

    @classmethod
    def for_table(cls, table: pd.DataFrame) -> OnlineEncoder:
        """An encoder wide enough for every number and category of a table."""
        # By place, because two columns may have the same name.
        columns = [table.iloc[:, place] for place in range(table.shape[1])]
        widths = [
            1 if pd.api.types.is_numeric_dtype(column) else column.nunique() for column in columns
        ]
        return cls(max(1, sum(widths)))

    def _column(self, key: str) -> int:
        return self._columns.setdefault(key, min(len(self._columns), self.width - 1))

    def _standardised(self, name: str, value: float) -> float:
        count, mean, squares = self._moments.get(name, (0, 0.0, 0.0))
        before = value - mean
        count, mean = count + 1, mean + before / (count + 1)
        squares += before * (value - mean)
        self._moments[name] = (count, mean, squares)
        spread = math.sqrt(squares / count)
        return (value - mean) / spread if spread > 0.0 else 0.0


def _plain(name: str, value: Any) -> float | str | None:
    """A number as float, a category as text, a missing value as None."""
    if isinstance(value, np.ndarray) and value.ndim == 0:
        value = value.item()
    if value is None or value is pd.NA or value is pd.NaT:
        return None
    if isinstance(value, (numbers.Real, Decimal, np.bool_)):
        try:
            number = float(value)
        except OverflowError:
            number = math.inf
        if math.isnan(number):
            return None
        if abs(number) > LARGEST_INPUT:
            raise InvalidInput(name, f"a finite number of at most {LARGEST_INPUT:g} in size", value)
        return number
    if isinstance(value, (list, tuple, dict, set, complex, np.ndarray)):
        raise InvalidInput(name, "a number, a category or a missing value", value)
    return str(value)
