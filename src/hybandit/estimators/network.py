"""A network with one hidden layer for all arms, and the uncertainty its gradients leave."""

from __future__ import annotations

import math
from typing import ClassVar

import numpy as np

from hybandit.kernels import network as kernels
from hybandit.state import POSITIVE, Floats, Integers, Part, Singles, check_arm

PARTS = ("weights", "offsets", "heads", "levels")

# Whether each arm has its own weights, offsets, and heads with levels.
SHAPES = {
    # One network on the vector that holds the context in the arm's block and 0 elsewhere.
    "block": (1, 0, 0),
    # One hidden layer for all, a head for each arm.
    "heads": (0, 0, 1),
    # A whole network for each arm.
    "separate": (1, 1, 1),
}


class Network(Part):
    """``f_a(x) = level + head' relu(offset + W_a'x)``, trained by gradient descent.

    All parameters start uniform within 1 / sqrt(inputs of the layer). Single precision.

    Parameters
    ----------
    shape
        ``block``: each arm has its own W, all else is shared. This is one network on the
        long vector with the context in arm a's block. ``heads``: only heads and levels
        differ. ``separate``: nothing is shared.

    Examples
    --------
    >>> network = Network(2, 3, np.random.default_rng(0), hidden=8)
    >>> network.values(np.ones((1, 3))).shape
    (2,)
    """

    _arrays: ClassVar = PARTS

    def __init__(
        self,
        n_arms: int,
        n_features: int,
        generator: np.random.Generator,
        *,
        hidden: int = 100,
        shape: str = "block",
    ) -> None:
        self.n_arms = n_arms
        self.strides = np.array(SHAPES[shape])
        self._generator = generator
        blocks, offsets, heads = np.where(self.strides, n_arms, 1).tolist()
        inputs = n_features * (n_arms if shape == "block" else 1)
        self.weights = self._drawn((blocks, n_features, hidden), inputs)
        self.offsets = self._drawn((offsets, hidden), inputs)
        self.heads = self._drawn((heads, hidden), hidden)
        self.levels = self._drawn((heads,), hidden)

    @property
    def parts(self) -> tuple[Singles, Singles, Singles, Singles]:
        return self.weights, self.offsets, self.heads, self.levels

    def values(self, contexts: Floats) -> Floats:
        """The output for every arm; `contexts` is (1, d) for all arms or (n_arms, d)."""
        return self.outputs(contexts)[0]

    def outputs(self, contexts: Floats) -> tuple[Floats, Singles, Singles]:
        """Outputs, hidden layers (n_arms, hidden), and the contexts as the network saw them."""
        rows = shortened(contexts)
        hidden = np.empty((self.n_arms, self.heads.shape[1]), np.float32)
        values = np.empty(self.n_arms)
        kernels.forward(*self.parts, self.strides, rows, hidden, values)
        return values, hidden, rows

    def features(self, rows: Singles) -> Floats:
        """The hidden layer of any number of `shortened` contexts, where all arms share it."""
        heights = rows @ self.weights[0] + self.offsets[0]
        features: Floats = np.maximum(heights, 0.0).astype(np.float64)
        return features

    def train(
        self,
        contexts: Singles,
        arms: Integers,
        targets: Floats,
        batches: Integers,
        *,
        steps: int,
        rate: float,
        momentum: float = 0.0,
        decay: float = 0.0,
    ) -> None:
        """Steps of gradient descent on the mean squared error.

        Step s takes the examples ``batches[s % len(batches)]``; contexts must be
        `shortened`. `decay` adds ``decay / 2 * |parameters|^2`` to the error.
        """
        kernels.train(
            *self.parts, self.strides, contexts, arms, targets, batches, self.n_arms,
            steps, rate, momentum, decay,
        )  # fmt: skip

    def add_arm(self) -> None:
        """Add an arm; its own parameters are drawn as those of the others were."""
        _, n_features, hidden = self.weights.shape
        self.n_arms += 1
        own_block, own_offset, own_head = self.strides.tolist()
        inputs = n_features * (1 if own_head else self.n_arms)
        if own_block:
            block = self._drawn((1, n_features, hidden), inputs)
            self.weights = np.concatenate([self.weights, block])
        if own_offset:
            self.offsets = np.concatenate([self.offsets, self._drawn((1, hidden), inputs)])
        if own_head:
            self.heads = np.concatenate([self.heads, self._drawn((1, hidden), hidden)])
            self.levels = np.concatenate([self.levels, self._drawn((1,), hidden)])

    def drop_arm(self, arm: int) -> None:
        self.n_arms -= 1
        _drop_own(self, self.strides, arm)

    def _drawn(self, shape: tuple[int, ...], inputs: int) -> Singles:
        reach = 1.0 / math.sqrt(inputs)
        return self._generator.uniform(-reach, reach, shape).astype(np.float32)


