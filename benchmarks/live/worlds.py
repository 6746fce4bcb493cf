"""Nine worlds in which a loop lives: two shops, rare clicks, four worlds of items, plain names."""

from __future__ import annotations

import numpy as np

from hybandit.environments import ItemWorld
from hybandit.environments.shop_world import NOBODY, SHOPS, WORLD, LiveWorld, fates, shop_world

ITEMS_IN_A_WORLD = 200
KINDS = ("bilinear", "clusters", "clicks", "catalogue")
NAMES = {"plain": False, "plainturn": True}
WITH_FEATURES = (*SHOPS, *KINDS)
WORLDS = (*WITH_FEATURES, *NAMES)


def make(name: str, visitors: int, seed: int) -> LiveWorld:
    """A world by its name; the same for the same seed."""
    generator = np.random.default_rng([seed, WORLD])
    if name in SHOPS:
        return shop_world(name, visitors, seed)
    if name in NAMES:
        return _names(visitors, generator, turns=NAMES[name])
    return _package(name, visitors, seed, generator)


def _package(kind: str, visitors: int, seed: int, generator: np.random.Generator) -> LiveWorld:
    world = ItemWorld(kind, n_items=ITEMS_IN_A_WORLD, rounds=visitors, seed=seed)
    turns = list(world)
    items = np.zeros((ITEMS_IN_A_WORLD, world.n_item))
    for each in turns:
        items[each.ids] = each.items
    return LiveWorld(
        np.array([each.context for each in turns]),
        items,
        np.array([each.ids for each in turns]),
        np.array([each.means for each in turns]),
        *fates(visitors, generator),
    )


def _names(visitors: int, generator: np.random.Generator, *, turns: bool) -> LiveWorld:
    """Ten names, four segments; then a worthless name and a good one arrive."""
    segments, numbers, known = 4, 6, 10
    centres = generator.normal(size=(segments, numbers))
    who = generator.integers(segments, size=visitors)
    seen = centres[who] + 0.5 * generator.normal(size=(visitors, numbers))
    table = np.clip(0.25 + 0.13 * generator.normal(size=(segments, known)), 0.03, 0.8)
    good = table.max(axis=1) + np.array([0.1, -0.1, 0.05, 0.0])
    table = np.column_stack([table, np.zeros(segments), good])
    turn = 2 * visitors // 3 if turns else None
    shown = who if turn is None else (who + (np.arange(visitors) >= turn)) % segments
    arrival = visitors // 3
    offers = np.tile(np.arange(known + 2), (visitors, 1))
    offers[:arrival, known:] = NOBODY
    return LiveWorld(
        np.column_stack([np.ones(visitors), seen]), np.zeros((known + 2, 0)), offers, table[shown],
        *fates(visitors, generator), newcomers=(known, known + 1), arrival=arrival, turn=turn,
    )  # fmt: skip
