"""Short shadows of long vectors, for looking past most neighbours unmeasured."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from hybandit.kernels import neighbours as kernels
from hybandit.state import Floats

Singles = npt.NDArray[np.float32]

DIRECTIONS = 127
SAMPLE = 1024
# Longer vectors than this have squares that overflow in single precision.
LONGEST = 1e15


class Screen:
    """Maps a vector to its coordinates along the data's main directions, and the rest.

    With Q orthonormal, the shadow of x is ``[Q'x, |x - Q Q'x|]``. The distance of two
    shadows is never more than the distance of the vectors, so it can rule neighbours out.
    The directions come from a sample of stored contexts, most telling first; a poor choice
    costs time, never exactness.
    """

    def __init__(self, contexts: Floats) -> None:
        step = max(1, len(contexts) // SAMPLE)
        sample = contexts[::step]
        start = np.random.default_rng(0).normal(size=(contexts.shape[1], DIRECTIONS))
        basis = np.linalg.qr(start)[0]
        for _ in range(3):
            basis = np.linalg.qr(sample.T @ (sample @ basis))[0]
        along = sample @ basis
        turn = np.linalg.eigh(along.T @ along)[1][:, ::-1]
        self.basis = np.ascontiguousarray((basis @ turn).T)

    def shadows(self, contexts: Floats) -> tuple[Singles, float]:
        """One row of DIRECTIONS + 1 for every row of `contexts`, and the longest row's length.

        Of rows longer than LONGEST, only the length can be used.
        """
        out = np.empty((len(contexts), DIRECTIONS + 1), np.float32)
        longest = kernels.cast_shadows(contexts, self.basis, LONGEST, out)
        return out, longest
