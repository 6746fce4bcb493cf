"""Kernel regression on past contexts, all arms together."""

from __future__ import annotations

import math

from hybandit.kernels.compiling import kernel
from hybandit.kernels.vectors import squared_distance, squared_length
from hybandit.state import Floats, Integers


@kernel
def similarities(
    points: Floats, owners: Integers, lengths: Floats, size: int, contexts: Floats, out: Floats
) -> None:
    """``out[a, i] = exp(-distance)`` of arm a's context to point i, each in its arm's block.

    Blocks of two arms are orthogonal: their distance is ``sqrt(|x|^2 + |x'|^2)``.
    """
    n_arms = out.shape[0]
    shared = contexts.shape[0] == 1
    if shared:
        length = squared_length(contexts, 0)
        for i in range(size):
            apart = math.exp(-math.sqrt(length + lengths[i]))
            for arm in range(n_arms):
                out[arm, i] = apart
            out[owners[i], i] = math.exp(-math.sqrt(squared_distance(points, i, contexts, 0)))
        return
    for arm in range(n_arms):
        length = squared_length(contexts, arm)
        for i in range(size):
            square = length + lengths[i]
            if owners[i] == arm:
                square = squared_distance(points, i, contexts, arm)
            out[arm, i] = math.exp(-math.sqrt(square))


@kernel
def solve(factor: Floats, size: int, rows: Floats) -> None:
    """Replace every row k of `rows` by ``L^-1 k``, L the lower triangle of `factor`."""
    for i in range(size):
        for row in range(rows.shape[0]):
            total = rows[row, i]
            for j in range(i):
                total -= factor[i, j] * rows[row, j]
            rows[row, i] = total / factor[i, i]


@kernel
def posterior(
    solved: Floats, whitened: Floats, size: int, means: Floats, variances: Floats
) -> None:
    """Mean ``k'(K + lam I)^-1 r`` and variance ``1 - k'(K + lam I)^-1 k`` of every row.

    `solved` holds ``L^-1 k`` and `whitened` ``L^-1 r``: both are plain products.
    """
    for row in range(solved.shape[0]):
        mean = 0.0
        known = 0.0
        for i in range(size):
            mean += solved[row, i] * whitened[i]
            known += solved[row, i] * solved[row, i]
        means[row] = mean
        variances[row] = max(1.0 - known, 0.0)
