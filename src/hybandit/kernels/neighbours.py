"""The nearest stored contexts, exactly, with the older entry first among equals."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from hybandit.kernels.compiling import kernel

Floats = npt.NDArray[np.float64]
Singles = npt.NDArray[np.float32]
Integers = npt.NDArray[np.int64]


@kernel
def squared_distance(first: Floats, second: Floats) -> float:
    total = 0.0
    for i in range(first.shape[0]):
        step = first[i] - second[i]
        total += step * step
    return total


@kernel
def single_distance(first: Singles, second: Singles) -> np.float32:
    """The same in single precision, for bounds."""
    total = np.float32(0.0)
    for i in range(first.shape[0]):
        step = first[i] - second[i]
        total += step * step
    return total


@kernel
def insert(
    distances: Floats, indices: Integers, found: int, room: int, distance: float, index: int
) -> int:
    """Put one entry into an ascending list of at most `room`; returns its new length.

    An entry equal to one already there goes behind it.
    """
    if found == room:
        if room == 0 or distance >= distances[room - 1]:
            return found
        place = room - 1
    else:
        place = found
        found += 1
    while place > 0 and distances[place - 1] > distance:
        distances[place] = distances[place - 1]
        indices[place] = indices[place - 1]
        place -= 1
    distances[place] = distance
    indices[place] = index
    return found


@kernel
def nearest_of_each_arm(
    points: Floats,
    owners: Integers,
    size: int,
    queries: Floats,
    rooms: Integers,
    distances: Floats,
    indices: Integers,
    found: Integers,
) -> None:
    """For every arm, the `rooms[a]` points nearest to its query among its own points.

    `queries` has one row for all arms or one each. Fills squared `distances` and
    `indices` (arm by rank) and how many were `found`.
    """
    shared = queries.shape[0] == 1
    found[:] = 0
    for i in range(size):
        arm = owners[i]
        row = 0 if shared else arm
        distance = squared_distance(points[i], queries[row])
        found[arm] = insert(distances[arm], indices[arm], found[arm], rooms[arm], distance, i)


@kernel
def screened_nearest_of_each_arm(
    points: Floats,
    owners: Integers,
    size: int,
    queries: Floats,
    rooms: Integers,
    shadows: Singles,
    query_shadows: Singles,
    slack: float,
    distances: Floats,
    indices: Integers,
    found: Integers,
) -> None:
    """The same result, looking at few points in full.

    A shadow is a short vector whose distance to another shadow never exceeds, but for
    rounding (`slack`), the distance of the points. First the nearest shadows give each
    arm a distance that its true neighbours cannot exceed; then only points whose shadow
    lies within it are measured.
    """
    shared = queries.shape[0] == 1
    bounds = np.empty(size, np.float32)
    found[:] = 0
    for i in range(size):
        arm = owners[i]
        row = 0 if shared else arm
        bounds[i] = single_distance(shadows[i], query_shadows[row])
        found[arm] = insert(
            distances[arm], indices[arm], found[arm], rooms[arm], np.float64(bounds[i]), i
        )
    reach = np.full(found.shape[0], np.inf)
    for arm in range(found.shape[0]):
        if found[arm] < rooms[arm]:
            continue
        row = 0 if shared else arm
        farthest = 0.0
        for rank in range(found[arm]):
            distance = squared_distance(points[indices[arm, rank]], queries[row])
            farthest = max(farthest, distance)
        reach[arm] = (np.sqrt(farthest) * (1.0 + 1e-5) + slack) ** 2
    found[:] = 0
    for i in range(size):
        arm = owners[i]
        if bounds[i] <= reach[arm]:
            row = 0 if shared else arm
            distance = squared_distance(points[i], queries[row])
            found[arm] = insert(distances[arm], indices[arm], found[arm], rooms[arm], distance, i)


@kernel
def merge(
    distances: Floats,
    indices: Integers,
    found: Integers,
    room: int,
    out_distances: Floats,
    out_indices: Integers,
) -> int:
    """The `room` nearest over all arms from the arms' own lists; returns how many."""
    heads = np.zeros(found.shape[0], np.int64)
    count = 0
    while count < room:
        best = -1
        for arm in range(found.shape[0]):
            if heads[arm] >= found[arm]:
                continue
            if best < 0:
                best = arm
                continue
            here = distances[arm, heads[arm]]
            there = distances[best, heads[best]]
            older = indices[arm, heads[arm]] < indices[best, heads[best]]
            if here < there or (here == there and older):
                best = arm
        if best < 0:
            break
        out_distances[count] = distances[best, heads[best]]
        out_indices[count] = indices[best, heads[best]]
        heads[best] += 1
        count += 1
    return count


@kernel
def adaptive_mean(
    distances: Floats,
    indices: Integers,
    found: Integers,
    rooms: Integers,
    rewards: Floats,
    by_distance: bool,
    out: Floats,
) -> None:
    """Every arm's mean reward over its neighbours, 0 while it has fewer than `rooms[a]`."""
    for arm in range(found.shape[0]):
        out[arm] = 0.0
        if found[arm] < rooms[arm]:
            continue
        total = 0.0
        weights = 0.0
        for rank in range(found[arm]):
            weight = 1.0
            if by_distance:
                # Exact matches, if any, stand first and count alone.
                if distances[arm, 0] == 0.0:
                    weight = 1.0 if distances[arm, rank] == 0.0 else 0.0
                else:
                    weight = np.sqrt(distances[arm, 0] / distances[arm, rank])
            total += weight * rewards[indices[arm, rank]]
            weights += weight
        out[arm] = total / weights
