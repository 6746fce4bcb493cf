"""k-NN UCB: the k at which the nearest past contexts leave an arm least uncertain."""

from __future__ import annotations

import math

import numpy as np

from hybandit.kernels.compiling import kernel
from hybandit.kernels.neighbours import Entries, Neighbours
from hybandit.state import Floats


@kernel
def surest(
    near: Neighbours, entries: Entries, budget: float, steepness: float, out: Floats
) -> None:
    """For every arm, find the k that minimises ``sqrt(budget / N_k) + steepness * rho_k``.

    The nearest entries come with squared distances, nearest first, in one row for all arms
    or one for each. The smallest k wins ties, so k ends at an entry of the arm. The rows of
    `out` get, arm by arm, that uncertainty, and at that k the count, the mean reward and
    the distance rho_k. With no entry of the arm the uncertainty is infinite.
    """
    counts = np.zeros(out.shape[1])
    totals = np.zeros(out.shape[1])
    out[0] = math.inf
    out[1:] = 0.0
    lists = near.found.shape[0]
    for row in range(lists):
        for rank in range(near.found[row]):
            slot = near.indices[row, rank]
            arm = entries.owners[slot]
            if arm != row and lists > 1:
                continue
            distance = math.sqrt(near.distances[row, rank])
            counts[arm] += 1.0
            totals[arm] += entries.rewards[slot]
            uncertainty = math.sqrt(budget / counts[arm]) + steepness * distance
            if uncertainty < out[0, arm]:
                out[0, arm] = uncertainty
                out[1, arm] = counts[arm]
                out[2, arm] = totals[arm] / counts[arm]
                out[3, arm] = distance
