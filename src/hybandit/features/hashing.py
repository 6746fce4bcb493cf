"""Dicts of anything, hashed into vectors of a fixed width.

| what comes                      | what it becomes                                            |
|---------------------------------|------------------------------------------------------------|
| always                          | 1 in column 0                                              |
| ``"town": "Ulm"``               | +1 or -1 in the column of ``town=Ulm``                     |
| ``"member": True``              | +1 or -1 in the column of ``member=true``                  |
| ``"age": 34``                   | its distance to the mean of ``age`` learned so far, in      |
|                                 | standard deviations, at most 4, with a sign, in the column |
|                                 | of ``age``                                                 |
| ``"zip": "89073"``              | both: the text ``zip=89073`` and the number ``zip``        |
| ``"age": None``, NaN, no key    | nothing: as if the key were not there                      |
| ``"user": {"town": "Ulm"}``     | ``user.town=Ulm``                                          |
| ``"tags": ["a", "b"]``          | ``tags=a`` and ``tags=b``, each divided by the root of the |
|                                 | list's length, so that a long list weighs as much as one   |
| ``"place": [48.4, 10.0]``       | the numbers ``place[0]`` and ``place[1]``, likewise        |
| ``"seen": [{"id": "x"}]``       | ``seen.id=x``, likewise                                    |
| an action without features      | its name, as signs over all columns                        |
| keys or texts never seen before | the same as any other: a column is a hash, not a table     |
| two features in one column      | their values are added; the signs make that fair           |
| infinity, dates, other objects  | refused by name                                            |

The hash is BLAKE2b, so the same features give the same columns in every process and
version. Means and deviations are learned only by `learn`, never while encoding. Until two
different numbers have been learned under a name its deviation counts as 1.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b, shake_128
from typing import Any, ClassVar

import numpy as np

from hybandit.errors import InvalidInput
from hybandit.features.records import as_number
from hybandit.kernels import scales as kernels
from hybandit.state import COUNTS, INPUTS, POSITIVE, Floats, Integers, Stateful

# Numbers share a mean and deviation with those whose names fall into the same of so many slots.
SLOTS = 1024
FURTHEST = 4.0
# Records of more characters than this are read anew each time; of others the last so many are kept.
KEPT_LENGTH, KEPT = 4096, 10_000


@dataclass(frozen=True)
class Hashed:
    """A record whose texts have found their columns; its numbers still want their scale."""

    fixed: Floats
    columns: Integers
    slots: Integers
    weights: Floats
    values: Floats


class HashingEncoder(Stateful):
    """Turns records, as JSON text, into vectors of one width; learns the scales of numbers.

    What becomes what is in the table at the head of this module.

    Parameters
    ----------
    width
        Length of a vector, the constant included.

    Examples
    --------
    >>> encoder = HashingEncoder(width=8)
    >>> ulm = encoder.read('{"age":20,"town":"Ulm"}')
    >>> old = encoder.read('{"age":60,"town":"Ulm"}')
    >>> encoder.learn(ulm)
    >>> encoder.learn(old)
    >>> encoder.encode([ulm, old])[:, 0]
    array([1., 1.])
    >>> for feature, column, value in encoder.explain('{"age":60,"town":"Ulm"}'):
    ...     print(feature, column, value)
    constant 0 1.0
    age 7 1.0
    town=Ulm 4 1.0
    """

    _arrays: ClassVar[tuple[str, ...]] = ("counts", "means", "squares")
    _ranges: ClassVar = {"counts": COUNTS, "means": INPUTS, "squares": POSITIVE}

    def __init__(self, width: int) -> None:
        if type(width) is not int or width < 2:
            raise InvalidInput("width", "a whole number of at least 2", width)
        self.width = width
        self.counts = np.zeros(SLOTS, np.int64)
        self.means = np.zeros(SLOTS)
        self.squares = np.zeros(SLOTS)
        self._recent = lru_cache(KEPT)(self._read)

    def read(self, text: str, name: str | None = None) -> Hashed:
        """Look up the columns of a record; of one without features, those of its name."""
        if len(text) > KEPT_LENGTH:
            return self._read(text, name)
        return self._recent(text, name if text == "{}" else None)

    def learn(self, record: Hashed) -> None:
        """Take in the record's numbers for the scales of all records to come."""
        kernels.learn(self.counts, self.means, self.squares, record.slots, record.values)

    def encode(self, records: Sequence[Hashed]) -> Floats:
        """One row for each record. Learns nothing."""
        rows = np.empty((len(records), self.width))
        for row, record in zip(rows, records, strict=True):
            row[:] = record.fixed
            if len(record.values):
                kernels.add_scaled(
                    self.counts, self.means, self.squares, record.slots, record.values,
                    record.columns, record.weights, FURTHEST, row,
                )  # fmt: skip
        return rows

    def explain(self, text: str, name: str | None = None) -> list[tuple[str, int, float]]:
        """Each feature of a record with its column and what it adds there."""
        told = [("constant", 0, 1.0)]
        if text == "{}" and name is not None:
            spread = self._spread(name)
            told += [(f"name={name}", column + 1, spread[column]) for column in range(len(spread))]
        for feature, number, weight in _walk(json.loads(text), "", 1.0):
            column, slot, sign = self._place(feature)
            value = sign * weight
            if number is not None:
                row = np.zeros(1)
                kernels.add_scaled(
                    self.counts, self.means, self.squares, np.array([slot]), np.array([number]),
                    np.zeros(1, np.int64), np.array([value]), FURTHEST, row,
                )  # fmt: skip
                value = float(row[0])
            told.append((feature, column, value))
        return told

    def _read(self, text: str, name: str | None) -> Hashed:
        fixed = np.zeros(self.width)
        fixed[0] = 1.0
        if text == "{}" and name is not None:
            fixed[1:] = self._spread(name)
        numbers: list[tuple[int, int, float, float]] = []
        for feature, number, weight in _walk(json.loads(text), "", 1.0):
            column, slot, sign = self._place(feature)
            if number is None:
                fixed[column] += sign * weight
            else:
                numbers.append((column, slot, sign * weight, number))
        columns, slots, weights, values = zip(*numbers, strict=True) if numbers else ((),) * 4
        return Hashed(
            fixed, np.array(columns, np.int64), np.array(slots, np.int64),
            np.array(weights, np.float64), np.array(values, np.float64),
        )  # fmt: skip

    def _place(self, feature: str) -> tuple[int, int, float]:
        """Column, slot of the scale, and sign."""
        number = _hash(feature)
        return 1 + (number >> 24) % (self.width - 1), number % SLOTS, 1.0 - 2.0 * (number >> 23 & 1)

    def _spread(self, name: str) -> Floats:
        """A sign in every column, of length 1 together: no two names coincide by chance."""
        count = self.width - 1
        digest = shake_128(name.encode("utf-8", "surrogatepass")).digest(count // 8 + 1)
        bits = np.unpackbits(np.frombuffer(digest, np.uint8), count=count)
        signs: Floats = (1.0 - 2.0 * bits) / np.sqrt(count)
        return signs


@lru_cache(100_000)
def _hash(feature: str) -> int:
    digest = blake2b(feature.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "little")


def _walk(value: Any, name: str, weight: float) -> Iterator[tuple[str, float | None, float]]:
    """Every feature in a record: its name, its number if it has one, and its weight."""
    if isinstance(value, str):
        yield f"{name}={value}", None, weight
        number = as_number(value)
        if number is not None:
            yield name, number, weight
    elif isinstance(value, bool):
        yield f"{name}={'true' if value else 'false'}", None, weight
    elif isinstance(value, (int, float)):
        yield name, float(value), weight
    elif isinstance(value, dict):
        for key, entry in value.items():
            yield from _walk(entry, f"{name}.{key}" if name else key, weight)
    elif isinstance(value, list):
        share = weight / max(1.0, math.sqrt(len(value)))
        for place, entry in enumerate(value):
            numbered = isinstance(entry, (int, float, list)) and not isinstance(entry, bool)
            yield from _walk(entry, f"{name}[{place}]" if numbered else name, share)
