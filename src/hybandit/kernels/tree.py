"""Each arm's points in a tree of boxes that grows and shrinks one point at a time.

A leaf is a page of up to LANES points, a node a page of up to LANES boxes around its
children, which are leaves at level 1 and nodes above. Pages are stored coordinate by
coordinate, so that a query meets all lanes at once. Points are shadows in single precision
(`estimators.screen`), most telling coordinates first; boxes bound the first EDGES of them.
A full page is cut at the median of the coordinate that varies most. The points of a leaf
stand in order of arrival.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from hybandit.kernels.compiling import kernel

Flags = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float64]
Singles = npt.NDArray[np.float32]
Integers = npt.NDArray[np.int64]

LANES = 64
# Shadows have a multiple of this many coordinates, so have boxes.
STEP = 8
EDGES = 16
# How many rows tell where to cut many.
SAMPLE = 1024
# How many pages that follow each other make a node when a tree is built at once.
PACK = 48


class Tree(NamedTuple):
    """The arrays of all arms' trees; -1 is no root, no parent.

    `same` marks leaves whose contexts are all equal. `leaf_of` is by slot of the memory.
    Unused leaves and nodes are on stacks, whose heights are in `free`.
    """

    roots: Integers
    lows: Singles
    highs: Singles
    children: Integers
    counts: Integers
    levels: Integers
    parents: Integers
    pages: Singles
    slots: Integers
    sizes: Integers
    owners: Integers
    same: Flags
    leaf_of: Integers
    free_leaves: Integers
    free_nodes: Integers
    free: Integers


@kernel
def cut(rows: Singles, start: int, stop: int, order: Integers, spare: Integers) -> int:
    """Sort ``order[start:stop]`` into a lower and an upper half; returns where the upper starts.

    The rows are cut at the median of the coordinate, among the first EDGES, that varies
    most in a sample. Each half keeps its order. Rows that do not vary are all lower.
    """
    stride = max(1, (stop - start) // SAMPLE)
    most, widest = np.float32(0.0), 0
    for i in range(min(EDGES, rows.shape[1])):
        total, squares, count = np.float32(0.0), np.float32(0.0), 0
        first = rows[order[start], i]
        for at in range(start, stop, stride):
            value = rows[order[at], i] - first
            total += value
            squares += value * value
            count += 1
        spread = squares - total * total / count
        if spread > most:
            most, widest = spread, i
    values = np.empty((stop - start + stride - 1) // stride, np.float32)
    for at in range(values.shape[0]):
        values[at] = rows[order[start + at * stride], widest]
    values.sort()
    middle = values[(values.shape[0] - 1) // 2]
    if middle == values[-1]:
        # Nothing in the sample lies above: the largest values are the upper half.
        at = values.shape[0] - 1
        while at > 0 and values[at] == middle:
            at -= 1
        middle = values[at]
    lower, upper = start, 0
    for at in range(start, stop):
        if rows[order[at], widest] > middle:
            spare[upper] = order[at]
            upper += 1
        else:
            order[lower] = order[at]
            lower += 1
    for at in range(upper):
        order[lower + at] = spare[at]
    return lower


@kernel
def alike(contexts: Floats, slot: int, other: int) -> bool:
    """Whether two contexts are equal in every number."""
    i = 0
    while i < contexts.shape[1] and contexts[slot, i] == contexts[other, i]:
        i += 1
    return bool(i == contexts.shape[1])


@kernel
def pages_for(size: int) -> int:
    return (size + LANES - 1) // LANES


@kernel
def new_leaf(tree: Tree) -> int:
    tree.free[0] -= 1
    leaf = int(tree.free_leaves[tree.free[0]])
    tree.sizes[leaf] = 0
    tree.same[leaf] = True
    return leaf


@kernel
def new_node(tree: Tree, level: int) -> int:
    tree.free[1] -= 1
    node = int(tree.free_nodes[tree.free[1]])
    tree.counts[node] = 0
    tree.levels[node] = level
    tree.parents[node] = -1
    return node


@kernel
def append(tree: Tree, leaf: int, contexts: Floats, rows: Singles, row: int, slot: int) -> None:
    """Put one point at the end of a leaf, whatever the boxes say."""
    lane = tree.sizes[leaf]
    for i in range(rows.shape[1]):
        tree.pages[leaf, i, lane] = rows[row, i]
    tree.slots[leaf, lane] = slot
    tree.leaf_of[slot] = leaf
    tree.sizes[leaf] += 1
    if lane > 0 and tree.same[leaf]:
        tree.same[leaf] = alike(contexts, slot, tree.slots[leaf, 0])


@kernel
def fit_to_leaf(tree: Tree, node: int, lane: int) -> bool:
    """Draw the box around a leaf anew; whether it changed."""
    leaf = tree.children[node, lane]
    changed = False
    for i in range(tree.lows.shape[1]):
        low, high = tree.pages[leaf, i, 0], tree.pages[leaf, i, 0]
        for j in range(tree.sizes[leaf]):
            low = min(low, tree.pages[leaf, i, j])
            high = max(high, tree.pages[leaf, i, j])
        changed = changed or tree.lows[node, i, lane] != low or tree.highs[node, i, lane] != high
        tree.lows[node, i, lane] = low
        tree.highs[node, i, lane] = high
    return changed


@kernel
def fit_to_node(tree: Tree, node: int, lane: int) -> bool:
    """Draw the box around a node anew; whether it changed."""
    child = tree.children[node, lane]
    changed = False
    for i in range(tree.lows.shape[1]):
        low, high = tree.lows[child, i, 0], tree.highs[child, i, 0]
        for j in range(tree.counts[child]):
            low = min(low, tree.lows[child, i, j])
            high = max(high, tree.highs[child, i, j])
        changed = changed or tree.lows[node, i, lane] != low or tree.highs[node, i, lane] != high
        tree.lows[node, i, lane] = low
        tree.highs[node, i, lane] = high
    return changed


@kernel
def adopt(tree: Tree, node: int, child: int) -> None:
    """Give a node that has room one more child."""
    lane = tree.counts[node]
    tree.counts[node] += 1
    tree.children[node, lane] = child
    if tree.levels[node] == 1:
        tree.owners[child] = node
        fit_to_leaf(tree, node, lane)
    else:
        tree.parents[child] = node
        fit_to_node(tree, node, lane)


@kernel
def split_leaf(tree: Tree, contexts: Floats, node: int, lane: int) -> None:
    """Cut a full leaf in two, for which its node has room."""
    leaf = tree.children[node, lane]
    width = tree.pages.shape[1]
    rows = np.empty((LANES, width), np.float32)
    slots = np.empty(LANES, np.int64)
    for j in range(LANES):
        slots[j] = tree.slots[leaf, j]
        for i in range(width):
            rows[j, i] = tree.pages[leaf, i, j]
    order, spare = np.arange(LANES), np.empty(LANES, np.int64)
    middle = cut(rows, 0, LANES, order, spare)
    if middle == LANES:
        # Nothing to cut by: the youngest begins a new leaf, where others like it may join.
        middle = LANES - 1
    other = new_leaf(tree)
    tree.sizes[leaf] = 0
    tree.same[leaf] = True
    for at in range(LANES):
        to = leaf if at < middle else other
        append(tree, to, contexts, rows, order[at], slots[order[at]])
    fit_to_leaf(tree, node, lane)
    adopt(tree, node, other)


@kernel
def split_node(tree: Tree, node: int, lane: int) -> None:
    """Cut a full child of a node in two, for which the node has room."""
    child = tree.children[node, lane]
    edges = tree.lows.shape[1]
    rows = np.empty((LANES, edges), np.float32)
    for j in range(LANES):
        for i in range(edges):
            rows[j, i] = (tree.lows[child, i, j] + tree.highs[child, i, j]) * np.float32(0.5)
    order, spare = np.arange(LANES), np.empty(LANES, np.int64)
    middle = cut(rows, 0, LANES, order, spare)
    if middle == LANES:
        middle = LANES // 2
    grandchildren = tree.children[child].copy()
    other = new_node(tree, tree.levels[child])
    tree.counts[child] = 0
    for at in range(LANES):
        adopt(tree, child if at < middle else other, grandchildren[order[at]])
    fit_to_node(tree, node, lane)
    adopt(tree, node, other)


@kernel
def make_leaves(
    tree: Tree, contexts: Floats, arrivals: Integers, rows: Singles, slots: Integers,
    order: Integers, start: int, stop: int, most: int, made: Integers,
) -> int:  # fmt: skip
    """Cut ``order[start:stop]`` until the parts fit leaves; fills `made`, returns how many.

    At most `most` leaves, for which there must be enough room.
    """
    spare = np.empty(stop - start, np.int64)
    starts, stops = np.empty(stop - start, np.int64), np.empty(stop - start, np.int64)
    starts[0], stops[0] = start, stop
    pending = 1
    needed = pages_for(stop - start)
    count = 0
    while pending > 0:
        pending -= 1
        low, high = starts[pending], stops[pending]
        if high - low > LANES:
            middle = cut(rows, low, high, order, spare)
            more = pages_for(middle - low) + pages_for(high - middle) - pages_for(high - low)
            if middle == high or needed + more > most:
                # Nothing to cut by, or too unevenly.
                middle = low + LANES * (pages_for(high - low) // 2)
                more = 0
            needed += more
            starts[pending], stops[pending] = middle, high
            starts[pending + 1], stops[pending + 1] = low, middle
            pending += 2
            continue
        for at in range(low + 1, high):
            moving = order[at]
            place = at
            while place > low and arrivals[slots[order[place - 1]]] > arrivals[slots[moving]]:
                order[place] = order[place - 1]
                place -= 1
            order[place] = moving
        made[count] = new_leaf(tree)
        for at in range(low, high):
            append(tree, made[count], contexts, rows, order[at], slots[order[at]])
        count += 1
    return count


@kernel
def recut(tree: Tree, contexts: Floats, arrivals: Integers, node: int, lane: int) -> None:
    """Cut a full child of level 1 in two, and the points below it into new leaves.

    Leaves that were cut one by one, as points came, overlap more than these.
    """
    child = tree.children[node, lane]
    width = tree.pages.shape[1]
    size = 0
    for j in range(LANES):
        size += tree.sizes[tree.children[child, j]]
    rows, slots = np.empty((size, width), np.float32), np.empty(size, np.int64)
    size = 0
    for j in range(LANES):
        leaf = tree.children[child, j]
        count = tree.sizes[leaf]
        for i in range(width):
            for at in range(count):
                rows[size + at, i] = tree.pages[leaf, i, at]
        for at in range(count):
            slots[size + at] = tree.slots[leaf, at]
        size += count
        tree.free_leaves[tree.free[0]] = leaf
        tree.free[0] += 1
    order, made = np.arange(size), np.empty(LANES, np.int64)
    middle = cut(rows, 0, size, order, np.empty(size, np.int64))
    if middle == size:
        middle = size // 2
    other = new_node(tree, 1)
    tree.counts[child] = 0
    count = make_leaves(tree, contexts, arrivals, rows, slots, order, 0, middle, LANES, made)
    for at in range(count):
        adopt(tree, child, made[at])
    count = make_leaves(tree, contexts, arrivals, rows, slots, order, middle, size, LANES, made)
    for at in range(count):
        adopt(tree, other, made[at])
    fit_to_node(tree, node, lane)
    adopt(tree, node, other)


@kernel
def gaps(
    lows: Singles, highs: Singles, node: int, queries: Singles, row: int, sums: Singles
) -> None:
    """Squared distances of a query to every lane's box."""
    for j in range(LANES):
        sums[j] = 0.0
    for i in range(lows.shape[1]):
        at = queries[row, i]
        for j in range(LANES):
            below, above = lows[node, i, j] - at, at - highs[node, i, j]
            gap = below if below > above else above
            gap = gap if gap > 0.0 else np.float32(0.0)
            sums[j] += gap * gap


