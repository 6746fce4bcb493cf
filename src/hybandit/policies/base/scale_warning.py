"""Detects contexts that look unscaled."""

from __future__ import annotations

import warnings

import numpy as np

from hybandit.errors import ScaleWarning
from hybandit.state import Floats

# The warning comes after this many contexts, or never.
WATCHED = 100
# Columns differ too much where one is this large, and so many times as large as another.
LARGE, TIMES = 10.0, 30.0


def looks_unscaled(sizes: Floats) -> tuple[int, int] | None:
    """The largest and the smallest column, if they differ too much; columns of 0 do not count.

    `sizes` are the columns' root mean squares. Columns that are all small are fine, for
    then rows are about as long as policies expect.
    """
    used = np.flatnonzero(sizes > 0.0)
    if len(used) < 2:
        return None
    large = int(used[sizes[used].argmax()])
    small = int(used[sizes[used].argmin()])
    if sizes[large] < LARGE or sizes[large] < TIMES * sizes[small]:
        return None
    return large, small


class ScaleWatch:
    """Looks at the first contexts that a policy learns, and warns once if they need scaling."""

    def __init__(self, policy: str, n_features: int) -> None:
        self.policy = policy
        self.count = 0
        self._squares = np.zeros(n_features)

    def see(self, contexts: Floats, stacklevel: int = 3) -> None:
        """Look at one context, (1, d) or (n_arms, d); warn after a hundred if that is needed."""
        with np.errstate(over="ignore"):
            self._squares += np.square(contexts).mean(axis=0)
        self.count += 1
        if self.count != WATCHED:
            return
        sizes = np.sqrt(self._squares / self.count)
        found = looks_unscaled(sizes)
        if found is None:
            return
        large, small = found
        warnings.warn(
            f"column {large} is about {sizes[large]:,.4g} in size and column {small} about "
            f"{sizes[small]:,.4g}: {self.policy} will hardly see the smaller. Scale the columns "
            "first, by hybandit.features.OnlineEncoder or Encoder",
            ScaleWarning,
            stacklevel=stacklevel,
        )
