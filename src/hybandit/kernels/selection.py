"""Checks of contexts, and the choice of the largest score."""

from __future__ import annotations

import numpy as np

from hybandit.kernels.compiling import kernel
from hybandit.state import Flags, Floats


@kernel
def all_within(values: Floats, limit: float) -> bool:
    """Whether every entry of a 2-D array is a number of at most `limit` in size."""
    outside = 0
    for row in range(values.shape[0]):
        for i in range(values.shape[1]):
            outside += not abs(values[row, i]) <= limit
    return outside == 0


@kernel
def largest(scores: Floats, allowed: Flags) -> tuple[int, int]:
    """The first allowed arm with the largest score, and how many share that score.

    None share it if the number of scores is wrong, or if an allowed arm, which is then the one
    returned, has NaN.
    """
    best = -1
    ties = 0
    if scores.shape[0] != allowed.shape[0]:
        return best, ties
    for arm in range(scores.shape[0]):
        if not allowed[arm]:
            continue
        score = scores[arm]
        if best >= 0 and score < scores[best]:
            continue
        if best >= 0 and score == scores[best]:
            ties += 1
        elif not np.isnan(score):
            best = arm
            ties = 1
        else:
            return arm, 0
    return best, ties
