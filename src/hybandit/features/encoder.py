"""An encoding of tables that is fitted once and kept, for training and for later use."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import Any

import numpy as np
import pandas as pd

from hybandit.errors import InvalidInput, ModelFileError, Unquoted
from hybandit.features import columns
from hybandit.features.columns import Recognised, recognise
from hybandit.features.encoding import to_unit_length
from hybandit.features.fitting import Feature, Fitting, part_of
from hybandit.state import Flags, Floats

SCALINGS = ("standard", "standard-raw", "unit", "raw")
# Standardised numbers have their mean at 0, so a constant is added.
STANDARDISED = ("standard", "standard-raw")
# The name of the constant among the features: no column of a table has this name.
CONSTANT = ""


class Encoder:
    """Turns rows of a table into vectors, by kinds, categories and scales that are fitted once.

    Numbers are scaled, and a missing one counts as the mean. Categories are one-hot, and an
    unknown or missing one is all zeros. Dates become days and parts of the calendar. If numbers
    are standardised, a constant 1 is added, so that a linear policy can learn what an arm pays
    on average, and rows of unit length keep their differences in size. `fit` makes an encoder;
    `as_json` and `from_json` store it in a model file.

    Parameters
    ----------
    scaling
        ``standard``: numbers standardised, rows of unit length. ``standard-raw``: without
        the unit length. ``unit``: numbers as they are, rows of unit length. ``raw``.

    Examples
    --------
    >>> table = pd.DataFrame({"age": [20, 40], "town": ["Ulm", "Bonn"]})
    >>> encoder = Encoder.fit(table, scaling="standard-raw")
    >>> encoder.transform(table)
    array([[-1.,  0.,  1.,  1.],
           [ 1.,  1.,  0.,  1.]])
    >>> Encoder.from_json(encoder.as_json()).record({"age": 30, "town": "Ulm"})
    array([0., 0., 1., 1.])
    """

    def __init__(self, features: Iterable[Feature], scaling: str = "standard") -> None:
        if not isinstance(scaling, str) or scaling not in SCALINGS:
            raise InvalidInput("scaling", f"one of {', '.join(SCALINGS)}", scaling)
        self.features = tuple(features)
        self.scaling = scaling

    @classmethod
    def fit(
        cls,
        table: pd.DataFrame,
        recognised: Mapping[str, Recognised] | None = None,
        *,
        scaling: str = "standard",
    ) -> Encoder:
        """Make an encoder for such tables. `recognised` gives the columns' kinds if known."""
        known = recognised or {}
        kinds = {name: known.get(name) or recognise(table[name]) for name in table.columns}
        fitting = Fitting(kinds)
        fitting.add(table)
        return cls(fitting.features(), scaling)

    @property
    def has_constant(self) -> bool:
        """Whether the last number of every vector is the constant."""
        return self.scaling in STANDARDISED

    @property
    def width(self) -> int:
        """The length of a vector."""
        return sum(feature.width for feature in self.features) + self.has_constant

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns it looks at."""
        return tuple(dict.fromkeys(feature.column for feature in self.features))

    def typed(self, table: pd.DataFrame) -> pd.DataFrame:
        """A column of numbers or of categories for each feature, not yet scaled."""
        self._check_columns(table.columns)
        typed: dict[str, Any] = {
            feature.name: _typed(table[feature.column], feature) for feature in self.features
        }
        if self.has_constant:
            typed[CONSTANT] = "1"
        return pd.DataFrame(typed, index=table.index)

    def transform(self, table: pd.DataFrame) -> Floats:
        """One vector for each row."""
        self._check_columns(table.columns)
        matrix = np.zeros((len(table), self.width))
        place = 0
        for feature in self.features:
            values = _typed(table[feature.column], feature)
            if feature.kind == "category":
                codes = pd.Categorical(values, categories=list(feature.categories)).codes
                rows = np.flatnonzero(codes >= 0)
                matrix[rows, place + codes[rows]] = 1.0
            else:
                matrix[:, place] = self._scaled(values.to_numpy(np.float64), feature)
            place += feature.width
        if self.has_constant:
            matrix[:, place] = 1.0
        return to_unit_length(matrix) if self.scaling in ("standard", "unit") else matrix

    def record(self, values: Mapping[str, Any]) -> Floats:
        """The vector of one row, given as a mapping from columns to values."""
        self._check_columns(values)
        row = {name: [values[name]] for name in self.columns}
        vector: Floats = self.transform(pd.DataFrame(row))[0]
        return vector

    def as_json(self) -> dict[str, Any]:
        """Plain names and numbers, for a model file."""
        return {"scaling": self.scaling, "features": [asdict(each) for each in self.features]}

    @classmethod
    def from_json(cls, written: Any) -> Encoder:
        """An encoder as `as_json` wrote it."""
        try:
            features = [
                Feature(**{**each, "categories": tuple(map(str, each["categories"]))})
                for each in written["features"]
            ]
            return cls(features, written["scaling"])
        except (KeyError, TypeError, InvalidInput) as error:
            raise ModelFileError(f"the model file holds no usable encoder: {error}") from error

    def _scaled(self, values: Floats, feature: Feature) -> Floats:
        known = np.where(np.isnan(values), feature.mean, values)
        if self.scaling in ("unit", "raw"):
            return known
        moved: Floats = known - feature.mean
        return moved / feature.spread if feature.spread else np.zeros_like(moved)

    def _check_columns(self, given: Iterable[str]) -> None:
        present = set(given)
        for name in self.columns:
            if name not in present:
                needed = ", ".join(self.columns)
                rule = f"one with the columns {needed} (values may be missing, columns not)"
                raise InvalidInput("table", rule, Unquoted(f"none called {name!r}"))


def _typed(column: pd.Series, feature: Feature) -> pd.Series:
    """The feature's values, unscaled; a value that cannot be read is an error."""
    if feature.part:
        moments, bad = columns.dates(column, feature.style)
        _refuse(column, bad, f"a date, {feature.style or 'as such'}")
        values = part_of(moments, feature.part)
    elif feature.kind == "number":
        numbers, bad = columns.numbers(column, feature.style)
        _refuse(column, bad, "a finite number")
        values = pd.Series(numbers, index=column.index)
    else:
        values = columns.categories(column)
    if feature.kind == "number":
        return values
    return values.where(values.isin(feature.categories), None)


def _refuse(column: pd.Series, bad: Flags, rule: str) -> None:
    if bad.any():
        got = repr(column[bad].iloc[0])
        where = f" in row {int(bad.argmax()) + 1}" if len(column) > 1 else ""
        raise InvalidInput(f"column {column.name}", rule, Unquoted(f"{got}{where}"))