@kernel
def nearest_lane(tree: Tree, node: int, rows: Singles, row: int, sums: Singles) -> int:
    """The child whose box is nearest to a point, the last of equals."""
    gaps(tree.lows, tree.highs, node, rows, row, sums)
    best = 0
    for j in range(1, tree.counts[node]):
        if sums[j] <= sums[best]:
            best = j
    return best


@kernel
def split_child(tree: Tree, contexts: Floats, arrivals: Integers, node: int, lane: int) -> None:
    """Cut a full page below a node in two, for which the node has room."""
    if tree.levels[node] == 1:
        split_leaf(tree, contexts, node, lane)
    elif tree.levels[node] == 2:
        recut(tree, contexts, arrivals, node, lane)
    else:
        split_node(tree, node, lane)


@kernel
def place_for(
    tree: Tree, contexts: Floats, arrivals: Integers, arm: int, rows: Singles, row: int
) -> int:
    """The leaf that a point shall enter; full pages on the way are cut."""
    sums = np.empty(LANES, np.float32)
    node = tree.roots[arm]
    if node >= 0 and tree.counts[node] == LANES:
        root = new_node(tree, tree.levels[node] + 1)
        adopt(tree, root, node)
        split_child(tree, contexts, arrivals, root, 0)
        tree.roots[arm] = root
    elif node < 0:
        tree.roots[arm] = new_node(tree, 1)
    node = tree.roots[arm]
    if tree.counts[node] == 0:
        tree.counts[node] = 1
        tree.children[node, 0] = new_leaf(tree)
        tree.owners[tree.children[node, 0]] = node
    while True:
        lane = nearest_lane(tree, node, rows, row, sums)
        child = tree.children[node, lane]
        lowest = tree.levels[node] == 1
        full = tree.sizes[child] == LANES if lowest else tree.counts[child] == LANES
        if full:
            split_child(tree, contexts, arrivals, node, lane)
            gaps(tree.lows, tree.highs, node, rows, row, sums)
            last = tree.counts[node] - 1
            child = tree.children[node, last if sums[last] <= sums[lane] else lane]
        if lowest:
            return int(child)
        node = child


