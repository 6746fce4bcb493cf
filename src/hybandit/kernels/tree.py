"""Each arm's points under boxes that grow and shrink one point at a time.

A leaf is a page of up to LANES points, a node a page of up to LANES boxes around its leaves.
An arm has a chain of nodes, each with a box around all its leaves. Pages are stored
coordinate by coordinate, so that a query meets all lanes at once. Points are projections in
single precision (`kernels.projection`), most telling coordinates first; boxes bound the first
EDGES of them. A full page is cut at the median of the coordinate that varies most. The points
of a leaf stand in order of arrival.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from hybandit.kernels.compiling import kernel
from hybandit.kernels.neighbours import Entries

Flags = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float64]
Singles = npt.NDArray[np.float32]
Integers = npt.NDArray[np.int64]

LANES = 64
# Projections have a multiple of this many coordinates, so have boxes.
STEP = 8
EDGES = 16
# How many rows tell where to cut many.
SAMPLE = 1024
# So many points make a node when a tree is built at once; it has room for more.
GROUP = LANES * LANES // 2


class Tree(NamedTuple):
    """The arrays of all arms' trees; -1 is no node.

    `roots` starts each arm's chain of nodes, `following` goes on. ``boxes[node, 0]`` are the
    lower edges of a node's leaves, ``boxes[node, 1]`` the upper; `hulls` are the node's own.
    `same` marks leaves whose contexts are all equal. `leaf_of` is by slot of the store.
    Unused leaves and nodes are on stacks, whose heights are in `free`.
    """

    roots: Integers
    following: Integers
    hulls: Singles
    boxes: Singles
    children: Integers
    counts: Integers
    pages: Singles
    slots: Integers
    sizes: Integers
    same: Flags
    node_of: Integers
    leaf_of: Integers
    free_leaves: Integers
    free_nodes: Integers
    free: Integers


class Points(NamedTuple):
    """Projections and the slots they are of."""

    rows: Singles
    slots: Integers


@kernel
def median(values: Singles) -> np.float32:
    """The lower median, or the next lower value if nothing lies above it; sorts `values`."""
    gap = values.shape[0] // 2
    while gap > 0:
        for i in range(gap, values.shape[0]):
            value, place = values[i], i
            while place >= gap and values[place - gap] > value:
                values[place] = values[place - gap]
                place -= gap
            values[place] = value
        gap //= 2
    at = (values.shape[0] - 1) // 2
    while at > 0 and values[at] == values[-1]:
        at -= 1
    return values[at]


@kernel
def cut(rows: Singles, order: Integers, start: int, stop: int) -> int:
    """Sort ``order[start:stop]`` into a lower and an upper half; returns where the upper starts.

    The rows are cut at the median of the coordinate, among the first EDGES, that varies
    most in a sample. Each half keeps its order. Rows that do not vary are all lower.
    """
    stride = max(1, (stop - start) // SAMPLE)
    count = (stop - start + stride - 1) // stride
    most, widest = np.float32(0.0), 0
    for i in range(min(EDGES, rows.shape[1])):
        total, squares = np.float32(0.0), np.float32(0.0)
        first = rows[order[start], i]
        for at in range(start, stop, stride):
            value = rows[order[at], i] - first
            total += value
            squares += value * value
        spread = squares - total * total / count
        if spread > most:
            most, widest = spread, i
    values = np.empty(count, np.float32)
    for at in range(count):
        values[at] = rows[order[start + at * stride], widest]
    middle = median(values)
    upper = np.empty(stop - start, np.int64)
    lower, above = start, 0
    for at in range(start, stop):
        if rows[order[at], widest] > middle:
            upper[above] = order[at]
            above += 1
        else:
            order[lower] = order[at]
            lower += 1
    for at in range(above):
        order[lower + at] = upper[at]
    return lower


@kernel
def divide(rows: Singles, order: Integers, start: int, stop: int, largest: int, most: int
           ) -> Integers:  # fmt: skip
    """Cut ``order[start:stop]`` until no part is larger than `largest`; returns where parts end.

    There are at most `most` parts, and at most twice as many as are needed.
    """
    ends, pending = np.empty(stop - start + 1, np.int64), np.empty(stop - start + 1, np.int64)
    needed = (stop - start + largest - 1) // largest
    most = min(most, 2 * needed)
    pending[0], waiting, count = stop, 1, 0
    low = start
    while waiting > 0:
        high = pending[waiting - 1]
        size = high - low
        if size <= largest:
            ends[count] = high
            count += 1
            waiting -= 1
            low = high
            continue
        whole = (size + largest - 1) // largest
        middle = cut(rows, order, low, high)
        parts = (middle - low + largest - 1) // largest + (high - middle + largest - 1) // largest
        if middle == high or needed + parts - whole > most:
            # Nothing to cut by, or too unevenly.
            middle = low + largest * max(1, whole // 2)
            parts = whole
        needed += parts - whole
        pending[waiting] = middle
        waiting += 1
    return ends[:count]


@kernel
def new_node(tree: Tree, arm: int) -> int:
    tree.free[1] -= 1
    node = tree.free_nodes[tree.free[1]]
    tree.counts[node] = 0
    tree.hulls[node, 0], tree.hulls[node, 1] = np.inf, -np.inf
    tree.following[node] = tree.roots[arm]
    tree.roots[arm] = node
    return int(node)


@kernel
def put(tree: Tree, entries: Entries, leaf: int, points: Points, row: int) -> None:
    """Put one point at the end of a leaf that has room, and draw the boxes around it too."""
    node, size, slot = tree.node_of[leaf], tree.sizes[leaf], points.slots[row]
    lane = lane_of(tree, node, leaf)
    for i in range(points.rows.shape[1]):
        tree.pages[leaf, i, size] = points.rows[row, i]
    for i in range(tree.hulls.shape[2]):
        value = points.rows[row, i]
        tree.boxes[node, 0, i, lane] = min(tree.boxes[node, 0, i, lane], value)
        tree.boxes[node, 1, i, lane] = max(tree.boxes[node, 1, i, lane], value)
        tree.hulls[node, 0, i] = min(tree.hulls[node, 0, i], value)
        tree.hulls[node, 1, i] = max(tree.hulls[node, 1, i], value)
    other, i = tree.slots[leaf, 0], 0
    tree.slots[leaf, size] = slot
    tree.leaf_of[slot] = leaf
    tree.sizes[leaf] += 1
    if size > 0 and tree.same[leaf]:
        contexts = entries.contexts
        while i < contexts.shape[1] and contexts[slot, i] == contexts[other, i]:
            i += 1
        tree.same[leaf] = i == contexts.shape[1]


@kernel
def lane_of(tree: Tree, node: int, leaf: int) -> int:
    lane = 0
    while lane < LANES - 1 and tree.children[node, lane] != leaf:
        lane += 1
    return lane


@kernel
def new_leaf(tree: Tree, node: int) -> int:
    """One more leaf, empty, of a node that has room."""
    tree.free[0] -= 1
    leaf = tree.free_leaves[tree.free[0]]
    lane = tree.counts[node]
    tree.counts[node] += 1
    tree.children[node, lane] = leaf
    tree.boxes[node, 0, :, lane], tree.boxes[node, 1, :, lane] = np.inf, -np.inf
    tree.node_of[leaf], tree.sizes[leaf], tree.same[leaf] = node, 0, True
    return int(leaf)


@kernel
def drop_leaf(tree: Tree, leaf: int) -> None:
    """Take a leaf out of its node; the node's last takes its lane."""
    node = tree.node_of[leaf]
    lane = lane_of(tree, node, leaf)
    tree.counts[node] -= 1
    last = tree.counts[node]
    tree.children[node, lane] = tree.children[node, last]
    for i in range(tree.hulls.shape[2]):
        tree.boxes[node, 0, i, lane] = tree.boxes[node, 0, i, last]
        tree.boxes[node, 1, i, lane] = tree.boxes[node, 1, i, last]
    tree.free_leaves[tree.free[0]] = leaf
    tree.free[0] += 1


