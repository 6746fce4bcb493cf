"""The nearest points of a tree of boxes."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from hybandit.kernels.compiling import kernel
from hybandit.kernels.neighbours import Entries, Neighbours, offer, sort_lists
from hybandit.kernels.tree import LANES, STEP, Tree, gap_to_hull, gaps_to_leaves
from hybandit.kernels.vectors import squared_distance
from hybandit.state import Floats, Integers, Singles

# If this few points of a leaf are left, they are measured at once.
FEW = 4
# The cost of measuring a point, in points of leaves that are opened.
MEASURING = 3.0


class Projected(NamedTuple):
    """Contexts that are asked for, and their projections.

    Projections of two points are at most ``|x - y| / scale + slack`` apart.
    """

    contexts: Floats
    rows: Singles
    scale: float
    slack: float


@kernel
def reach_of(square: float, scale: float, slack: float) -> np.float32:
    """The square of how far projections of points within a squared distance may be."""
    # The square root first: squares of a tiny scale would vanish.
    far = math.sqrt(square) / scale * (1.0 + 1e-5) + slack
    return np.float32(far * far)


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
    place, below = 0, 1
    while below < count - 1:
        if below + 1 < count - 1 and bounds[below + 1] < bounds[below]:
            below += 1
        if bounds[below] >= bound:
            break
        bounds[place], pages[place] = bounds[below], pages[below]
        place, below = below, 2 * below + 1
    bounds[place], pages[place] = bound, page


@kernel
def push_nodes(
    tree: Tree, arm: int, rows: Singles, row: int, bounds: Singles, pages: Integers, count: int
) -> int:
    """Add an arm's nodes to a heap of `count`; returns how many there are then."""
    node = tree.roots[arm]
    while node >= 0:
        push(bounds, pages, count, gap_to_hull(tree, node, rows, row), -1 - node)
        count += 1
        node = tree.following[node]
    return count


@kernel
def look_at(pages: Singles, leaf: int, rows: Singles, row: int, reach: np.float32, sums: Singles
            ) -> int:  # fmt: skip
    """How many points of a leaf may lie within reach, by a few coordinates or, if need be, all.

    Leaves in `sums` a squared distance for each that is not more than its true one.
    """
    for j in range(LANES):
        sums[j] = 0.0
    left = LANES
    i = 0
    while left > (FEW if i else 0) and i < rows.shape[1]:
        q0, q1, q2, q3 = rows[row, i], rows[row, i + 1], rows[row, i + 2], rows[row, i + 3]
        q4, q5, q6, q7 = rows[row, i + 4], rows[row, i + 5], rows[row, i + 6], rows[row, i + 7]
        count = np.int32(0)
        for j in range(LANES):
            s0, s1 = pages[leaf, i, j] - q0, pages[leaf, i + 1, j] - q1
            s2, s3 = pages[leaf, i + 2, j] - q2, pages[leaf, i + 3, j] - q3
            s4, s5 = pages[leaf, i + 4, j] - q4, pages[leaf, i + 5, j] - q5
            s6, s7 = pages[leaf, i + 6, j] - q6, pages[leaf, i + 7, j] - q7
            half = (s0 * s0 + s1 * s1) + (s2 * s2 + s3 * s3)
            sums[j] += half + ((s4 * s4 + s5 * s5) + (s6 * s6 + s7 * s7))
            count += np.int32(not sums[j] > reach)
        left = int(count)
        i += STEP
    return left


@kernel
def search(
    tree: Tree, entries: Entries, query: Projected, ks: Integers, together: bool, near: Neighbours
) -> float:
    """Find what a scan finds, looking at few points; returns the share of the work that it took.

    There is a list of `ks[a]` for each arm or, if `together`, of `ks[0]` for each query.
    Pages are opened nearest box first, until the next box lies farther away than the
    neighbours found so far. The share is that of the leaves opened, of the arms asked for,
    and MEASURING times that of the points measured.
    """
    contexts, arrivals = entries.contexts, entries.arrivals
    used = tree.children.shape[0] + tree.pages.shape[0] - tree.free[0] - tree.free[1]
    bounds, pages = np.empty(used + 1, np.float32), np.empty(used + 1, np.int64)
    sums = np.empty(LANES, np.float32)
    newest_first = arrivals[0] < 0
    n_arms = tree.roots.shape[0]
    leaves, opened, measured = 1, 0, 0
    for row in range(near.found.shape[0]):
        k = ks[0 if together else row]
        at = row if query.rows.shape[0] > 1 else 0
        reach = np.float32(np.inf)
        count = 0
        # Leaves are numbered from 0, nodes downwards from -1.
        last = min(row + 1, n_arms) if not together else n_arms
        for arm in range(0 if together else row, last if k > 0 else 0):
            count = push_nodes(tree, arm, query.rows, at, bounds, pages, count)
        for place in range(count):
            leaves += tree.counts[-1 - pages[place]]
        while count > 0 and not bounds[0] > reach:
            page = pages[0]
            pop(bounds, pages, count)
            count -= 1
            if page < 0:
                node = -1 - page
                gaps_to_leaves(tree, node, query.rows, at, sums)
                for j in range(tree.counts[node]):
                    if not sums[j] > reach:
                        push(bounds, pages, count, sums[j], tree.children[node, j])
                        count += 1
                continue
            opened += 1
            left = look_at(tree.pages, page, query.rows, at, reach, sums)
            size = tree.sizes[page] if left > 0 else 0
            for step in range(size):
                j = size - 1 - step if newest_first else step
                if sums[j] > reach:
                    continue
                slot = tree.slots[page, j]
                measured += 1
                distance = squared_distance(contexts, slot, query.contexts, at)
                if offer(near, arrivals, row, k, distance, slot):
                    if near.found[row] == k:
                        reach = reach_of(near.distances[row, 0], query.scale, query.slack)
                elif tree.same[page]:
                    # Those that follow are as far and come later among equals.
                    break
    sort_lists(near, arrivals)
    return opened / leaves + MEASURING * measured / (LANES * leaves)