@kernel
def lane_of(tree: Tree, node: int, child: int) -> int:
    lane = 0
    while tree.children[node, lane] != child:
        lane += 1
    return lane


@kernel
def refit(tree: Tree, leaf: int) -> None:
    """Draw the boxes around a changed leaf anew, as far up as they change."""
    node = tree.owners[leaf]
    changed = fit_to_leaf(tree, node, lane_of(tree, node, leaf))
    while changed and tree.parents[node] >= 0:
        above = tree.parents[node]
        changed = fit_to_node(tree, above, lane_of(tree, above, node))
        node = above


@kernel
def add(
    tree: Tree, contexts: Floats, arrivals: Integers, arm: int, rows: Singles, row: int, slot: int
) -> None:
    """Take in the youngest point."""
    leaf = place_for(tree, contexts, arrivals, arm, rows, row)
    append(tree, leaf, contexts, rows, row, slot)
    refit(tree, leaf)


@kernel
def drop_child(tree: Tree, node: int, child: int) -> None:
    """Take a child out of its node; the last takes its lane."""
    lane = lane_of(tree, node, child)
    tree.counts[node] -= 1
    last = tree.counts[node]
    tree.children[node, lane] = tree.children[node, last]
    for i in range(tree.lows.shape[1]):
        tree.lows[node, i, lane] = tree.lows[node, i, last]
        tree.highs[node, i, lane] = tree.highs[node, i, last]


