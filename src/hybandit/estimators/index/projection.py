"""Short projections of long vectors, by which most entries are ruled out without measuring."""

from __future__ import annotations

import math

import numpy as np

from hybandit.kernels import projection as kernels
from hybandit.kernels.tree import STEP
from hybandit.state import Floats, Integers, Singles

DIRECTIONS = 127
SAMPLE = 1024
EPSILON = float(np.finfo(np.float64).eps)
# Lengths of vectors of larger numbers would leave the range of float64.
LARGEST = 1e300


class Projection:
    """Maps a vector to its coordinates along the data's main directions, and the rest.

    With o the sample's middle, s its size and Q orthonormal, the projection of x is
    ``[Q'(x - o), |(x - o) - Q Q'(x - o)|] / s``, with zeros up to a multiple of 8; one that
    is too long is shortened. Two projections are never farther apart than the vectors, over
    s, so they can rule neighbours out. The directions come from a sample of stored contexts,
    most telling first; a poor choice costs time, never exactness.
    """

    def __init__(self, contexts: Floats) -> None:
        step = max(1, len(contexts) // SAMPLE)
        sample = np.clip(contexts[::step], -LARGEST, LARGEST)
        self.origin = np.median(sample, axis=0)
        sample -= self.origin
        largest = np.abs(sample).max(initial=0.0) or 1.0
        lengths = largest * np.linalg.norm(sample / largest, axis=1)
        self.scale = float(np.median(lengths[lengths > 0.0])) if lengths.any() else 1.0
        sample = sample[lengths <= kernels.LONGEST * self.scale] / self.scale
        n_features = contexts.shape[1]
        directions = min(n_features, DIRECTIONS)
        self.width = -(-min(n_features, DIRECTIONS + 1) // STEP) * STEP
        start = np.random.default_rng(0).normal(size=(n_features, directions))
        basis = np.linalg.qr(start)[0]
        for _ in range(3):
            basis = np.linalg.qr(sample.T @ (sample @ basis))[0]
        along = sample @ basis
        turn = np.linalg.eigh(along.T @ along)[1][:, ::-1]
        self.basis = np.ascontiguousarray((basis @ turn).T)
        # How much rounding may add, where the data lie far from zero and close together.
        far = float(np.abs(self.origin).max()) * math.sqrt(n_features)
        self.blur = 4.0 * EPSILON * far / self.scale

    def of(self, contexts: Floats, slots: Integers) -> tuple[Singles, float]:
        """A row for each of the contexts at `slots`, and the longest one's length."""
        out = np.zeros((len(slots), self.width), np.float32)
        longest = kernels.project(contexts, slots, self.origin, self.scale, self.basis, out)
        return out, longest
