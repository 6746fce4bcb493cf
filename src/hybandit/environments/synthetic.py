"""Simulated worlds with known expected rewards: linear, with local bumps, and drifting."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import KW_ONLY, dataclass
from typing import ClassVar

import numpy as np

from hybandit.environments.rounds import FullRound
from hybandit.errors import InvalidInput
from hybandit.state import Floats
from hybandit.validation.settings import at_least, whole

KINDS = ("linear", "hybrid", "abrupt", "slow")
WORLD = 1
BUMPS = 8
BUMP_WIDTH = 0.5


@dataclass(frozen=True)
class Synthetic:
    """Rewards ``mean_a(x) + noise`` for contexts drawn evenly from the unit sphere.

    Parameters
    ----------
    kind
        ``linear``: ``mean_a = x' theta_a``, theta_a of unit length. ``hybrid``: that plus
        Gaussian bumps of height up to 1 around a few points of the sphere. ``abrupt``: as
        hybrid, and halfway the arms trade places. ``slow``: as linear, with every theta
        turning once through a right angle from start to end.
    noise
        Standard deviation of the reward around its mean.

    Examples
    --------
    >>> world = Synthetic("linear", n_arms=2, n_features=3, rounds=100, seed=0)
    >>> rounds = list(world)
    >>> bool(np.all([turn.best >= turn.expected(0) for turn in rounds]))
    True
    """

    results_version: ClassVar[int] = 1

    kind: str
    _: KW_ONLY
    n_arms: int = 5
    n_features: int = 10
    rounds: int = 10_000
    noise: float = 0.1
    seed: int

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise InvalidInput("kind", f"one of {', '.join(KINDS)}", self.kind)
        for name in ("n_arms", "n_features", "rounds"):
            whole(1).check(name, getattr(self, name))
        at_least(0).check("noise", self.noise)
        if self.kind == "slow" and self.n_features < 2:
            raise InvalidInput("n_features", "at least 2, for a parameter to turn", self.n_features)

    def __len__(self) -> int:
        return self.rounds

    def __iter__(self) -> Iterator[FullRound]:
        # A random stream of its own: a policy with the same seed must not get the same draws.
        generator = np.random.default_rng([self.seed, WORLD])
        first, last = (sphere(generator, (self.n_arms, self.n_features)) for _ in range(2))
        centres = sphere(generator, (self.n_arms, BUMPS, self.n_features))
        heights = generator.uniform(0.0, 1.0, (self.n_arms, BUMPS))
        for number in range(self.rounds):
            x = sphere(generator, (self.n_features,))
            done = number / self.rounds
            theta = _turned(first, last, done) if self.kind == "slow" else first
            means = theta @ x
            if self.kind in ("hybrid", "abrupt"):
                squares = ((centres - x) ** 2).sum(axis=-1)
                means = means + (heights * np.exp(-squares / (2 * BUMP_WIDTH**2))).sum(axis=1)
            if self.kind == "abrupt" and done >= 0.5:
                means = np.roll(means, 1)
            noise = self.noise * generator.normal(size=self.n_arms)
            yield FullRound(x, means + noise, means)


def sphere(generator: np.random.Generator, shape: tuple[int, ...]) -> Floats:
    """Points drawn evenly from the unit sphere, one in each row of the last axis."""
    draws = generator.normal(size=shape)
    points: Floats = draws / np.linalg.norm(draws, axis=-1, keepdims=True)
    return points


def _turned(first: Floats, last: Floats, done: float) -> Floats:
    """Rows of `first` turned towards the part of `last` at right angles to them."""
    aside = last - (last * first).sum(axis=1, keepdims=True) * first
    aside /= np.linalg.norm(aside, axis=1, keepdims=True)
    angle = done * np.pi / 2.0
    turned: Floats = np.cos(angle) * first + np.sin(angle) * aside
    return turned
