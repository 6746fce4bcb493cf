"""Vectors of a fixed width from dicts of any content.

| what comes                      | what it becomes                                            |
|---------------------------------|------------------------------------------------------------|
| always                          | 1 in column 0                                              |
| ``"town": "Ulm"``               | 1 in the column of ``town=Ulm``                            |
| ``"member": True``              | 1 in the column of ``member=true``                         |
| ``"age": 34``                   | its distance to the mean of ``age`` learned so far, in     |
|                                 | standard deviations, at most 4, in the column of ``age``   |
| ``"zip": "89073"``              | both: the text ``zip=89073`` and the number ``zip``        |
| ``"age": None``, NaN, no key    | nothing: as if the key were not there                      |
| ``"user": {"town": "Ulm"}``     | ``user.town=Ulm``                                          |
| ``"tags": ["a", "b"]``          | ``tags=a`` and ``tags=b``, each divided by the root of the |
|                                 | list's length, so that a long list weighs as much as one   |
| ``"place": [48.4, 10.0]``       | the numbers ``place[0]`` and ``place[1]``, likewise        |
| ``"text": [0.1, ...]``, 8       | a vector: ``text[384]~0`` and so on, scaled as numbers are |
| numbers or more                 | together as long as two; if they are more than half of the |
|                                 | width (24 of 32 columns), so many sums of all with random  |
|                                 | signs; another length is another feature                   |
| ``"seen": [{"id": "x"}]``       | ``seen.id=x``, likewise                                    |
| an action without features      | ``name=`` and its name; when all columns are taken, signs  |
|                                 | over all of them                                           |
| keys or texts never learned     | nothing; when they are learned, the next free column       |
| the same when all columns are   | a column by hash, shared with what is there, and a sign by |
| taken                           | hash, so that neither is taken for the other on average    |
| two features in one column      | their values are added                                     |
| infinity, dates, other objects  | refused by name                                            |

Columns are assigned, and means and deviations learned, only by `learn`, never while encoding. So
features that come first, which are mostly the frequent ones, have a column of their own. The hash
is BLAKE2b, the same in every process and version. Until two different numbers have been learned
under a name, its deviation counts as 1.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b, shake_128
from typing import Any, ClassVar

import numpy as np

from hybandit.errors import InvalidInput, ModelFileError
from hybandit.features.recent import RecentResults
from hybandit.features.records import as_number
from hybandit.kernels import scales as kernels
from hybandit.state import (
    COUNTS,
    INPUTS,
    POSITIVE,
    Array,
    Floats,
    Integers,
    Stateful,
    fitting,
    packed_list,
    unpacked_list,
)

# Numbers without a column of their own share a mean and a deviation with all numbers whose names
# hash to the same one of these slots.
SLOTS = 1024
FURTHEST = 4.0
# The bytes of parsed records that an encoder keeps, to parse none of them again.
KEPT_BYTES = 32 * 2**20
# What Python's own objects take: of a record with its arrays, and of one text.
RECORD_BYTES, TEXT_BYTES = 1200, 60
# Longer names of features are hashed each time.
KEPT_NAME = 200
# A list of so many numbers is a vector, which is taken as a whole.
VECTOR = 8
# It gets half of the columns, and if these are fewer than this, up to three quarters of all: sums
# of ten directions in sixteen columns leave hardly anything of some of them.
ENOUGH = 24
# A vector is as long as so many numbers together: as 1 it would be learned too slowly, as 4 or
# more it would hide the other features where these tell more.
WEIGHT = 2.0
# What the state of an encoder says of how it takes vectors, and a feature of one that says nothing.
VECTORS = 2
OLD_VECTOR = re.compile(rf"(\[{VECTOR - 1}\]|\]~0)$")
# A record as text, and its name where that is its only feature.
Key = tuple[str, str | None]
# The columns of a feature with their weights; empty if it was never learned.
Places = list[tuple[int, float]]


@dataclass(frozen=True)
class Hashed:
    """A parsed record: columns for its texts are filled in, its numbers are not scaled yet.

    `new` lists the features that can still get a column of their own.
    """

    fixed: Floats
    columns: Integers
    slots: Integers
    weights: Floats
    values: Floats
    new: tuple[str, ...]


class HashingEncoder(Stateful):
    """Turns records, as JSON text, into vectors of one width; learns columns and scales.

    The table at the top of this module shows how values are encoded.

    Parameters
    ----------
    width
        Length of a vector, the constant included.

    Examples
    --------
    >>> encoder = HashingEncoder(width=4)
    >>> ulm = encoder.learn('{"age":20,"town":"Ulm"}')
    >>> old = encoder.learn('{"age":60,"town":"Ulm"}')
    >>> encoder.encode([ulm, old])
    array([[ 1., -1.,  1.,  0.],
           [ 1.,  1.,  1.,  0.]])
    >>> for feature, column, value in encoder.explain('{"age":60,"town":"Bonn"}'):
    ...     print(feature, column, value)
    constant 0 1.0
    age 1 1.0
    town=Bonn None 0.0
    """

    _arrays: ClassVar[tuple[str, ...]] = ("counts", "means", "squares")
    _ranges: ClassVar = {"counts": COUNTS, "means": INPUTS, "squares": POSITIVE}

    def __init__(self, width: int) -> None:
        if type(width) is not int or width < 2:
            raise InvalidInput("width", "a whole number of at least 2", width)
        self.width = width
        # For each column that belongs to one feature, then for the shared slots.
        self.counts = np.zeros(width + SLOTS, np.int64)
        self.means = np.zeros(width + SLOTS)
        self.squares = np.zeros(width + SLOTS)
        self._own: dict[str, int] = {}
        self._recent = RecentResults[Key, Hashed](KEPT_BYTES, _bytes_of)

    def read(self, text: str, name: str | None = None) -> Hashed:
        """Look up the columns of a record; without features, the column of its name."""
        key = text, name if text == "{}" else None
        found = self._recent.get(key)
        return self._recent.keep(key, self._read(*key)) if found is None else found

    def learn(self, text: str, name: str | None = None) -> Hashed:
        """As `read`, after assigning columns to new features and updating the scales."""
        record = self.read(text, name)
        if record.new:
            for feature in record.new[: self.width - 1 - len(self._own)]:
                self._own[feature] = 1 + len(self._own)
            self._recent.clear()
            record = self.read(text, name)
        kernels.learn(self.counts, self.means, self.squares, record.slots, record.values)
        return record

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

    def explain(self, text: str, name: str | None = None) -> list[tuple[str, int | None, float]]:
        """Each feature of a record with its column, if it has one, and what it adds there."""
        told: list[tuple[str, int | None, float]] = [("constant", 0, 1.0)]
        for feature, number, slot, places in self._placed(text, name):
            if not places:
                told.append((feature, None, 0.0))
            for column, weight in places:
                value = weight if number is None else self._scaled(number, slot, weight)
                told.append((feature, column, value))
        return told

    def state(self) -> dict[str, Array]:
        """The arrays, and the features with columns of their own, in the order of columns."""
        vectors = np.array([VECTORS], np.int64)
        return {**super().state(), "own": packed_list(self._own), "vectors": vectors}

    def restore(self, arrays: dict[str, Array]) -> None:
        own = unpacked_list("own", arrays, (str,))
        if len(own) >= self.width:
            raise ModelFileError("the model file has more features than columns")
        if "vectors" in arrays:
            fitting("vectors", arrays, np.int64, (1,), (VECTORS, VECTORS))
        elif any(map(OLD_VECTOR.search, own)):
            raise ModelFileError("the model file takes vectors as an older hybandit did")
        super().restore(arrays)
        self._own = {feature: column for column, feature in enumerate(own, start=1)}
        self._recent.clear()

    def _read(self, text: str, name: str | None) -> Hashed:
        fixed = np.zeros(self.width)
        fixed[0] = 1.0
        numbers: list[tuple[int, int, float, float]] = []
        new: dict[str, None] = {}
        for feature, number, slot, places in self._placed(text, name):
            if not places:
                new[feature] = None
            for column, weight in places:
                if number is None:
                    fixed[column] += weight
                else:
                    numbers.append((column, slot, weight, number))
        columns, slots, weights, values = zip(*numbers, strict=True) if numbers else ((),) * 4
        return Hashed(
            fixed, np.array(columns, np.int64), np.array(slots, np.int64),
            np.array(weights, np.float64), np.array(values, np.float64), tuple(new),
        )  # fmt: skip

    def _placed(
        self, text: str, name: str | None
    ) -> Iterator[tuple[str, float | None, int, Places]]:
        """Every feature of a record: name, number if it has one, slot of its scale, places."""
        full = len(self._own) == self.width - 1
        if text == "{}" and name is not None:
            feature = f"name={name}"
            own = self._own.get(feature)
            shared = self._spread(name) if full else []
            yield feature, None, 0, shared if own is None else [(own, 1.0)]
            return
        most = max(self.width // 2, min(ENOUGH, 3 * self.width // 4))
        for feature, number, weight in _walk(json.loads(text), "", 1.0, most):
            own = self._own.get(feature)
            if own is not None:
                yield feature, number, own, [(own, weight)]
            elif full:
                hashed = _hash(feature)
                place = 1 + (hashed >> 24) % (self.width - 1), (1 - 2 * (hashed >> 23 & 1)) * weight
                yield feature, number, self.width + hashed % SLOTS, [place]
            else:
                yield feature, number, 0, []

    def _spread(self, name: str) -> Places:
        """Random signs over all columns, of length 1 together, so that no two names coincide."""
        count = self.width - 1
        digest = shake_128(name.encode("utf-8", "surrogatepass")).digest(count // 8 + 1)
        bits = np.unpackbits(np.frombuffer(digest, np.uint8), count=count)
        signs = (1.0 - 2.0 * bits) / np.sqrt(count)
        return list(enumerate(signs.tolist(), start=1))

    def _scaled(self, number: float, slot: int, weight: float) -> float:
        row = np.zeros(1)
        kernels.add_scaled(
            self.counts, self.means, self.squares, np.array([slot]), np.array([number]),
            np.zeros(1, np.int64), np.array([weight]), FURTHEST, row,
        )  # fmt: skip
        return float(row[0])


def _bytes_of(key: Key, record: Hashed) -> int:
    """About how much memory a parsed record and its text take."""
    text, name = key
    letters = len(text) + len(name or "") + sum(map(len, record.new))
    numbers = len(record.fixed) + 4 * len(record.values)
    return 4 * letters + 8 * numbers + TEXT_BYTES * len(record.new) + RECORD_BYTES


def _hash(feature: str) -> int:
    return _kept_hash(feature) if len(feature) <= KEPT_NAME else _new_hash(feature)


def _new_hash(feature: str) -> int:
    digest = blake2b(feature.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "little")


_kept_hash = lru_cache(50_000)(_new_hash)


def _walk(
    value: Any, name: str, weight: float, most: int
) -> Iterator[tuple[str, float | None, float]]:
    """Every feature in a record: its name, its number if it has one, and its weight.

    A vector becomes at most `most` numbers.
    """
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
            yield from _walk(entry, f"{name}.{key}" if name else key, weight, most)
    elif isinstance(value, list):
        if len(value) >= VECTOR and all(map(_is_number, value)):
            yield from _whole(value, name, weight, most)
            return
        share = weight / max(1.0, math.sqrt(len(value)))
        for place, entry in enumerate(value):
            numbered = _is_number(entry) or isinstance(entry, list)
            yield from _walk(entry, f"{name}[{place}]" if numbered else name, share, most)


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _whole(
    vector: list[float], name: str, weight: float, most: int
) -> Iterator[tuple[str, float, float]]:
    """A vector as at most `most` numbers, whose distances are about those of the vectors."""
    called = f"{name}[{len(vector)}]"
    numbers = np.array(vector, np.float64)
    if len(vector) > most:
        numbers = _signs(called, most, len(vector)) @ numbers
    share = weight * math.sqrt(WEIGHT / len(numbers))
    for place, number in enumerate(numbers.tolist()):
        yield f"{called}~{place}", number, share


def _signs(called: str, rows: int, columns: int) -> Floats:
    """Random signs, the same in every process, so small that no sum exceeds the largest number."""
    key = called, rows, columns
    kept = _kept_signs.get(key)
    if kept is not None:
        return kept
    digest = shake_128(called.encode("utf-8", "surrogatepass")).digest(rows * columns // 8 + 1)
    bits = np.unpackbits(np.frombuffer(digest, np.uint8), count=rows * columns)
    return _kept_signs.keep(key, (1.0 - 2.0 * bits.reshape(rows, columns)) / columns)


_kept_signs: RecentResults[tuple[str, int, int], Floats] = RecentResults(
    2 * KEPT_BYTES, lambda key, signs: signs.nbytes, largest=KEPT_BYTES // 4
)
