"""Events dealt into folds: what is fitted on some of them is used for the others."""

from __future__ import annotations

import numpy as np

from hybandit.state import Integers

FOLDS = 5
# A fit on so many events is as good as on all, and takes seconds.
MOST_ROWS = 20_000
# So many that this is left without a fold.
FITTED = FOLDS * MOST_ROWS // (FOLDS - 1)
# Odd, and without a pattern in its bits: neighbours get folds that look drawn.
SCATTER = np.uint64(0x9E3779B97F4A7C15)


def folds_of(numbers: Integers) -> Integers:
    """The fold of each event, by its number in the log.

    Examples
    --------
    >>> np.bincount(folds_of(np.arange(1000))).tolist()
    [204, 198, 195, 202, 201]
    """
    scattered = numbers.astype(np.uint64) * SCATTER >> np.uint64(40)
    return (scattered % np.uint64(FOLDS)).astype(np.int64)
