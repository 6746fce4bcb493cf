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

from hybandit.kernels.compiling import kernel
from hybandit.kernels.neighbours import Entries
from hybandit.state import Flags, Integers, Singles

LANES = 64
# Projections have a multiple of this many coordinates, so have boxes.
STEP = 8
EDGES = 16
# How many rows tell where to cut many.
SAMPLE = 1024


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
    return np.float32(values[at])


@kernel
def cut(rows: Singles, order: Integers) -> int:
    """Sort `order` into a lower and an upper half; returns where the upper starts.

    The rows are cut at the median of the coordinate, among the first EDGES, that varies
    most in a sample. Each half keeps its order. Rows that do not vary are all lower.
    """
    size = order.shape[0]
    stride = max(1, size // SAMPLE)
    values = np.empty((size + stride - 1) // stride, np.float32)
    count = values.shape[0]
    most, widest = np.float32(0.0), 0
    for i in range(min(EDGES, rows.shape[1])):
        total, squares = np.float32(0.0), np.float32(0.0)
        for at in range(count):
            value = rows[order[at * stride], i] - rows[order[0], i]
            total += value
            squares += value * value
        spread = squares - total * total / np.float32(count)
        if spread > most:
            most, widest = spread, i
    for at in range(count):
        values[at] = rows[order[at * stride], widest]
    middle = median(values)
    upper = np.empty(size, np.int64)
    lower, above = 0, 0
    for at in range(size):
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
def new_node(tree: Tree, arm: int) -> int:
    """One more node, empty, at the start of the arm's chain."""
    tree.free[1] -= 1
    node = tree.free_nodes[tree.free[1]]
    tree.counts[node] = 0
    tree.following[node] = tree.roots[arm]
    tree.roots[arm] = node
    return int(node)


@kernel
def repeats(tree: Tree, entries: Entries, leaf: int, slot: int) -> bool:
    """Whether all contexts of a leaf equal the one in this slot."""
    contexts, other, i = entries.contexts, tree.slots[leaf, 0], 0
    equal = tree.same[leaf]
    while equal and i < contexts.shape[1]:
        equal = contexts[slot, i] == contexts[other, i]
        i += 1
    return bool(equal)


@kernel
def put(tree: Tree, entries: Entries, leaf: int, points: Points, row: int) -> None:
    """Put one point at the end of a leaf that has room, whatever the boxes say."""
    size, slot = tree.sizes[leaf], points.slots[row]
    for i in range(points.rows.shape[1]):
        tree.pages[leaf, i, size] = points.rows[row, i]
    tree.slots[leaf, size] = slot
    tree.leaf_of[slot] = leaf
    tree.sizes[leaf] += 1
    tree.same[leaf] = repeats(tree, entries, leaf, slot)


@kernel
def fit(tree: Tree, node: int, lane: int) -> None:
    """Draw the box around a leaf anew, and that around its node."""
    leaf = tree.children[node, lane]
    for i in range(tree.hulls.shape[2]):
        low, high = tree.pages[leaf, i, 0], tree.pages[leaf, i, 0]
        for j in range(1, tree.sizes[leaf]):
            low, high = min(low, tree.pages[leaf, i, j]), max(high, tree.pages[leaf, i, j])
        tree.boxes[node, 0, i, lane], tree.boxes[node, 1, i, lane] = low, high
        for j in range(tree.counts[node]):
            low, high = min(low, tree.boxes[node, 0, i, j]), max(high, tree.boxes[node, 1, i, j])
        tree.hulls[node, 0, i], tree.hulls[node, 1, i] = low, high


@kernel
def add_leaf(tree: Tree, entries: Entries, node: int, points: Points, order: Integers) -> None:
    """Give a node that has room one more leaf, of the points `order`, which it sorts by arrival."""
    tree.free[0] -= 1
    leaf = tree.free_leaves[tree.free[0]]
    tree.node_of[leaf], tree.sizes[leaf], tree.same[leaf] = node, 0, True
    tree.children[node, tree.counts[node]] = leaf
    tree.counts[node] += 1
    arrivals, slots = entries.arrivals, points.slots
    for at in range(order.shape[0]):
        moving, place = order[at], at
        while place > 0 and abs(arrivals[slots[order[place - 1]]]) > abs(arrivals[slots[moving]]):
            order[place] = order[place - 1]
            place -= 1
        order[place] = moving
    for at in range(order.shape[0]):
        put(tree, entries, leaf, points, order[at])
    fit(tree, node, tree.counts[node] - 1)


@kernel
def lane_of(tree: Tree, leaf: int) -> int:
    node, lane = tree.node_of[leaf], 0
    while lane < LANES - 1 and tree.children[node, lane] != leaf:
        lane += 1
    return lane


@kernel
def take_leaf(tree: Tree, leaf: int, points: Points, start: int) -> None:
    """Take a leaf out of its node, whose last takes its lane; its points go to `points`."""
    for at in range(tree.sizes[leaf]):
        for i in range(tree.pages.shape[1]):
            points.rows[start + at, i] = tree.pages[leaf, i, at]
        points.slots[start + at] = tree.slots[leaf, at]
    node, lane = tree.node_of[leaf], lane_of(tree, leaf)
    tree.counts[node] -= 1
    last = tree.counts[node]
    tree.children[node, lane] = tree.children[node, last]
    for i in range(tree.hulls.shape[2]):
        tree.boxes[node, 0, i, lane] = tree.boxes[node, 0, i, last]
        tree.boxes[node, 1, i, lane] = tree.boxes[node, 1, i, last]
    tree.free_leaves[tree.free[0]] = leaf
    tree.free[0] += 1


@kernel
def gap_to_hull(tree: Tree, node: int, rows: Singles, row: int) -> np.float32:
    """The squared distance of a point to the box around a node."""
    total = np.float32(0.0)
    for i in range(tree.hulls.shape[2]):
        at = rows[row, i]
        below, above = tree.hulls[node, 0, i] - at, at - tree.hulls[node, 1, i]
        gap = max(below, above, np.float32(0.0))
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
def add(tree: Tree, entries: Entries, arm: int, points: Points) -> int:
    """Take in the youngest point, the only one of `points`, of an arm that has some.

    Returns -1, or the leaf that it should enter if that is full: among equally near ones one whose
    contexts are all equal.
    """
    sums = np.empty(LANES, np.float32)
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
        is_alike = tree.same[tree.children[best, j]] or not tree.same[tree.children[best, lane]]
        if sums[j] < sums[lane] or (sums[j] == sums[lane] and is_alike):
            lane = j
    leaf = tree.children[best, lane]
    if tree.sizes[leaf] == LANES:
        return int(leaf)
    put(tree, entries, leaf, points, 0)
    fit(tree, best, lane)
    return -1


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
    if size > 0:
        fit(tree, node, lane_of(tree, leaf))
        return
    take_leaf(tree, leaf, Points(tree.pages[leaf], tree.slots[leaf]), 0)
    if tree.counts[node] > 0:
        fit(tree, node, 0)
        return
    before = tree.roots[arm]
    if before == node:
        tree.roots[arm] = tree.following[node]
    else:
        while tree.following[before] != node:
            before = tree.following[before]
        tree.following[before] = tree.following[node]
    tree.free_nodes[tree.free[1]] = node
    tree.free[1] += 1
