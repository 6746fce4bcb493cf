"""What is remembered of each item."""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from hashlib import blake2b

import numpy as np

from hybandit.errors import ModelFileError
from hybandit.state import COUNTS, DERIVED, Array, Floats, Integers, Stateful, fitting, with_room

ItemId = str | int
# Of no item: zeros, which is what an item that was never learned has.
NOBODY = 0
# How wide an item's code is.
CODE = 16


class ItemTable(Stateful):
    """The count, sum of rewards and sum of features of up to `max_items` items.

    When a new item finds the table full, the one that was learned longest ago leaves.
    Rows are in arrays that double when they are full, so items unseen cost nothing.

    Examples
    --------
    >>> table = ItemTable(width=1, max_items=2)
    >>> for name in ("a", "b", "a", "c"):
    ...     table.learn(name, np.ones(1), reward=1.0)
    >>> table.ids()
    ['a', 'c']
    >>> table.counts[table.rows(["a", "b", "c"])]
    array([2., 0., 1.])
    """

    def __init__(self, width: int, max_items: int) -> None:
        self.max_items = max_items
        # How many items ever came: one that comes again after it left counts again.
        self.arrived = 0
        self.counts = np.zeros(16)
        self.totals = np.zeros(16)
        self.features = np.zeros((16, width))
        # Each item's place in the order of arrival.
        self.numbers = np.zeros(16, np.int64)
        self._rows: OrderedDict[ItemId, int] = OrderedDict()
        self._free: list[int] = []

    def __len__(self) -> int:
        return len(self._rows)

    def ids(self) -> list[ItemId]:
        """The items that are remembered, the one learned longest ago first."""
        return list(self._rows)

    def row(self, item: ItemId | None) -> int:
        """Where an item is, `NOBODY` if it was never learned."""
        return NOBODY if item is None else self._rows.get(item, NOBODY)

    def rows(self, items: Sequence[ItemId]) -> Integers:
        known = self._rows
        return np.array([known.get(item, NOBODY) for item in items], np.int64)

    def rows_of(self, ids: Sequence[ItemId] | None, count: int) -> Integers:
        """As `rows` for so many candidates, who may have no ids."""
        return np.full(count, NOBODY) if ids is None else self.rows(ids)

    def learn(self, item: ItemId, z: Floats, reward: float) -> None:
        row = self._rows.get(item)
        if row is None:
            row = self._open(item)
        self._rows.move_to_end(item)
        self.counts[row] += 1.0
        self.totals[row] += reward
        self.features[row] += z

    def forget(self, item: ItemId) -> None:
        """Remove an item, if it is there."""
        row = self._rows.pop(item, None)
        if row is not None:
            self._free.append(row)

    def described(self, items: Floats, ids: Sequence[ItemId] | None) -> Floats:
        """The features of items, (n, n_item); where they have none, the codes of their ids."""
        if items.shape[1]:
            return items
        return np.zeros((len(items), CODE)) if ids is None else self.codes(ids)

    def codes(self, items: Iterable[ItemId]) -> Floats:
        """Ids as numbers, (n, 16): for items that have no features.

        One of 16 columns for each of the first 16 items that were learned, 16 random signs
        of the same length for others. An item that may yet become one of the first has zeros.
        """
        return np.array([self._code(item) for item in items]).reshape(-1, CODE)

    def state(self) -> dict[str, Array]:
        """The items in the order in which they would leave, whatever rows they have."""
        used = np.array(list(self._rows.values()), np.int64)
        return {
            "ids": np.frombuffer(json.dumps(self.ids()).encode(), np.uint8),
            "counts": self.counts[used],
            "totals": self.totals[used],
            "features": self.features[used],
            "numbers": self.numbers[used],
            "arrived": np.array([self.arrived]),
        }

    def restore(self, arrays: dict[str, Array]) -> None:
        ids = _read_ids(fitting("ids", arrays, np.uint8, (None,)))
        count = len(ids)
        counts = fitting("counts", arrays, np.float64, (count,), COUNTS)
        totals = fitting("totals", arrays, np.float64, (count,), DERIVED)
        features = fitting("features", arrays, np.float64, (count, self.features.shape[1]), DERIVED)
        numbers = fitting("numbers", arrays, np.int64, (count,), COUNTS)
        self.arrived = int(fitting("arrived", arrays, np.int64, (1,), COUNTS)[0])
        self._rows = OrderedDict((item, row) for row, item in enumerate(ids, start=1))
        if not len(self._rows) == count <= self.max_items:
            raise ModelFileError("the model file has items twice, or more than its max_items")
        self._free = []
        self._reserve(max(16, count + 1), used=0)
        rows = slice(1, count + 1)
        self.counts[rows], self.totals[rows] = counts, totals
        self.features[rows], self.numbers[rows] = features, numbers
        for array in (self.counts, self.totals, self.features, self.numbers):
            array[NOBODY] = 0

    def _open(self, item: ItemId) -> int:
        """A row for a new item, cleared."""
        if len(self._rows) == self.max_items:
            self.forget(next(iter(self._rows)))
        row = self._free.pop() if self._free else len(self._rows) + 1
        if row == len(self.counts):
            self._reserve(min(2 * row, self.max_items + 1), used=row)
        self.counts[row] = self.totals[row] = self.features[row] = 0.0
        self.numbers[row] = self.arrived
        self.arrived += 1
        self._rows[item] = row
        return row

    def _reserve(self, capacity: int, used: int) -> None:
        self.counts = with_room(self.counts, used, capacity)
        self.totals = with_room(self.totals, used, capacity)
        self.features = with_room(self.features, used, capacity)
        self.numbers = with_room(self.numbers, used, capacity)

    def _code(self, item: ItemId) -> Floats:
        row = self._rows.get(item)
        number = self.arrived if row is None else self.numbers[row]
        if number >= CODE:
            return _random_signs(item)
        code = np.zeros(CODE)
        if row is not None:
            code[number] = 1.0
        return code


def _random_signs(item: ItemId) -> Floats:
    """The same in every process; 1 and "1" differ."""
    text = json.dumps(item).encode()
    bits = np.frombuffer(blake2b(text, digest_size=CODE // 8).digest(), np.uint8)
    signs: Floats = (2.0 * np.unpackbits(bits) - 1.0) / np.sqrt(CODE)
    return signs


def _read_ids(written: Array) -> list[ItemId]:
    try:
        ids = json.loads(written.tobytes())
    except ValueError as error:
        raise ModelFileError(f"the model file's list of items is damaged: {error}") from error
    if not isinstance(ids, list) or any(type(item) not in (str, int) for item in ids):
        raise ModelFileError("the model file's list of items has other things than str and int")
    return ids
