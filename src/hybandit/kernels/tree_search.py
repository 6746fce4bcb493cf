"""The nearest points of a tree of boxes."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from hybandit.kernels.compiling import kernel
from hybandit.kernels.neighbours import (
    belongs,
    insert,
    loosened,
    start_lists,
)
from hybandit.kernels.tree import LANES, STEP, Tree, gaps
from hybandit.kernels.vectors import squared_distance

Floats = npt.NDArray[np.float64]
Singles = npt.NDArray[np.float32]
Integers = npt.NDArray[np.int64]

# If no more points of a leaf than this are left, they are measured without more ado.
FEW = 4


@kernel
def add_up(
    pages: Singles, page: int, queries: Singles, row: int, start: int, sums: Singles
) -> None:
    """Add every lane's squared distance to a query over the STEP coordinates from `start`."""
    i = start
    q0, q1 = queries[row, i], queries[row, i + 1]
    q2, q3 = queries[row, i + 2], queries[row, i + 3]
    q4, q5 = queries[row, i + 4], queries[row, i + 5]
    q6, q7 = queries[row, i + 6], queries[row, i + 7]
    for j in range(LANES):
        s0, s1 = pages[page, i, j] - q0, pages[page, i + 1, j] - q1
        s2, s3 = pages[page, i + 2, j] - q2, pages[page, i + 3, j] - q3
        s4, s5 = pages[page, i + 4, j] - q4, pages[page, i + 5, j] - q5
        s6, s7 = pages[page, i + 6, j] - q6, pages[page, i + 7, j] - q7
        half = (s0 * s0 + s1 * s1) + (s2 * s2 + s3 * s3)
        sums[j] += half + ((s4 * s4 + s5 * s5) + (s6 * s6 + s7 * s7))


@kernel
def within(sums: Singles, reach: np.float32) -> int:
    """How many lanes are not beyond reach."""
    count = np.int32(0)
    for j in range(LANES):
        count += np.int32(not sums[j] > reach)
    return int(count)


@kernel
def reach_of(square: float, scale: float, slack: float) -> np.float32:
    """The square of how far shadows of points within a squared distance may be."""
    # The square root first: squares of a tiny scale would vanish.
    far = math.sqrt(square) / scale
    return np.float32(loosened(far * far, slack))


@kernel
def push(bounds: Singles, pages: Integers, count: int, bound: np.float32, page: int) -> None:
    """Add to a heap of `count`, least bound on top."""
    place = count
    while place > 0:
        above = (place - 1) // 2
        if bounds[above] <= bound:
            break
        bounds[place], pages[place] = bounds[above], pages[above]
        place = above
    bounds[place], pages[place] = bound, page


@kernel
def pop(bounds: Singles, pages: Integers, count: int) -> None:
    """Take the top of a heap of `count` away."""
    bound, page = bounds[count - 1], pages[count - 1]
    place = 0
    while 2 * place + 1 < count - 1:
        below = 2 * place + 1
        if below + 1 < count - 1 and bounds[below + 1] < bounds[below]:
            below += 1
        if bounds[below] >= bound:
            break
        bounds[place], pages[place] = bounds[below], pages[below]
        place = below
    bounds[place], pages[place] = bound, page


@kernel
def look_at(
    pages: Singles, leaf: int, queries: Singles, row: int, reach: np.float32, sums: Singles
) -> int:
    """How many points of a leaf may lie within reach, by a few coordinates or, if need be, all.

    Leaves in `sums` a squared distance for each that is not more than its true one.
    """
    for j in range(LANES):
        sums[j] = 0.0
    left = LANES
    at = 0
    while left > (FEW if at else 0) and at < queries.shape[1]:
        add_up(pages, leaf, queries, row, at, sums)
        at += STEP
        left = within(sums, reach)
    return left


@kernel
def offer(
    slots: Integers, leaf: int, size: int, same: bool, contexts: Floats, arrivals: Integers,
    queries: Floats, row: int, scale: float, slack: float, arm: int, room: int,
    reach: np.float32, sums: Singles, distances: Floats, indices: Integers, found: Integers,
    worst: Floats, tally: Integers,
) -> np.float32:  # fmt: skip
    """Offer a leaf's points to the arm's list; returns the reach, which may have shrunk."""
    for j in range(size):
        if sums[j] > reach:
            continue
        slot = slots[leaf, j]
        tally[1] += 1
        distance = squared_distance(contexts, slot, queries, row)
        if belongs(distance, slot, worst, arrivals, indices, arm, room):
            insert(distances, indices, found, worst, arrivals, arm, room, distance, slot)
            if found[arm] == room:
                reach = reach_of(worst[arm], scale, slack)
        elif same:
            # Those that follow are as far and younger.
            break
    return reach


