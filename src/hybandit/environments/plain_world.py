"""Simulated clicks and revenue: few arms, few features, rewards that are mostly noise."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from hybandit.environments.rounds import FullRound
from hybandit.environments.synthetic import sphere
from hybandit.errors import InvalidInput
from hybandit.state import Floats
from hybandit.validation.settings import whole

WORLD = 2
LINEAR = "linear"
LINEAR_ARMS = LINEAR_FEATURES = 5


@dataclass(frozen=True)
class Offers:
    """How likely each arm pays, a row for each segment, and how much.

    With one segment a context is 1 and standard normal noise, else the segment, one-hot. With
    `varied` what is paid is exponential, `amounts` on average.
    """

    chances: tuple[tuple[float, ...], ...]
    amounts: tuple[float, ...] = (1.0,)
    varied: bool = False
    noise: int = 1

    @property
    def n_features(self) -> int:
        return 1 + self.noise if len(self.chances) == 1 else len(self.chances)


NORTH, EAST, SOUTH = (0.03, 0.05, 0.04), (0.06, 0.03, 0.04), (0.02, 0.02, 0.07)
WEEK, WEEKEND = (0.04, 0.06, 0.05, 0.03, 0.05), (0.04, 0.03, 0.05, 0.09, 0.05)
OFFERS = {
    "clicks-4": Offers(((0.05, 0.06, 0.07, 0.10),)),
    "clicks-10": Offers(((0.03,) * 9 + (0.06,),)),
    "segments": Offers(
        ((0.02, 0.04, 0.07, 0.10), (0.10, 0.02, 0.04, 0.07), (0.07, 0.10, 0.02, 0.04))
    ),
    "revenue": Offers(((0.05, 0.2, 0.5),), (100.0, 20.0, 5.0)),
    "orders": Offers(
        ((0.02, 0.03, 0.04, 0.05, 0.06, 0.08),),
        (60.0, 30.0, 40.0, 20.0, 25.0, 10.0),
        varied=True,
        noise=3,
    ),
    "weekdays": Offers((WEEK,) * 5 + (WEEKEND,) * 2),
    "prices": Offers(((0.3, 0.22, 0.15, 0.09, 0.04),), (2.0, 3.0, 5.0, 8.0, 15.0)),
    "towns": Offers((NORTH,) * 5 + (EAST,) * 3 + (SOUTH,) * 2),
    "donations": Offers(
        ((0.03, 0.03, 0.05, 0.08), (0.01, 0.06, 0.04, 0.05), (0.02, 0.02, 0.03, 0.15)),
        (50.0, 30.0, 20.0, 10.0),
        varied=True,
    ),
}
KINDS = (*OFFERS, LINEAR)


class PlainWorld:
    """Worlds in which contexts tell little or nothing.

    Parameters
    ----------
    kind
        ``clicks-4`` and ``clicks-10``: clicks of 4 and 10 arms. ``segments``: three kinds of
        visitors. ``revenue``: the best arm pays much, rarely. ``linear``: as `Synthetic`, 5 arms
        and features, with noise of standard deviation 1. ``orders``: rare orders of different
        sizes. ``weekdays``: clicks of five arms, one of them better at weekends. ``prices``: the
        more an arm pays, the more rarely it pays. ``towns``: clicks of three arms in ten towns.
        ``donations``: three kinds of givers, who give rarely and different sums.

    Examples
    --------
    >>> world = PlainWorld("clicks-4", rounds=100, seed=0)
    >>> {turn.best for turn in world}
    {0.1}
    """

    results_version: ClassVar[int] = 1

    def __init__(self, kind: str, *, rounds: int = 20_000, seed: int) -> None:
        if kind not in KINDS:
            raise InvalidInput("kind", f"one of {', '.join(KINDS)}", kind)
        whole(1).check("rounds", rounds)
        self.kind = kind
        self.rounds = rounds
        self.seed = seed
        offers = OFFERS.get(kind)
        self.n_arms = LINEAR_ARMS if offers is None else len(offers.chances[0])
        self.n_features = LINEAR_FEATURES if offers is None else offers.n_features

    def __len__(self) -> int:
        return self.rounds

    def __iter__(self) -> Iterator[FullRound]:
        # A random stream of its own: a policy with the same seed must not get the same draws.
        generator = np.random.default_rng([self.seed, WORLD])
        offers = OFFERS.get(self.kind)
        return self._linear(generator) if offers is None else self._paid(generator, offers)

    def _linear(self, generator: np.random.Generator) -> Iterator[FullRound]:
        theta = sphere(generator, (LINEAR_ARMS, LINEAR_FEATURES))
        for _ in range(self.rounds):
            x = sphere(generator, (LINEAR_FEATURES,))
            means = theta @ x
            yield FullRound(x, means + generator.normal(size=LINEAR_ARMS), means)

    def _paid(self, generator: np.random.Generator, offers: Offers) -> Iterator[FullRound]:
        chances, amounts = np.array(offers.chances), np.array(offers.amounts)
        means = chances * amounts
        for _ in range(self.rounds):
            segment = int(generator.integers(len(chances)))
            paid = generator.random(self.n_arms) < chances[segment]
            sizes = generator.exponential(amounts, self.n_arms) if offers.varied else amounts
            yield FullRound(self._context(generator, segment), paid * sizes, means[segment])

    def _context(self, generator: np.random.Generator, segment: int) -> Floats:
        offers = OFFERS[self.kind]
        if len(offers.chances) > 1:
            one_hot: Floats = np.eye(len(offers.chances))[segment]
            return one_hot
        return np.append(1.0, generator.normal(size=offers.noise))
