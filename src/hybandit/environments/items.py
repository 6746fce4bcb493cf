"""Simulated worlds of items, with known expected rewards."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import KW_ONLY, dataclass, replace
from typing import ClassVar

import numpy as np
from scipy.special import expit, logit

from hybandit.environments.rounds import FullItemRound
from hybandit.environments.synthetic import sphere
from hybandit.errors import InvalidInput
from hybandit.state import Floats, Integers
from hybandit.validation.settings import whole

WORLD = 1
LEAST, MOST = 0.02, 0.98
# Bilinear tastes: rank, strength, and the strength of the part that features do not show.
RANK, STRENGTH, POPULARITY = 3, 0.1, 0.1
# The share of all items that a changing catalogue offers at any time.
LIVE = 0.2
CLUSTERS, SPREAD, EARLY = 6, 0.35, 1.0 / 6.0
RAREST, COMMONEST = 0.02, 0.2
SPARSE, SPARSE_STRENGTH, MEAN_DELAY = 0.03, 0.5, 200
# Ratings: hidden factors, users, noise, and the part of a factor that features show.
FACTORS, USERS, NOISE, TOLD = 8, 1000, 0.2, 0.6


@dataclass(frozen=True)
class Truth:
    """A simulated world, as its seed determines it.

    Row t of `contexts` and of `tastes` is the user's of round t, row i of `items` and of
    `appeals` an item's. The mean reward is ``tastes_t' appeals_i + levels_i``, and its logistic
    function if `logistic`. Item i is there from round ``births_i`` until before ``deaths_i``.
    """

    contexts: Floats
    tastes: Floats
    items: Floats
    appeals: Floats
    levels: Floats
    births: Integers
    deaths: Integers
    logistic: bool = False
    noise: float | None = None
    mean_delay: int = 0

    def means(self, number: int, chosen: Integers) -> Floats:
        plain = self.appeals[chosen] @ self.tastes[number] + self.levels[chosen]
        means: Floats = expit(plain) if self.logistic else np.clip(plain, LEAST, MOST)
        return means

    def rewards(self, generator: np.random.Generator, means: Floats) -> Floats:
        """Clicks, or numbers around the mean if there is `noise`."""
        if self.noise is None:
            return (generator.random(len(means)) < means).astype(np.float64)
        return means + self.noise * generator.normal(size=len(means))

    def delay(self, generator: np.random.Generator) -> int:
        return int(generator.exponential(self.mean_delay)) if self.mean_delay else 0


@dataclass(frozen=True)
class ItemWorld:
    """Each round offers some of many items, whose rewards depend on the user.

    Parameters
    ----------
    kind
        ``bilinear``: clicks with a mean of ``1/2 + c' M v``, M of rank 3, plus each item's
        popularity, which its features do not tell.
        ``clusters``: 6 tastes of users and 6 kinds of items, seen with noise; clicks of 2 to
        20 %, by taste and kind. At first a sixth of the items is there, the others arrive.
        ``catalogue``: as bilinear; a fifth of the items is there at a time, and from the first
        round to the last each leaves in turn for a new one.
        ``clicks``: clicks of about 3 %, by a bilinear taste, known after 200 rounds on average.
        ``ratings``: numbers by 8 hidden factors of 1,000 users and of the items, the items'
        quality and noise; the features tell only a part of the factors.
    candidates
        How many of the items are offered in a round, drawn evenly from those that are there.

    Examples
    --------
    >>> world = ItemWorld("bilinear", n_items=50, rounds=100, seed=0)
    >>> turn = next(iter(world))
    >>> turn.items.shape, len(set(turn.ids)), turn.best >= turn.expected(0)
    ((10, 10), 10, True)
    """

    results_version: ClassVar[int] = 1

    kind: str
    _: KW_ONLY
    n_context: int = 10
    n_item: int = 10
    n_items: int = 500
    candidates: int = 10
    rounds: int = 10_000
    seed: int

    def __post_init__(self) -> None:
        if self.kind not in ITEM_WORLDS:
            raise InvalidInput("kind", f"one of {', '.join(ITEM_WORLDS)}", self.kind)
        for name in ("n_context", "n_item", "n_items", "rounds"):
            whole(1).check(name, getattr(self, name))
        least = int(self.n_items * {"clusters": EARLY, "catalogue": LIVE}.get(self.kind, 1.0))
        if not 1 <= self.candidates <= least:
            rule = f"from 1 to {least}, the number of items at the start"
            raise InvalidInput("candidates", rule, self.candidates)

    def __len__(self) -> int:
        return self.rounds

    def __iter__(self) -> Iterator[FullItemRound]:
        # A random stream of its own: a policy with the same seed must not get the same draws.
        generator = np.random.default_rng([self.seed, WORLD])
        truth = ITEM_WORLDS[self.kind](self, generator)
        for number in range(self.rounds):
            there = np.flatnonzero((truth.births <= number) & (number < truth.deaths))
            chosen = generator.choice(there, self.candidates, replace=False)
            means = truth.means(number, chosen)
            yield FullItemRound(
                truth.contexts[number],
                truth.rewards(generator, means),
                means,
                items=truth.items[chosen],
                ids=chosen.tolist(),
                delay=truth.delay(generator),
            )


def bilinear(world: ItemWorld, generator: np.random.Generator) -> Truth:
    contexts = sphere(generator, (world.rounds, world.n_context))
    items = sphere(generator, (world.n_items, world.n_item))
    left = generator.normal(size=(world.n_context, RANK))
    right = generator.normal(size=(world.n_item, RANK))
    popularity = POPULARITY * generator.normal(size=world.n_items)
    return Truth(
        contexts, STRENGTH * contexts @ left, items, items @ right, 0.5 + popularity,
        *_always(world),
    )  # fmt: skip


def catalogue(world: ItemWorld, generator: np.random.Generator) -> Truth:
    truth = bilinear(world, generator)
    live = int(LIVE * world.n_items)
    births = _arrivals(world, live)
    deaths = np.append(births[live:], np.full(live, world.rounds))
    return replace(truth, births=births, deaths=deaths)


def clicks(world: ItemWorld, generator: np.random.Generator) -> Truth:
    truth = bilinear(world, generator)
    stronger = SPARSE_STRENGTH / STRENGTH
    return replace(
        truth,
        tastes=stronger * truth.tastes,
        levels=logit(SPARSE) + stronger * (truth.levels - 0.5),
        logistic=True,
        mean_delay=MEAN_DELAY,
    )


def clusters(world: ItemWorld, generator: np.random.Generator) -> Truth:
    def seen(which: Integers, size: int) -> Floats:
        centres = sphere(generator, (CLUSTERS, size))
        noisy: Floats = centres[which] + SPREAD * generator.normal(size=(len(which), size))
        return noisy

    tastes = generator.integers(CLUSTERS, size=world.rounds)
    kinds = generator.integers(CLUSTERS, size=world.n_items)
    rates = generator.uniform(RAREST, COMMONEST, (CLUSTERS, CLUSTERS))
    return Truth(
        seen(tastes, world.n_context),
        np.eye(CLUSTERS)[tastes],
        seen(kinds, world.n_item),
        rates[kinds],
        np.zeros(world.n_items),
        _arrivals(world, int(EARLY * world.n_items)),
        np.full(world.n_items, world.rounds),
    )


def ratings(world: ItemWorld, generator: np.random.Generator) -> Truth:
    def told(factors: Floats, size: int) -> Floats:
        """Features that are partly the factors, mixed, and partly noise."""
        turned = factors @ sphere(generator, (size, FACTORS)).T
        noise = generator.normal(size=turned.shape)
        features: Floats = TOLD * turned + np.sqrt(1.0 - TOLD**2) * noise
        return features

    users = generator.normal(size=(USERS, FACTORS))
    appeals = generator.normal(size=(world.n_items, FACTORS)) / np.sqrt(FACTORS)
    quality = POPULARITY * generator.normal(size=world.n_items)
    profiles = told(users, world.n_context)
    items = told(np.sqrt(FACTORS) * appeals, world.n_item)
    who = generator.integers(USERS, size=world.rounds)
    return Truth(
        profiles[who], POPULARITY * users[who], items, appeals, 0.6 + quality, *_always(world),
        noise=NOISE,
    )  # fmt: skip


ITEM_WORLDS: dict[str, Callable[[ItemWorld, np.random.Generator], Truth]] = {
    make.__name__: make for make in (bilinear, clusters, catalogue, clicks, ratings)
}


def _always(world: ItemWorld) -> tuple[Integers, Integers]:
    """Births and deaths of items that are always available."""
    return np.zeros(world.n_items, np.int64), np.full(world.n_items, world.rounds)


def _arrivals(world: ItemWorld, at_first: int) -> Integers:
    """Births: some items from the start, the others one by one at even distances."""
    later = world.n_items - at_first
    evenly = np.arange(1, later + 1) * world.rounds // (later + 1)
    return np.append(np.zeros(at_first, np.int64), evenly)
