"""Compiling kernels in advance: once for all processes, and before anything is timed."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import lru_cache

import numpy as np

from hybandit.environments.play import ItemPlayer, Player
from hybandit.estimators.index import TreeIndex, tree_from
from hybandit.experiments.players import find_player
from hybandit.experiments.specs import PolicySpec
from hybandit.kernels.compiling import telling

# Enough rounds for occasional steps of a policy, such as training, to happen.
ROUNDS = 12


def warm_up(policy: PolicySpec, size: tuple[int, int]) -> None:
    """Compile what a policy needs for this many rounds and features."""
    rounds, n_features = size
    _warm_up(policy, rounds >= tree_from(n_features))


@lru_cache
def _warm_up(policy: PolicySpec, long: bool) -> None:
    player = find_player(policy.name)
    # A policy that fails here fails in its first round too, where the call it was in is told.
    with suppress(Exception):
        if player.arms is not None:
            _play_arms(player.on_arms(2, 3, 0, policy.settings))
        elif player.items is not None:
            _play_items(player.on_items(2, 3, 0, policy.settings))
    if long and player.arms is not None:
        TreeIndex.compiled()


def _play_arms(learner: Player) -> None:
    generator = np.random.default_rng(0)
    for number in range(ROUNDS):
        context = generator.normal(size=3)
        learner.choose(context)
        learner.learn(context, number % 2, float(number % 3 > 0))


def _play_items(learner: ItemPlayer) -> None:
    generator = np.random.default_rng(0)
    for number in range(ROUNDS):
        context, items = generator.normal(size=2), generator.normal(size=(2, 3))
        learner.choose(context, items, ids=[0, 1])
        learner.learn(context, items[number % 2], float(number % 3 > 0), id=number % 2)


def compile_kernels(
    needs: Iterable[tuple[PolicySpec, tuple[int, int]]], say: Callable[[str], None]
) -> None:
    """Compile for all of these in this process; numba's cache on disk gives it to the others.

    Says so if anything has to be compiled.
    """
    with telling(say):
        for policy, size in needs:
            warm_up(policy, size)