@kernel
def discard(tree: Tree, arm: int, slot: int) -> None:
    """Take a point out, and with the last one of a page the page."""
    leaf = tree.leaf_of[slot]
    lane = 0
    while tree.slots[leaf, lane] != slot:
        lane += 1
    tree.sizes[leaf] -= 1
    for j in range(lane, tree.sizes[leaf]):
        tree.slots[leaf, j] = tree.slots[leaf, j + 1]
    for i in range(tree.pages.shape[1]):
        for j in range(lane, tree.sizes[leaf]):
            tree.pages[leaf, i, j] = tree.pages[leaf, i, j + 1]
    if tree.sizes[leaf] > 0:
        refit(tree, leaf)
        return
    tree.free_leaves[tree.free[0]] = leaf
    tree.free[0] += 1
    node = tree.owners[leaf]
    drop_child(tree, node, leaf)
    while tree.counts[node] == 0:
        above = tree.parents[node]
        tree.free_nodes[tree.free[1]] = node
        tree.free[1] += 1
        if above < 0:
            tree.roots[arm] = -1
            return
        drop_child(tree, above, node)
        node = above
    while tree.parents[node] >= 0:
        above = tree.parents[node]
        fit_to_node(tree, above, lane_of(tree, above, node))
        node = above


@kernel
def build(
    tree: Tree, contexts: Floats, arrivals: Integers, arm: int, rows: Singles, slots: Integers
) -> None:
    """The tree of an arm that has none, from all its points.

    PACK pages that follow each other, leaves or nodes, make a node. There are at most twice
    as many leaves as the points would fill.
    """
    size = rows.shape[0]
    made = np.empty(size, np.int64)
    order, most = np.arange(size), 2 * pages_for(size)
    count = make_leaves(tree, contexts, arrivals, rows, slots, order, 0, size, most, made)
    level = 0
    while level == 0 or count > 1:
        level += 1
        nodes = 0
        for at in range(count):
            child = made[at]
            if at % PACK == 0:
                made[nodes] = new_node(tree, level)
                nodes += 1
            adopt(tree, made[nodes - 1], child)
        count = nodes
    tree.roots[arm] = made[0]
