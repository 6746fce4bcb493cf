"""Joint features of a context and an item, for a linear model."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from hybandit.estimators.cosines import COSINES, RandomCosines
from hybandit.estimators.tensor_sketch import TensorSketch
from hybandit.state import COUNTS, POSITIVE, Floats, Stateful

# Up to this many products of a context and an item are used directly; more are sketched.
MOST_PRODUCTS = 1024


class ItemFeatures(Stateful):
    """``z = [x, 1, b, phi]`` for a context c and each of several items v.

    ``b = [c / rho_c, v / rho_v] / sqrt(2)``, x holds all products of an entry of c / rho_c and
    one of v / rho_v (or their `TensorSketch`), phi are `RandomCosines` of b. The scales are
    learned: ``rho^2`` is the mean of ``|c|^2`` and of ``|v|^2`` over all that was learned and
    what is looked at now, where several items count as their mean. So b is about unit length,
    whatever the units of the features.

    `crossed` are the columns of ``[x, 1, b]``, `curved` those of ``[1, b, phi]``. With
    ``cosines=0`` there are no phi.

    Examples
    --------
    >>> features = ItemFeatures(2, 3, np.random.default_rng(0))
    >>> z = features.of(np.array([3.0, 4.0]), np.ones((5, 3)))
    >>> z.shape  # 2 x 3 products, 1, 2 + 3, and 128 cosines
    (5, 140)
    >>> z[0, features.crossed].round(3)
    array([0.346, 0.346, 0.346, 0.462, 0.462, 0.462, 1.   , 0.424, 0.566,
           0.408, 0.408, 0.408])
    """

    _arrays: ClassVar = ("squares", "learned")
    _ranges: ClassVar = {"squares": POSITIVE, "learned": COUNTS}
    _children: ClassVar = ("cosines", "sketches")

    def __init__(
        self, n_context: int, n_item: int, generator: np.random.Generator, cosines: int = COSINES
    ) -> None:
        self.n_context = n_context
        self.n_item = n_item
        both = n_context + n_item
        self.cosines = RandomCosines(both, generator, cosines)
        products = n_context * n_item
        self.sketches: list[TensorSketch] = []
        if products > MOST_PRODUCTS:
            self.sketches.append(TensorSketch(n_context, n_item, generator))
            products = self.sketches[0].width
        self.width = products + 1 + both + cosines
        self.products = slice(0, products)
        self.crossed = slice(0, products + 1 + both)
        self.curved = slice(products, self.width)
        # Sums of the squared lengths of contexts and of items learned, and how many there were.
        self.squares = np.zeros(2)
        self.learned = np.zeros(1)

    def of(self, context: Floats, items: Floats) -> Floats:
        """One row for each item; `context` is (n_context,), `items` (n, n_item)."""
        squares = self._squares_with(context, items) / (self.learned[0] + 1.0)
        factors = np.divide(1.0, np.sqrt(squares), out=np.zeros(2), where=squares > 0.0)
        scaled_context, scaled_items = factors[0] * context, factors[1] * items
        both = np.empty((len(items), self.n_context + self.n_item))
        both[:, : self.n_context] = scaled_context
        both[:, self.n_context :] = scaled_items
        both *= np.sqrt(0.5)
        z = np.empty((len(items), self.width))
        self._put_products(scaled_context, scaled_items, z[:, self.products])
        z[:, self.products.stop] = 1.0
        z[:, self.products.stop + 1 :] = self.cosines.extend(both)
        return z

    def learn(self, context: Floats, item: Floats) -> None:
        """Take in the lengths of a context and an item."""
        self.squares = self._squares_with(context, item[None])
        self.learned += 1.0

    def _squares_with(self, context: Floats, items: Floats) -> Floats:
        mean = np.einsum("ij,ij->", items, items) / len(items)
        squares: Floats = self.squares + np.array([context @ context, mean])
        return squares

    def _put_products(self, context: Floats, items: Floats, out: Floats) -> None:
        if self.sketches:
            out[:] = self.sketches[0].products(context, items)
            return
        square = out.reshape(len(items), self.n_context, self.n_item)
        np.multiply(context[None, :, None], items[:, None, :], out=square)
