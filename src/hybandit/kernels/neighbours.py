"""Exact lists of the nearest stored entries; among equally near ones the older comes first.

Where `Entries` are numbered downwards, the newer comes first instead.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from hybandit.kernels.compiling import kernel
from hybandit.kernels.vectors import squared_distance
from hybandit.state import Floats, Integers


class Entries(NamedTuple):
    """The stored entries, slot by slot; owner -1 marks a free slot.

    `arrivals` gives the order in which entries came, whatever their slots: from 0 upwards or, if
    the newer of two equally near ones is to come first, from -1 downwards.
    """

    # Double precision, but for networks, which have no neighbours.
    contexts: npt.NDArray[Any]
    owners: Integers
    rewards: Floats
    arrivals: Integers


class Neighbours(NamedTuple):
    """Lists of stored entries, one in a row, nearest first, among equals the least arrival.

    ``distances[row, :found[row]]`` are squared distances, ``indices`` slots of the store.
    """

    distances: Floats
    indices: Integers
    found: Integers


def empty_lists(rows: int, longest: int) -> Neighbours:
    """Empty lists for a kernel to fill: arrays that a kernel makes are slow to return."""
    shape = rows, max(longest, 1)
    lists = np.empty(shape), np.empty(shape, np.int64), np.zeros(rows, np.int64)
    return tuple.__new__(Neighbours, lists)


@kernel
def offer(
    near: Neighbours, arrivals: Integers, row: int, k: int, distance: float, slot: int
) -> bool:
    """Put one entry on the row's list if it is among the k nearest so far; returns whether it is.

    While it grows, a list is a heap with its farthest entry on top.
    """
    distances, indices, age = near.distances, near.indices, arrivals[slot]
    count = near.found[row]
    if count < k:
        place = count
        near.found[row] += 1
        while place > 0:
            above = (place - 1) // 2
            other = distances[row, above]
            if other > distance or (other == distance and arrivals[indices[row, above]] > age):
                break
            distances[row, place], indices[row, place] = other, indices[row, above]
            place = above
        distances[row, place], indices[row, place] = distance, slot
        return True
    last = distances[row, 0]
    if distance > last or (distance == last and age > arrivals[indices[row, 0]]):
        return False
    sink(near, arrivals, row, count, distance, slot)
    return True


@kernel
def sink(
    near: Neighbours, arrivals: Integers, row: int, count: int, distance: float, slot: int
) -> None:
    """Put an entry in place of the top of the row's heap of `count`."""
    distances, indices, age = near.distances, near.indices, arrivals[slot]
    place, below = 0, 1
    while below < count:
        here = distances[row, below]
        if below + 1 < count:
            there = distances[row, below + 1]
            if there > here or (
                there == here and arrivals[indices[row, below + 1]] > arrivals[indices[row, below]]
            ):
                below, here = below + 1, there
        if here < distance or (here == distance and arrivals[indices[row, below]] < age):
            break
        distances[row, place], indices[row, place] = here, indices[row, below]
        place, below = below, 2 * below + 1
    distances[row, place], indices[row, place] = distance, slot


@kernel
def sort_lists(near: Neighbours, arrivals: Integers) -> None:
    """Turn heaps into lists, nearest first."""
    for row in range(near.found.shape[0]):
        for count in range(near.found[row] - 1, 0, -1):
            distance, slot = near.distances[row, count], near.indices[row, count]
            near.distances[row, count] = near.distances[row, 0]
            near.indices[row, count] = near.indices[row, 0]
            sink(near, arrivals, row, count, distance, slot)


@kernel
def scan(entries: Entries, size: int, queries: Floats, ks: Integers, near: Neighbours) -> None:
    """For every arm its `ks[a]` entries nearest to its query, by measuring all.

    `queries` has one row for all arms or one for each.
    """
    owners, arrivals = entries.owners, entries.arrivals
    shared = queries.shape[0] == 1
    for slot in range(size):
        arm = owners[slot]
        if not 0 <= arm < ks.shape[0] or ks[arm] == 0:
            continue
        distance = squared_distance(entries.contexts, slot, queries, 0 if shared else arm)
        if near.found[arm] < ks[arm] or not distance > near.distances[arm, 0]:
            offer(near, arrivals, arm, ks[arm], distance, slot)
    sort_lists(near, arrivals)


@kernel
def measure(entries: Entries, queries: Floats, row: int, out: Floats) -> None:
    """Squared distances of the first ``len(out)`` slots to one query; NaN where a slot is free."""
    for slot in range(out.shape[0]):
        out[slot] = squared_distance(entries.contexts, slot, queries, row)
        if entries.owners[slot] < 0:
            out[slot] = np.nan


@kernel
def merge(near: Neighbours, arrivals: Integers, one: Neighbours) -> None:
    """Fill one list with the nearest among those of all lists, as many as it has room for."""
    k = one.distances.shape[1]
    # Not the literal 0, for which numba would compile `offer` a second time.
    first = one.found.shape[0] - 1
    for row in range(near.found.shape[0]):
        for rank in range(near.found[row]):
            distance, slot = near.distances[row, rank], near.indices[row, rank]
            if not offer(one, arrivals, first, k, distance, slot):
                break
    sort_lists(one, arrivals)


@kernel
def adaptive_mean(
    near: Neighbours, ks: Integers, rewards: Floats, by_distance: bool, out: Floats
) -> None:
    """Every arm's mean reward over its neighbours, 0 while it has fewer than `ks[a]`."""
    distances, indices, found = near.distances, near.indices, near.found
    for arm in range(found.shape[0]):
        out[arm] = 0.0
        if found[arm] < ks[arm]:
            continue
        total = 0.0
        weights = 0.0
        for rank in range(found[arm]):
            weight = 1.0
            if by_distance:
                # If there are exact matches, they come first and only they count.
                if distances[arm, 0] == 0.0:
                    weight = 1.0 if distances[arm, rank] == 0.0 else 0.0
                else:
                    weight = np.sqrt(distances[arm, 0] / distances[arm, rank])
            total += weight * rewards[indices[arm, rank]]
            weights += weight
        out[arm] = total / weights
