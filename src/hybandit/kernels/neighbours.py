"""The nearest stored contexts, exactly, with the older entry first among equals."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from hybandit.kernels.compiling import kernel
from hybandit.kernels.vectors import squared_distance

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]


@kernel
def all_distances(points: Floats, query: Floats, out: Floats) -> None:
    """Squared distances of the first ``len(out)`` points to a query (1, d)."""
    for index in range(out.shape[0]):
        out[index] = squared_distance(points, index, query, 0)


@kernel
def belongs(
    distance: float,
    index: int,
    worst: Floats,
    arrivals: Integers,
    indices: Integers,
    arm: int,
    room: int,
) -> bool:
    """Whether an entry comes before the last of the arm's list, or the list has room."""
    if distance > worst[arm]:
        return False
    return bool(distance < worst[arm] or arrivals[index] < arrivals[indices[arm, room - 1]])


@kernel
def insert(
    distances: Floats,
    indices: Integers,
    found: Integers,
    worst: Floats,
    arrivals: Integers,
    arm: int,
    room: int,
    distance: float,
    index: int,
) -> None:
    """Put one entry that `belongs` there into the arm's ascending list of `room`.

    Equal distances go by arrival, the older first, in whatever order they come here.
    `worst` follows: the distance that the next entry must not exceed.
    """
    place = room - 1
    if found[arm] < room:
        place = found[arm]
        found[arm] += 1
    while place > 0 and distances[arm, place - 1] > distance:
        distances[arm, place] = distances[arm, place - 1]
        indices[arm, place] = indices[arm, place - 1]
        place -= 1
    # One condition in all: written as two, it is twice as slow.
    while (
        place > 0
        and distances[arm, place - 1] == distance
        and arrivals[indices[arm, place - 1]] > arrivals[index]
    ):
        distances[arm, place] = distance
        indices[arm, place] = indices[arm, place - 1]
        place -= 1
    distances[arm, place] = distance
    indices[arm, place] = index
    if found[arm] == room:
        worst[arm] = distances[arm, room - 1]


@kernel
def start_lists(rooms: Integers, found: Integers, worst: Floats) -> None:
    """Empty every arm's list; an arm without room takes nothing, others anything."""
    for arm in range(rooms.shape[0]):
        found[arm] = 0
        worst[arm] = np.inf if rooms[arm] > 0 else -1.0


@kernel
def nearest_of_each_arm(
    points: Floats,
    owners: Integers,
    arrivals: Integers,
    size: int,
    queries: Floats,
    rooms: Integers,
    distances: Floats,
    indices: Integers,
    found: Integers,
) -> None:
    """For every arm, the `rooms[a]` points nearest to its query among its own points.

    A point owned by arm -1 is not there. `queries` has one row for all arms or one each.
    Fills squared `distances` and `indices` (arm by rank) and how many were `found`.
    """
    shared = queries.shape[0] == 1
    worst = np.empty(rooms.shape[0])
    start_lists(rooms, found, worst)
    for i in range(size):
        arm = owners[i]
        if arm < 0 or rooms[arm] == 0:
            continue
        distance = squared_distance(points, i, queries, 0 if shared else arm)
        if belongs(distance, i, worst, arrivals, indices, arm, rooms[arm]):
            insert(distances, indices, found, worst, arrivals, arm, rooms[arm], distance, i)


@kernel
def loosened(distance: float, slack: float) -> float:
    """A squared distance with room for the rounding of shadows."""
    reach = math.sqrt(distance) * (1.0 + 1e-5) + slack
    return reach * reach


@kernel
def merge(
    distances: Floats,
    indices: Integers,
    found: Integers,
    arrivals: Integers,
    all_distances: Floats,
    all_indices: Integers,
    all_found: Integers,
) -> None:
    """From the arms' own lists one of the nearest over all arms, as long as there is room."""
    heads = np.zeros(found.shape[0], np.int64)
    count = 0
    while count < all_indices.shape[1]:
        best = -1
        for arm in range(found.shape[0]):
            if heads[arm] >= found[arm]:
                continue
            if best < 0:
                best = arm
                continue
            here = distances[arm, heads[arm]]
            there = distances[best, heads[best]]
            older = arrivals[indices[arm, heads[arm]]] < arrivals[indices[best, heads[best]]]
            if here < there or (here == there and older):
                best = arm
        if best < 0:
            break
        all_distances[0, count] = distances[best, heads[best]]
        all_indices[0, count] = indices[best, heads[best]]
        heads[best] += 1
        count += 1
    all_found[0] = count


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


@kernel
def adaptive_means_of_many(
    points: Floats,
    owners: Integers,
    arrivals: Integers,
    size: int,
    queries: Floats,
    rooms: Integers,
    asked: Integers,
    rewards: Floats,
    by_distance: bool,
    out: Floats,
) -> None:
    """`adaptive_mean` for each of many queries that all arms share; `out` is query by arm."""
    n_arms = rooms.shape[0]
    distances = np.empty((n_arms, max(1, rooms.max())))
    indices = np.empty(distances.shape, np.int64)
    found = np.empty(n_arms, np.int64)
    for query in range(queries.shape[0]):
        nearest_of_each_arm(
            points, owners, arrivals, size, queries[query : query + 1], rooms,
            distances, indices, found,
        )  # fmt: skip
        adaptive_mean(distances, indices, found, asked, rewards, by_distance, out[query])
