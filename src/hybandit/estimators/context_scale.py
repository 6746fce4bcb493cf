"""Contexts brought to about unit length, where they are not."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

import numpy as np

from hybandit.errors import ModelFileError
from hybandit.state import INPUTS, POSITIVE, Array, Floats, Stateful

# By the median length of so many contexts it is decided whether they need scaling.
JUDGED = 32
SHORTEST, LONGEST = 0.5, 2.0
# After so many the scale stays.
LAST = 1024
# A column's range counts up to so many standard deviations.
SPREADS = 8.0
# A standard deviation this small beside the column's values is a rounding error.
ROUNDING = 1e-12


class ContextScale(Stateful):
    """``(x - mean) / (spread * length)``, or exactly x where lengths are about 1.

    The contexts it is shown are looked at when there are 2, 4, 8, ... 1,024 of them; then
    the scale stays for good. If the median length of the first 32 (of all, while there are
    fewer) is from 0.5 to 2, contexts stay as they are, bit for bit. Otherwise every
    column is measured from its mean, in units of its range or of 8 standard deviations,
    whichever is less, and all columns are divided by one number, so that the mean squared
    length is 1. (The range keeps apart what is rarely different from 0, such as the pixels
    at a corner, from what is small; 8 standard deviations bound what an outlier does.)
    A column that has been constant counts 0.

    Examples
    --------
    >>> scale = ContextScale(2)
    >>> for person in ([20.0, 1e4], [40.0, 5e4]):
    ...     moved = scale.observe(np.array(person))
    >>> scale.scaled(np.array([[40.0, 3e4]]))
    array([[0.70710678, 0.        ]])
    >>> moved(np.array([[40.0, 3e4]]))  # Contexts were as they came until now.
    array([[0.70710678, 0.        ]])
    """

    _arrays: ClassVar = (
        "count", "lengths", "means", "squares", "lowest", "highest", "centre", "unit", "plain",
    )  # fmt: skip
    _ranges: ClassVar = {
        "lengths": POSITIVE,
        "means": INPUTS,
        "squares": POSITIVE,
        "lowest": INPUTS,
        "highest": INPUTS,
        "centre": INPUTS,
        # Squares of less vanish, and what does not vary has a unit above 1.
        "unit": (1e-170, POSITIVE[1]),
    }

    def __init__(self, n_features: int) -> None:
        self.count = np.zeros(1, np.int64)
        self.lengths = np.zeros(JUDGED)
        self.means, self.squares = np.zeros(n_features), np.zeros(n_features)
        self.lowest, self.highest = np.zeros(n_features), np.zeros(n_features)
        self.centre, self.unit = np.zeros(n_features), np.ones(n_features)
        self.plain = np.ones(1, bool)

    def scaled(self, contexts: Floats) -> Floats:
        """Contexts, one a row, as the model should see them; the same array if they stay."""
        if self.plain[0]:
            return contexts
        moved: Floats = (contexts - self.centre) / self.unit
        return moved

    def observe(self, context: Floats) -> Callable[[Floats], Floats] | None:
        """One context as it came.

        If the scale is another now, returns what brings contexts scaled until now to the new
        scale: rebuild the model.
        """
        seen = int(self.count[0])
        if seen >= LAST or (seen >= JUDGED and self.plain[0]):
            return None
        if seen < JUDGED:
            self.lengths[seen] = np.linalg.norm(context)
        self.lowest = np.minimum(self.lowest, context) if seen else context.copy()
        self.highest = np.maximum(self.highest, context) if seen else context.copy()
        before = context - self.means
        self.means += before / (seen + 1)
        self.squares += before * (context - self.means)
        self.count += 1
        former = None if self.plain[0] else (self.centre, self.unit)
        if seen == 0 or seen & (seen + 1) or not self._look_again():
            return None

        def moved(contexts: Floats) -> Floats:
            return self.scaled(contexts if former is None else contexts * former[1] + former[0])

        return moved

    def restore(self, arrays: dict[str, Array]) -> None:
        super().restore(arrays)
        if not 0 <= self.count[0] <= LAST:
            raise ModelFileError("the model file scales contexts by what no contexts give")

    def _look_again(self) -> bool:
        count = int(self.count[0])
        middle = float(np.median(self.lengths[:count]))
        was_plain = bool(self.plain[0])
        self.plain[0] = SHORTEST <= middle <= LONGEST
        if self.plain[0]:
            return not was_plain
        spreads = np.sqrt(self.squares / count)
        sizes = np.maximum(np.abs(self.lowest), np.abs(self.highest))
        varied = spreads > ROUNDING * sizes
        units = np.minimum(self.highest - self.lowest, SPREADS * spreads)
        length = np.sqrt(np.square(spreads[varied] / units[varied]).sum())
        self.centre = self.means.copy()
        # What has been constant so far is 0, and stays near 0 should it vary after all.
        idle = np.maximum(sizes, 1.0) / ROUNDING
        self.unit = np.where(varied, units * length, idle)
        return True