@kernel
def fill(
    tree: Tree, entries: Entries, node: int, points: Points, order: Integers, start: int,
    stop: int, largest: int,
) -> None:  # fmt: skip
    """Give a node that has room the points ``order[start:stop]``, in new leaves."""
    arrivals, slots, low = entries.arrivals, points.slots, start
    for high in divide(points.rows, order, start, stop, largest, LANES - tree.counts[node]):
        leaf = new_leaf(tree, node)
        for at in range(low + 1, high):
            moving, place = order[at], at
            while place > low and arrivals[slots[order[place - 1]]] > arrivals[slots[moving]]:
                order[place] = order[place - 1]
                place -= 1
            order[place] = moving
        for at in range(low, high):
            put(tree, entries, leaf, points, order[at])
        low = high


@kernel
def split(tree: Tree, entries: Entries, arm: int, node: int, lane: int) -> None:
    """Cut a full leaf in two, or all leaves of a full node into those of two nodes.

    Leaves that were cut one by one, as points came, overlap more than leaves made together.
    """
    whole = tree.counts[node] == LANES
    size = 0
    for j in range(tree.counts[node]):
        size += tree.sizes[tree.children[node, j]] if whole or j == lane else 0
    points = Points(np.empty((size, tree.pages.shape[1]), np.float32), np.empty(size, np.int64))
    size = 0
    for j in range(tree.counts[node] - 1, -1, -1):
        if not whole and j != lane:
            continue
        leaf = tree.children[node, j]
        for at in range(tree.sizes[leaf]):
            for i in range(tree.pages.shape[1]):
                points.rows[size + at, i] = tree.pages[leaf, i, at]
            points.slots[size + at] = tree.slots[leaf, at]
        size += tree.sizes[leaf]
        drop_leaf(tree, leaf)
    order = np.arange(size)
    if not whole:
        fill(tree, entries, node, points, order, 0, size, LANES - 1)
        return
    tree.hulls[node, 0], tree.hulls[node, 1] = np.inf, -np.inf
    middle = cut(points.rows, order, 0, size)
    if not size // 4 <= middle <= 3 * size // 4:
        middle = size // 2
    fill(tree, entries, node, points, order, 0, middle, LANES)
    fill(tree, entries, new_node(tree, arm), points, order, middle, size, LANES)


