"""Ways to avoid computing the widths of many arms, whose factors are slow to read."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from hybandit.estimators import parallel
from hybandit.kernels import shortcuts as kernels
from hybandit.state import Flags, Floats, Part

# Numbers in a ridge's factors from which shortcuts pay.
LARGE = 1_000_000
# Contexts of each arm in its sketch: enough for most bounds, a tenth of a large factor.
SKETCH_ROWS = 16


class Shortcuts(Part):
    """Which arms of a ridge have learned nothing, and sketches of what the others learned.

    Arms that learned nothing have the same width on a shared context; sketches bound the
    widths of the others (`kernels.shortcuts.add_to_sketch`). They are no part of a model's
    state: a loaded ridge starts new sketches.

    Parameters
    ----------
    untouched
        The arms that have learned nothing.
    fades
        Whether observations lose weight. Sketches would then be wrong, and get no rows.
    """

    def __init__(self, untouched: Flags, n_features: int, reg: float, *, fades: bool) -> None:
        self.reg = reg
        self.untouched = untouched
        rows = 0 if fades else SKETCH_ROWS
        self.sketch = np.zeros((len(untouched), rows, n_features))
        self.places = np.zeros(len(untouched), np.int64)

    def learned(self, contexts: Floats, arm: int) -> None:
        """Follow one observation of the ridge."""
        self.untouched[arm] = False
        if self.sketch.shape[1]:
            kernels.add_to_sketch(self.sketch, self.places, contexts, arm, self.reg)

    def renewed(self, arm: int) -> None:
        """Follow an arm that was reset or refitted."""
        self.untouched[arm] = False
        self.sketch[arm] = 0.0

    def _new_rows(self) -> dict[str, npt.ArrayLike]:
        return {"untouched": True, "sketch": 0.0, "places": 0}

    def add_widths(
        self,
        values: Floats,
        factors: Floats,
        scales: Floats,
        contexts: Floats,
        rates: Floats,
        allowed: Flags,
        largest: float,
        exact: bool,
    ) -> Floats:
        """As the kernel `upper`, in stages; the last in several threads if much is left."""
        scores = np.empty(len(values))
        arms = (values, factors, scales, contexts, rates, allowed, self.untouched)
        best, leader = kernels.first_scores(*arms, largest, scores)
        left = len(values)
        if not exact:
            left = kernels.tighter_bounds(
                values, contexts, rates, allowed, self.untouched, self.sketch, best, leader,
                largest, scores,
            )  # fmt: skip

        def finish(start: int, step: int) -> None:
            kernels.other_scores(*arms, best, leader, exact, start, step, scores)

        parallel.run(finish, work=left * contexts.shape[1] ** 2)
        return scores
