"""The nearest of all stored contexts, by a scan in single precision that is then made exact.

Contexts stand in blocks of `LANES`, side by side: coordinate i of slot s is
``blocks[s // LANES, i, s % LANES]``. A free slot is NaN there, and so never near.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from hybandit.kernels.compiling import kernel
from hybandit.kernels.vectors import squared_distance, squared_length

Floats = npt.NDArray[np.float64]
Singles = npt.NDArray[np.float32]
Integers = npt.NDArray[np.int64]

LANES = 64
# Coordinates added up in one go.
STEP = 4
# One point in so many tells how far the nearest reach.
SAMPLED = 16
# Values that one bin may hold.
CROWD = 32
# Twice the largest error of a rounding to single precision.
ROUNDING = float(np.finfo(np.float32).eps)
# Below this, squares in single precision vanish.
TINY = 1e-18
# Above this, the numbers themselves are infinite.
LONGEST = 1e38


@kernel
def put(blocks: Singles, slots: Integers, points: Floats) -> float:
    """Copy the points of these slots to their blocks; returns the length of the longest."""
    longest = 0.0
    for slot in slots:
        for i in range(points.shape[1]):
            blocks[slot // LANES, i, slot % LANES] = points[slot, i]
        longest = max(longest, squared_length(points, slot))
    return math.sqrt(longest)


@kernel
def rough_squares(blocks: Singles, queries: Floats, row: int, out: Singles) -> None:
    """Squared distances of the first slots to one of the queries, in single precision."""
    width = blocks.shape[1]
    whole = width - width % STEP
    for block in range(out.shape[0] // LANES):
        first = block * LANES
        for j in range(LANES):
            out[first + j] = 0.0
        for i in range(0, whole, STEP):
            q0, q1 = np.float32(queries[row, i]), np.float32(queries[row, i + 1])
            q2, q3 = np.float32(queries[row, i + 2]), np.float32(queries[row, i + 3])
            for j in range(LANES):
                s0, s1 = blocks[block, i, j] - q0, blocks[block, i + 1, j] - q1
                s2, s3 = blocks[block, i + 2, j] - q2, blocks[block, i + 3, j] - q3
                out[first + j] += (s0 * s0 + s1 * s1) + (s2 * s2 + s3 * s3)
        for i in range(whole, width):
            q0 = np.float32(queries[row, i])
            for j in range(LANES):
                s0 = blocks[block, i, j] - q0
                out[first + j] += s0 * s0


@kernel
def likely_reach(squares: Singles, size: int, room: int) -> float:
    """A distance within which there are probably `room` points, and not many more.

    Read off every `SAMPLED`-th point, with some to spare; infinite where there are too few.
    """
    rank = 3 * room // (2 * SAMPLED) + 4
    smallest = np.full(rank, np.float32(np.inf))
    if size <= SAMPLED * rank:
        return math.inf
    for i in range(0, size, SAMPLED):
        if squares[i] < smallest[rank - 1]:
            place = rank - 1
            while place > 0 and smallest[place - 1] > squares[i]:
                smallest[place] = smallest[place - 1]
                place -= 1
            smallest[place] = squares[i]
    return float(smallest[rank - 1])


@kernel
def candidates(
    squares: Singles, size: int, room: int, loose: float, slack: float, near: Integers
) -> int:
    """Slots among which the `room` nearest are, for all the rounding; returns how many.

    A rough distance is the true one up to a factor `loose` and a difference `slack`: once
    for the slot that sets the reach, once for those held against it.
    """
    reach = likely_reach(squares, size, room)
    apart = (math.sqrt(reach) * loose + slack) * loose + slack
    limit = np.float32(apart * apart)
    count = certain = 0
    for slot in range(size):
        if squares[slot] <= limit:
            near[count] = slot
            count += 1
            certain += squares[slot] <= reach
    if certain >= room:
        return count
    count = 0
    for slot in range(size):
        if not math.isnan(squares[slot]):
            near[count] = slot
            count += 1
    return count


@kernel
def by_arrival(slots: Integers, arrivals: Integers) -> Integers:
    """The same slots, the oldest first, which they mostly are already."""
    for place in range(1, slots.shape[0]):
        if arrivals[slots[place]] < arrivals[slots[place - 1]]:
            return slots[np.argsort(arrivals[slots])]
    return slots


@kernel
def ranked(values: Floats) -> Integers:
    """As a stable argsort: first into twice as many bins as there are values, of equal width.

    Within bins by insertion, unless too many values share one.
    """
    count = values.shape[0]
    low, high = (values.min(), values.max()) if count else (0.0, 0.0)
    scale = (2 * count - 1) / (high - low) if high > low else 0.0
    if not 0.0 < scale < math.inf:
        return np.argsort(values, kind="mergesort")
    ends, bins = np.zeros(2 * count + 1, np.int64), np.empty(count, np.int64)
    for i in range(count):
        bins[i] = int((values[i] - low) * scale)
        ends[bins[i] + 1] += 1
    if ends.max() > CROWD:
        return np.argsort(values, kind="mergesort")
    order = np.empty(count, np.int64)
    for place in range(2 * count):
        ends[place + 1] += ends[place]
    for i in range(count):
        order[ends[bins[i]]] = i
        ends[bins[i]] += 1
    for i in range(1, count):
        one, place = order[i], i
        while place > 0 and values[order[place - 1]] > values[one]:
            order[place] = order[place - 1]
            place -= 1
        order[place] = one
    return order


@kernel
def nearest(
    blocks: Singles,
    points: Floats,
    arrivals: Integers,
    size: int,
    queries: Floats,
    longest: float,
    distances: Floats,
    indices: Integers,
    found: Integers,
) -> bool:
    """The entries nearest to each query, as many as `indices` has columns, and how far.

    Nearest first and the older first among equals. No entry is longer than `longest`.
    False, with nothing found, if that or a query is beyond single precision.
    """
    room = indices.shape[1]
    for row in range(queries.shape[0]):
        longest = max(longest, math.sqrt(squared_length(queries, row)))
    if not longest <= LONGEST:
        return False
    loose = 1.0 + ROUNDING * (blocks.shape[1] + 8)
    slack = 2.0 * ROUNDING * longest + TINY
    squares = np.empty(-(-size // LANES) * LANES, np.float32)
    slots = np.empty(size, np.int64)
    for row in range(queries.shape[0]):
        rough_squares(blocks, queries, row, squares)
        count = candidates(squares, size, room, loose, slack, slots)
        near = by_arrival(slots[:count], arrivals)
        exact = np.empty(count)
        for place in range(count):
            exact[place] = squared_distance(points, near[place], queries, row)
        order = ranked(exact)
        found[row] = min(count, room)
        for rank in range(found[row]):
            indices[row, rank] = near[order[rank]]
            distances[row, rank] = exact[order[rank]]
    return True