@kernel
def gap_to_hull(tree: Tree, node: int, rows: Singles, row: int) -> np.float32:
    """The squared distance of a point to the box around a node."""
    total = np.float32(0.0)
    for i in range(tree.hulls.shape[2]):
        at = rows[row, i]
        below, above = tree.hulls[node, 0, i] - at, at - tree.hulls[node, 1, i]
        gap = max(max(below, above), np.float32(0.0))
        total += gap * gap
    return total


@kernel
def gaps_to_leaves(tree: Tree, node: int, rows: Singles, row: int, sums: Singles) -> None:
    """Squared distances of a point to the boxes in every lane of a node."""
    for j in range(LANES):
        sums[j] = 0.0
    for i in range(tree.hulls.shape[2]):
        at = rows[row, i]
        for j in range(LANES):
            below, above = tree.boxes[node, 0, i, j] - at, at - tree.boxes[node, 1, i, j]
            gap = below if below > above else above
            gap = gap if gap > 0.0 else np.float32(0.0)
            sums[j] += gap * gap


@kernel
def add(tree: Tree, entries: Entries, arm: int, points: Points) -> None:
    """Take in the youngest point, the only one of `points`, and cut the full pages it meets."""
    sums = np.empty(LANES, np.float32)
    if tree.roots[arm] < 0:
        new_leaf(tree, new_node(tree, arm))
    while True:
        node = best = tree.roots[arm]
        nearest = gap_to_hull(tree, node, points.rows, 0)
        while tree.following[node] >= 0:
            node = tree.following[node]
            gap = gap_to_hull(tree, node, points.rows, 0)
            if gap < nearest:
                best, nearest = node, gap
        gaps_to_leaves(tree, best, points.rows, 0, sums)
        lane = 0
        for j in range(1, tree.counts[best]):
            if sums[j] < sums[lane]:
                lane = j
        whole = tree.counts[best] == LANES
        if tree.sizes[tree.children[best, lane]] == LANES:
            split(tree, entries, arm, best, lane)
            if whole:
                continue
            # The two halves stand last.
            gaps_to_leaves(tree, best, points.rows, 0, sums)
            lane = tree.counts[best] - 1
            lane -= sums[lane - 1] < sums[lane]
        put(tree, entries, tree.children[best, lane], points, 0)
        return


@kernel
def discard(tree: Tree, arm: int, slot: int) -> None:
    """Take a point out, and with the last one of a page the page."""
    leaf = tree.leaf_of[slot]
    node = tree.node_of[leaf]
    tree.sizes[leaf] -= 1
    size, lane = tree.sizes[leaf], 0
    while lane < size and tree.slots[leaf, lane] != slot:
        lane += 1
    for j in range(lane, size):
        tree.slots[leaf, j] = tree.slots[leaf, j + 1]
        for i in range(tree.pages.shape[1]):
            tree.pages[leaf, i, j] = tree.pages[leaf, i, j + 1]
    if size == 0:
        drop_leaf(tree, leaf)
    if tree.counts[node] == 0:
        drop_node(tree, arm, node)
        return
    lane = lane_of(tree, node, leaf)
    for i in range(tree.hulls.shape[2]):
        if size > 0:
            tree.boxes[node, 0, i, lane] = tree.pages[leaf, i, :size].min()
            tree.boxes[node, 1, i, lane] = tree.pages[leaf, i, :size].max()
        tree.hulls[node, 0, i] = tree.boxes[node, 0, i, : tree.counts[node]].min()
        tree.hulls[node, 1, i] = tree.boxes[node, 1, i, : tree.counts[node]].max()


@kernel
def drop_node(tree: Tree, arm: int, node: int) -> None:
    """Take a node out of its arm's chain."""
    if tree.roots[arm] == node:
        tree.roots[arm] = tree.following[node]
    else:
        before = tree.roots[arm]
        while tree.following[before] != node:
            before = tree.following[before]
        tree.following[before] = tree.following[node]
    tree.free_nodes[tree.free[1]] = node
    tree.free[1] += 1


@kernel
def build(tree: Tree, entries: Entries, arm: int, points: Points) -> None:
    """The tree of an arm that has none, from all its points."""
    size = points.slots.shape[0]
    order, low = np.arange(size), 0
    for high in divide(points.rows, order, 0, size, GROUP, size):
        fill(tree, entries, new_node(tree, arm), points, order, low, high, LANES)
        low = high
