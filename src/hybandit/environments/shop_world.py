"""A shop in which a policy meets visitors, with what each of them would have done."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import expit

from hybandit.state import Flags, Floats, Integers

WORLD = 3
NOBODY = -1
BRANDS, TOWNS, PHONES = 6, 8, 0.55
# Columns of a context.
CLOCK = slice(3, 5)
PRICES, NEW_PRICE, NEW_KIND = (5.0, 80.0), 40.0, 3
# At most this share of the kinds keeps its taste when tastes change.
KEPT = 0.3


@dataclass(frozen=True)
class LiveWorld:
    """What happens to every player alike.

    Row t of `contexts` is visitor t, row t of `offers` the ids of what is offered, `NOBODY` where
    an offer is shorter. `chances` are the probabilities of a reward of each of them; the one that
    is shown is rewarded if `luck` is below its probability. `draws` are uniform numbers for
    players that draw. `items` are features by id. `newcomers` arrive at `arrival`, and tastes
    change at `turn`, where they do.
    """

    contexts: Floats
    items: Floats
    offers: Integers
    chances: Floats
    luck: Floats
    draws: Floats
    newcomers: tuple[int, ...] = ()
    arrival: int | None = None
    turn: int | None = None

    def __len__(self) -> int:
        return len(self.contexts)

    @property
    def best_fixed(self) -> float:
        """What the best single action would have earned, shown whenever it is offered.

        Where it is not offered, the mean of what is.
        """
        there = self.offers != NOBODY
        instead = np.where(there, self.chances, 0.0).sum(axis=1) / there.sum(axis=1)
        gains = np.full(len(self.items), -np.inf)
        gains[np.unique(self.offers[there])] = 0.0
        np.add.at(gains, self.offers[there], (self.chances - instead[:, None])[there])
        return float(instead.mean() + gains.max() / len(self))


@dataclass(frozen=True, kw_only=True)
class ShopWorld(LiveWorld):
    """The same, where features have names."""

    ages: Integers
    phones: Flags
    towns: Integers
    kinds: Integers
    prices: Floats
    brands: Integers

    def visitor(self, number: int) -> dict[str, Any]:
        """What a shop knows of a visitor; the hour as a point of the clock, which knows no 24."""
        return {
            "age": int(self.ages[number]), "phone": bool(self.phones[number]),
            "hour": self.contexts[number, CLOCK].round(3).tolist(),
            "town": f"town {self.towns[number]}",
        }  # fmt: skip

    def article(self, name: int) -> dict[str, Any]:
        """What a shop knows of an article."""
        return {
            "kind": f"kind {self.kinds[name]}", "price": round(float(self.prices[name]), 2),
            "brand": f"brand {self.brands[name]}",
        }  # fmt: skip


@dataclass(frozen=True)
class Shop:
    """Articles of several kinds for visitors of different tastes."""

    kinds: int
    each: int
    offered: int
    level: float
    new_quality: float
    by_age: bool = False


SHOPS = {
    "shopA": Shop(kinds=5, each=2, offered=10, level=-2.4, new_quality=1.2),
    "shopB": Shop(kinds=8, each=5, offered=20, level=-3.4, new_quality=0.8, by_age=True),
    "sparse": Shop(kinds=5, each=2, offered=10, level=-4.6, new_quality=1.2),
}


def shop_world(name: str, visitors: int, seed: int) -> ShopWorld:
    """A shop by its name; the same for the same seed.

    Examples
    --------
    >>> world = shop_world("shopA", visitors=300, seed=0)
    >>> len(world), world.arrival, world.turn
    (300, 100, 200)
    """
    shop, generator = SHOPS[name], np.random.default_rng([seed, WORLD])
    size = shop.kinds * shop.each
    kinds = np.append(np.repeat(np.arange(shop.kinds), shop.each), NEW_KIND)
    prices = np.append(generator.uniform(*PRICES, size), NEW_PRICE)
    # The newcomer has a brand of its own.
    brands = np.append(generator.integers(BRANDS, size=size), BRANDS)
    qualities = np.append(generator.normal(0.0, 0.3, size), shop.new_quality)
    ages = generator.integers(16, 80, visitors)
    phones = generator.random(visitors) < PHONES
    hours = generator.uniform(0.0, 24.0, visitors)
    towns = generator.integers(TOWNS, size=visitors)
    moved = _permuted(shop.kinds, generator)
    taste = (_by_age if shop.by_age else _by_group)(shop, ages, phones, hours, generator)
    turn = 2 * visitors // 3
    after = np.arange(visitors) >= turn
    tastes = np.where(after[:, None], taste[:, moved], taste)[:, kinds]
    close = phones if shop.by_age else ages < 40
    dear = (0.6 if shop.by_age else 0.5) * np.where(close, 1.0, 0.2)
    chances = expit(shop.level + tastes + qualities - dear[:, None] * (prices / 40.0 - 1.0))
    offers, arrival = _offered(shop, chances, visitors, generator)
    angles = 2.0 * np.pi * hours / 24.0
    contexts = np.column_stack([
        np.ones(visitors), (ages - 48) / 18, phones, np.sin(angles), np.cos(angles),
        np.eye(TOWNS)[towns],
    ])  # fmt: skip
    items = np.column_stack([
        np.eye(shop.kinds)[kinds], (prices - 40.0) / 22.0, np.eye(BRANDS + 1)[brands]
    ])  # fmt: skip
    return ShopWorld(
        contexts, items, offers, np.take_along_axis(chances, offers, axis=1),
        *fates(visitors, generator), newcomers=(size,), arrival=arrival, turn=turn, ages=ages,
        phones=phones, towns=towns, kinds=kinds, prices=prices, brands=brands,
    )  # fmt: skip


def _by_group(
    shop: Shop, ages: Integers, phones: Flags, _: Floats, generator: np.random.Generator
) -> Floats:
    """(visitors, kinds): a taste for each of four groups and each kind."""
    tastes = generator.normal(0.0, 1.1, (4, shop.kinds))
    chosen: Floats = tastes[2 * (ages > 40) + phones]
    return chosen


def _by_age(
    shop: Shop, ages: Integers, _: Flags, hours: Floats, generator: np.random.Generator
) -> Floats:
    """(visitors, kinds): each kind has its age and its hour."""
    centres = generator.permutation(np.linspace(18.0, 76.0, shop.kinds))
    peaks = generator.permutation(np.arange(shop.kinds) * 24.0 / shop.kinds)
    away = (ages[:, None] - centres) / 9.0
    turned = 2.0 * np.pi * (hours[:, None] - peaks) / 24.0
    taste: Floats = 3.2 * np.exp(-(away**2) / 2.0) + 0.8 * np.cos(turned)
    return taste


def _permuted(count: int, generator: np.random.Generator) -> Integers:
    while True:
        order = generator.permutation(count)
        if (order == np.arange(count)).mean() <= KEPT:
            return order


def _offered(
    shop: Shop, chances: Floats, visitors: int, generator: np.random.Generator
) -> tuple[Integers, int]:
    """The best fixed article first, others at random, and after a third the newcomer."""
    size = shop.kinds * shop.each
    best = int(chances[:, :size].mean(axis=0).argmax())
    others = np.delete(np.arange(size), best)
    orders = generator.random((visitors, size - 1)).argsort(axis=1)
    arrival = visitors // 3
    newest = np.where(np.arange(visitors) >= arrival, size, NOBODY)
    rest = others[orders[:, : shop.offered - 1]]
    return np.column_stack([np.full(visitors, best), rest, newest]), arrival


def fates(visitors: int, generator: np.random.Generator) -> tuple[Floats, Floats]:
    """The luck of each visitor, and a number for a policy that draws."""
    return generator.random(visitors), generator.random(visitors)