class GradientWidth(Part):
    """The uncertainty of a network: ``sqrt(lam * sum of g^2 / U)``, g the gradient of its output.

    U starts at `lam` for every parameter and grows by g^2 with every play: the diagonal of the
    matrix S of a linear model in the gradients.

    Examples
    --------
    >>> network = Network(2, 3, np.random.default_rng(0), hidden=8)
    >>> unsure = GradientWidth(network, lam=0.1)
    >>> context = np.ones((1, 3))
    >>> before = unsure.values_and_widths(context)[1]
    >>> unsure.learn(context, arm=0)
    >>> bool((unsure.values_and_widths(context)[1] < before).all())
    True
    """

    _arrays: ClassVar = PARTS
    _ranges: ClassVar = dict.fromkeys(PARTS, POSITIVE)

    def __init__(self, network: Network, *, lam: float) -> None:
        self.network = network
        self.lam = lam
        # Variances, 1 / U, shaped like the network's parameters.
        self.weights, self.offsets, self.heads, self.levels = (
            np.full_like(part, 1.0 / lam) for part in network.parts
        )

    @property
    def parts(self) -> tuple[Singles, Singles, Singles, Singles]:
        return self.weights, self.offsets, self.heads, self.levels

    def values_and_widths(self, contexts: Floats) -> tuple[Floats, Floats]:
        """Every arm's output and its uncertainty."""
        network = self.network
        values, hidden, rows = network.outputs(contexts)
        squares = np.empty(network.n_arms)
        kernels.gradient_squares(network.heads, network.strides, rows, hidden, *self.parts, squares)
        return values, np.sqrt(self.lam * squares)

    def learn(self, contexts: Floats, arm: int) -> None:
        """Arm `arm` was played on its context."""
        network = self.network
        check_arm(arm, network.n_arms)
        _, hidden, rows = network.outputs(contexts)
        kernels.shrink_variances(network.heads, network.strides, rows, hidden, *self.parts, arm)

    def add_arm(self) -> None:
        """Follow the network, which has gained an arm."""
        for name, part in zip(PARTS, self.network.parts, strict=True):
            own = getattr(self, name)
            fresh = np.full_like(part[len(own) :], 1.0 / self.lam)
            setattr(self, name, np.concatenate([own, fresh]))

    def drop_arm(self, arm: int) -> None:
        """Follow the network, which has lost an arm."""
        _drop_own(self, self.network.strides, arm)


def _drop_own(part: Network | GradientWidth, strides: Integers, arm: int) -> None:
    """Remove the parameters that belong to one arm; levels go with heads."""
    for name, own in zip(PARTS, [*strides, strides[-1]], strict=True):
        if own:
            setattr(part, name, np.delete(getattr(part, name), arm, axis=0))


def shortened(contexts: Floats) -> Singles:
    """Contexts in single precision; those too long for it are shortened."""
    rows = np.empty(contexts.shape, np.float32)
    kernels.shorten(contexts, rows)
    return rows
