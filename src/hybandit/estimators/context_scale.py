"""Scaling contexts to about unit length, unless they have it already."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

import numpy as np

from hybandit.errors import ModelFileError
from hybandit.state import INPUTS, POSITIVE, Array, Floats, Stateful

# The median length of this many contexts decides whether they need scaling.
JUDGED = 32
SHORTEST, LONGEST = 0.5, 2.0
# After this many contexts the scale no longer changes.
LAST = 1024
# The unit of a column is its range, but at most this many standard deviations.
SPREADS = 8.0
# A standard deviation this small beside the column's values is a rounding error.
ROUNDING = 1e-12


class ContextScale(Stateful):
    """``(x - mean) / (spread * length)``, or exactly x where lengths are about 1.

    The scale is set again after 2, 4, 8, ... 1,024 observed contexts and then stays. If the
    median length of the first 32 (of all, while there are fewer) is from 0.5 to 2, contexts
    stay as they are, bit for bit. Otherwise every column is measured from its mean, in units
    of its range or of 8 standard deviations, whichever is less, and all columns are divided
    by one number, so that the mean squared length is 1. (The range distinguishes columns that
    are rarely different from 0, such as pixels at a corner, from columns with small values;
    8 standard deviations limit the effect of an outlier.) A column that has been constant
    so far counts as 0.

    Examples
    --------
    >>> scale = ContextScale(2)
    >>> for person in ([20.0, 1e4], [40.0, 5e4]):
    ...     moved = scale.observe(np.array(person))
    >>> scale.scaled(np.array([[40.0, 3e4]]))
    array([[0.70710678, 0.        ]])
    >>> moved(np.array([[40.0, 3e4]]))  # Until now contexts were not scaled.
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
        """Contexts, one in each row, as the model should see them; the same array if unscaled."""
        if self.plain[0]:
            return contexts
        moved: Floats = (contexts - self.centre) / self.unit
        return moved

    def observe(self, context: Floats) -> Callable[[Floats], Floats] | None:
        """Take in one unscaled context.

        If the scale has changed, returns the function that moves contexts from the former scale
        to the new one: the model must then be rebuilt.
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
            raise ModelFileError("no contexts lead to this scale of contexts")

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
        # A column that has been constant is 0, and stays near 0 if it varies later.
        idle = np.maximum(sizes, 1.0) / ROUNDING
        self.unit = np.where(varied, units * length, idle)
        return True
