"""What is remembered of each item."""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from hashlib import blake2b
from typing import NamedTuple

import numpy as np

from hybandit.errors import ModelFileError
from hybandit.state import (
    COUNTS,
    DERIVED,
    Array,
    Flags,
    Floats,
    Integers,
    Stateful,
    fitting,
    packed_list,
    unpacked_list,
    with_room,
)

ItemId = str | int
# The row of items that were never learned; it holds zeros.
NOBODY = 0
# The length of an item's code.
CODE = 16


class Past(NamedTuple):
    """What is remembered of several items; item i is in row ``rows[i]`` of the others."""

    rows: Integers
    counts: Floats
    totals: Floats
    features: Floats


class ItemTable(Stateful):
    """The count, sum of rewards and sum of features of up to `max_items` items.

    When a new item comes and the table is full, the item that was learned longest ago is
    removed. The arrays double when they are full, so that only items that were learned take
    memory. With `forget`, a reward that was learned n rewards ago, whatever its item, has the
    weight ``forget ** n``.

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

    def __init__(self, width: int, max_items: int, forget: float | None = None) -> None:
        self.max_items = max_items
        self.forget_factor = forget
        # How many rewards were learned in total, and how many had been when each item last was.
        self.clock = 0
        self.moments = np.zeros(16, np.int64)
        # How many items ever came: one that comes back after its removal counts again.
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
        """The row of an item, `NOBODY` if it was never learned."""
        return NOBODY if item is None else self._rows.get(item, NOBODY)

    def rows(self, items: Sequence[ItemId]) -> Integers:
        known = self._rows
        return np.array([known.get(item, NOBODY) for item in items], np.int64)

    def knows(self, items: Sequence[ItemId]) -> Flags:
        """Which items are remembered."""
        return np.fromiter(map(self._rows.__contains__, items), bool, len(items))

    def rows_of(self, ids: Sequence[ItemId] | None, count: int) -> Integers:
        """As `rows`, for `count` candidates that may have no ids."""
        return np.full(count, NOBODY) if ids is None else self.rows(ids)

    def past(self, rows: Integers) -> Past:
        """What is remembered of the items in these rows, with its present weight."""
        if self.forget_factor is None:
            return Past(rows, self.counts, self.totals, self.features)
        left = self.forget_factor ** (self.clock - self.moments[rows])
        return Past(
            np.arange(len(rows)),
            left * self.counts[rows],
            left * self.totals[rows],
            left[:, None] * self.features[rows],
        )

    def learn(self, item: ItemId | None, z: Floats, reward: float) -> None:
        """Take in one reward; nothing is kept for an item without an id."""
        self.clock += 1
        if item is None:
            return
        row = self._rows.get(item)
        if row is None:
            row = self._open(item)
        self._rows.move_to_end(item)
        self._fade(row)
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
            "ids": packed_list(self._rows),
            "counts": self.counts[used],
            "totals": self.totals[used],
            "features": self.features[used],
            "numbers": self.numbers[used],
            "arrived": np.array([self.arrived]),
            **self._times(used),
        }

    def restore(self, arrays: dict[str, Array]) -> None:
        ids: list[ItemId] = unpacked_list("ids", arrays, (str, int))
        count = len(ids)
        counts = fitting("counts", arrays, np.float64, (count,), COUNTS)
        totals = fitting("totals", arrays, np.float64, (count,), DERIVED)
        features = fitting("features", arrays, np.float64, (count, self.features.shape[1]), DERIVED)
        numbers = fitting("numbers", arrays, np.int64, (count,), COUNTS)
        self.arrived = int(fitting("arrived", arrays, np.int64, (1,), COUNTS)[0])
        moments = np.zeros(count, np.int64)
        if self.forget_factor is not None:
            self.clock = int(fitting("clock", arrays, np.int64, (1,), COUNTS)[0])
            moments = fitting("moments", arrays, np.int64, (count,), (0, self.clock))
        self._rows = OrderedDict((item, row) for row, item in enumerate(ids, start=1))
        if count > self.max_items:
            raise ModelFileError(f"there are more items than max_items, {self.max_items}")
        self._free = []
        self._reserve(max(16, count + 1), used=0)
        rows = slice(1, count + 1)
        self.counts[rows], self.totals[rows] = counts, totals
        self.features[rows], self.numbers[rows] = features, numbers
        self.moments[rows] = moments
        for array in (self.counts, self.totals, self.features, self.numbers, self.moments):
            array[NOBODY] = 0

    def _times(self, used: Integers) -> dict[str, Array]:
        """What is needed only where the past fades."""
        if self.forget_factor is None:
            return {}
        return {"moments": self.moments[used], "clock": np.array([self.clock])}

    def _fade(self, row: int) -> None:
        """Multiply what is known of an item by the weight that it has by now."""
        if self.forget_factor is not None:
            left = self.forget_factor ** int(self.clock - self.moments[row])
            self.counts[row] *= left
            self.totals[row] *= left
            self.features[row] *= left
            self.moments[row] = self.clock

    def _open(self, item: ItemId) -> int:
        """A cleared row for a new item."""
        if len(self._rows) == self.max_items:
            self.forget(next(iter(self._rows)))
        row = self._free.pop() if self._free else len(self._rows) + 1
        if row == len(self.counts):
            self._reserve(min(2 * row, self.max_items + 1), used=row)
        self.counts[row] = self.totals[row] = self.features[row] = 0.0
        self.numbers[row] = self.arrived
        self.moments[row] = self.clock
        self.arrived += 1
        self._rows[item] = row
        return row

    def _reserve(self, capacity: int, used: int) -> None:
        self.counts = with_room(self.counts, used, capacity)
        self.totals = with_room(self.totals, used, capacity)
        self.features = with_room(self.features, used, capacity)
        self.numbers = with_room(self.numbers, used, capacity)
        self.moments = with_room(self.moments, used, capacity)

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
