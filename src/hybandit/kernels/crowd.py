"""k-NN UCB: how sure the k nearest past contexts make each arm, for every k."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from hybandit.kernels.compiling import kernel

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]


@kernel
def surest(
    distances: Floats,
    owners: Integers,
    rewards: Floats,
    arm: int,
    budget: float,
    steepness: float,
) -> tuple[float, float, float, float]:
    """Of one arm, the k that minimises ``sqrt(budget / N_k) + steepness * rho_k``.

    Entries come nearest first; the smallest k wins ties. Returns that uncertainty, and at
    that k the arm's count and mean reward and the distance rho_k. With no entry of the
    arm the uncertainty is infinite.
    """
    least = math.inf
    best_count = 0.0
    best_mean = 0.0
    best_distance = 0.0
    count = 0.0
    total = 0.0
    for k in range(distances.shape[0]):
        if owners[k] == arm:
            count += 1.0
            total += rewards[k]
        if count == 0.0:
            continue
        uncertainty = math.sqrt(budget / count) + steepness * distances[k]
        if uncertainty < least:
            least = uncertainty
            best_count = count
            best_mean = total / count
            best_distance = distances[k]
    return least, best_count, best_mean, best_distance
