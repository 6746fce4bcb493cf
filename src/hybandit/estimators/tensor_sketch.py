"""A compressed form of all products of two vectors."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from hybandit.errors import ModelFileError
from hybandit.kernels import items as kernels
from hybandit.state import Array, Floats, Stateful


class TensorSketch(Stateful):
    """A random linear map of the products ``c_j v_k`` to `width` numbers.

    Each vector is count-sketched (every entry added, with a random sign, to a random bucket);
    the circular convolution of both sketches, a product in the Fourier domain, is a count
    sketch of all products. Inner products are kept on average.

    References
    ----------
    Pham, Pagh (2013). Fast and scalable polynomial kernels via explicit feature maps. KDD.

    Examples
    --------
    >>> sketch = TensorSketch(3, 2, np.random.default_rng(0), width=8)
    >>> sketch.products(np.ones(3), np.ones((5, 2))).shape
    (5, 8)
    """

    _arrays: ClassVar = ("left_buckets", "left_signs", "right_buckets", "right_signs")
    _ranges: ClassVar = {"left_signs": (-1.0, 1.0), "right_signs": (-1.0, 1.0)}

    def __init__(
        self, n_left: int, n_right: int, generator: np.random.Generator, *, width: int = 512
    ) -> None:
        self.width = width
        self.left_buckets = generator.integers(width, size=n_left)
        self.left_signs = generator.choice([-1.0, 1.0], n_left)
        self.right_buckets = generator.integers(width, size=n_right)
        self.right_signs = generator.choice([-1.0, 1.0], n_right)

    def products(self, left: Floats, right: Floats) -> Floats:
        """The products of one vector on the left with every row on the right."""
        one = self._transformed(left[None], self.left_buckets, self.left_signs)
        each = self._transformed(right, self.right_buckets, self.right_signs)
        sketched: Floats = np.fft.irfft(one * each, self.width)
        return sketched

    def restore(self, arrays: dict[str, Array]) -> None:
        super().restore(arrays)
        for buckets in (self.left_buckets, self.right_buckets):
            if not (np.all(buckets >= 0) and np.all(buckets < self.width)):
                raise ModelFileError("a sketch has buckets that are not there")

    def _transformed(self, rows: Floats, buckets: Array, signs: Floats) -> Array:
        sketch = np.empty((len(rows), self.width))
        kernels.count_sketch(rows, buckets, signs, sketch)
        return np.fft.rfft(sketch)