@kernel
def offer_far(
    far: Integers, contexts: Floats, owners: Integers, arrivals: Integers, queries: Floats,
    row: int, arm: int, place: int, room: int, distances: Floats, indices: Integers,
    found: Integers, worst: Floats,
) -> None:  # fmt: skip
    """Offer the points that are in no tree, those of one arm or, for arm -1, of all."""
    for at in range(far.shape[0]):
        slot = far[at]
        if arm >= 0 and owners[slot] != arm:
            continue
        distance = squared_distance(contexts, slot, queries, row)
        if belongs(distance, slot, worst, arrivals, indices, place, room):
            insert(distances, indices, found, worst, arrivals, place, room, distance, slot)


@kernel
def search_list(
    tree: Tree, contexts: Floats, arrivals: Integers, queries: Floats, shadows: Singles,
    row: int, first: int, last: int, scale: float, slack: float, place: int, room: int,
    bounds: Singles, pages: Integers, sums: Singles, distances: Floats, indices: Integers,
    found: Integers, worst: Floats, tally: Integers,
) -> None:  # fmt: skip
    """Offer the points of the arms from `first` to `last` - 1 to the list at `place`.

    Pages are opened nearest box first, until the next box lies farther away than the
    neighbours found so far. Adds to `tally` how many leaves were opened, and how many
    points measured.
    """
    reach = np.float32(np.inf)
    if found[place] == room:
        reach = reach_of(worst[place], scale, slack)
    count = 0
    # Leaves are numbered from 0, nodes downwards from -1.
    for arm in range(first, min(last, tree.roots.shape[0])):
        if tree.roots[arm] >= 0:
            push(bounds, pages, count, np.float32(0.0), -1 - tree.roots[arm])
            count += 1
    while count > 0 and not bounds[0] > reach:
        page = pages[0]
        pop(bounds, pages, count)
        count -= 1
        if page >= 0:
            tally[0] += 1
            if look_at(tree.pages, page, shadows, row, reach, sums) > 0:
                reach = offer(
                    tree.slots, page, tree.sizes[page], tree.same[page], contexts, arrivals,
                    queries, row, scale, slack, place, room, reach, sums, distances,
                    indices, found, worst, tally,
                )  # fmt: skip
            continue
        node = -1 - page
        gaps(tree.lows, tree.highs, node, shadows, row, sums)
        for j in range(tree.counts[node]):
            if not sums[j] > reach:
                child = tree.children[node, j]
                child = child if tree.levels[node] == 1 else -1 - child
                push(bounds, pages, count, sums[j], child)
                count += 1


@kernel
def search(
    tree: Tree, far: Integers, contexts: Floats, owners: Integers, arrivals: Integers,
    queries: Floats, shadows: Singles, scale: float, slack: float, rooms: Integers, together: bool,
    distances: Floats, indices: Integers, found: Integers, tally: Integers,
) -> None:  # fmt: skip
    """What `neighbours.nearest_of_each_arm` finds, looking at few points.

    If `together`, there is a list for each query instead, of the nearest of all arms. Points
    in no tree are in `far`.
    """
    used = tree.children.shape[0] + tree.pages.shape[0] - tree.free[0] - tree.free[1]
    bounds, pages = np.empty(used + 1, np.float32), np.empty(used + 1, np.int64)
    sums = np.empty(LANES, np.float32)
    worst = np.empty(rooms.shape[0])
    start_lists(rooms, found, worst)
    for place in range(rooms.shape[0]):
        if rooms[place] == 0:
            continue
        row = place if queries.shape[0] > 1 else 0
        arm, first, last = (-1, 0, tree.roots.shape[0]) if together else (place, place, place + 1)
        offer_far(
            far, contexts, owners, arrivals, queries, row, arm, place, rooms[place],
            distances, indices, found, worst,
        )  # fmt: skip
        search_list(
            tree, contexts, arrivals, queries, shadows, row, first, last, scale, slack, place,
            rooms[place], bounds, pages, sums, distances, indices, found, worst, tally,
        )  # fmt: skip
