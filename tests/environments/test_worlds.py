"""Rules of all worlds: the seed decides, means are means, and no policy shares the randomness."""

import numpy as np
import pytest

from hybandit import LinTS, LinUCB, StackedHybrid
from hybandit.environments import (
    Classification,
    ItemWorld,
    PlainWorld,
    Synthetic,
    plain_world,
    play,
    synthetic,
)
from hybandit.environments.items import ITEM_WORLDS
from hybandit.errors import InvalidInput

ROWS, LABELS = np.random.default_rng(1).normal(size=(40, 3)), np.arange(40) % 3
SEED = 5
WORLDS = {
    "classes": lambda **how: Classification(ROWS, LABELS, **how),
    "chances": lambda **how: Classification(ROWS, LABELS, probabilities=(0.2, 0.6), **how),
    **{f"synthetic {kind}": lambda kind=kind, **how: Synthetic(kind, **how)
       for kind in synthetic.KINDS},
    **{f"plain {kind}": lambda kind=kind, **how: PlainWorld(kind, **how)
       for kind in plain_world.KINDS},
    **{f"items {kind}": lambda kind=kind, **how: ItemWorld(kind, n_items=120, **how)
       for kind in ITEM_WORLDS},
}  # fmt: skip
OF_ARMS = [name for name in WORLDS if not name.startswith("items")]
worlds = pytest.mark.parametrize("name", WORLDS)


def rounds_of(world):
    """All that a round is made of."""
    return [
        np.concatenate([turn.context.ravel(), turn.rewards, getattr(turn, "ids", [])])
        for turn in world
    ]


@worlds
def test_the_seed_decides_and_each_loop_starts_again(name):
    world = WORLDS[name](rounds=60, seed=SEED)
    first, second = rounds_of(world), rounds_of(world)
    assert len(first) == len(world) == 60
    assert np.array_equal(first, second)
    assert not np.array_equal(first, rounds_of(WORLDS[name](rounds=60, seed=SEED + 1)))


@worlds
def test_rewards_are_their_means_on_average(name):
    turns = list(WORLDS[name](rounds=2000, seed=SEED))
    means = [[turn.expected(arm) for arm in range(len(turn.rewards))] for turn in turns]
    off = np.array([turn.rewards for turn in turns]) - means
    assert abs(off.mean()) <= 4.0 * off.std() / np.sqrt(off.size)
    assert all(turn.best == max(each) for turn, each in zip(turns, means, strict=True))


@pytest.mark.parametrize("name", OF_ARMS)
def test_rounds_are_the_same_whoever_plays(name):
    world = WORLDS[name](rounds=60, seed=SEED)
    expected = rounds_of(world)
    for policy in (LinUCB, LinTS, StackedHybrid):
        seen = []

        class Noted:
            def __iter__(self):
                for turn in world:
                    seen.append(np.concatenate([turn.context.ravel(), turn.rewards]))  # noqa: B023
                    yield turn

        play(policy(world.n_arms, world.n_features, seed=SEED), Noted())
        assert np.array_equal(seen, expected)


@worlds
def test_no_world_draws_from_a_policy_s_stream(name, monkeypatch):
    seeds, plain = [], np.random.default_rng
    monkeypatch.setattr(np.random, "default_rng", lambda seed: (seeds.append(seed), plain(seed))[1])
    next(iter(WORLDS[name](rounds=5, seed=SEED)))
    # A policy draws from the stream of the bare number.
    assert seeds
    assert all(not np.isscalar(seed) and seed[0] == SEED for seed in seeds)


@pytest.mark.parametrize(
    ("make", "wrong", "told"),
    [
        (Synthetic, {"kind": "cubic"}, "'kind' must be one of linear, hybrid, abrupt, slow"),
        (Synthetic, {"n_arms": 0}, "'n_arms' must be a whole number of at least 1; got 0"),
        (Synthetic, {"n_features": 1.5}, "'n_features' must be a whole number of at least 1"),
        (Synthetic, {"rounds": 0}, "'rounds' must be a whole number of at least 1; got 0"),
        (Synthetic, {"noise": -0.1}, "'noise' must be a number of at least 0; got -0.1"),
        (Synthetic, {"kind": "slow", "n_features": 1}, "'n_features' must be at least 2"),
        (PlainWorld, {"kind": "clicks"}, "'kind' must be one of clicks-4"),
        (PlainWorld, {"kind": "orders", "rounds": 0}, "'rounds' must be a whole number"),
        (ItemWorld, {"kind": "unheard"}, "'kind' must be one of bilinear"),
        (ItemWorld, {"kind": "bilinear", "n_item": 0}, "'n_item' must be a whole number"),
        (ItemWorld, {"kind": "bilinear", "candidates": 0}, "'candidates' must be from 1 to 500"),
        (ItemWorld, {"kind": "catalogue", "candidates": 101}, "'candidates' must be from 1 to 100"),
    ],
)
def test_a_world_that_cannot_be_is_refused(make, wrong, told):
    with pytest.raises(InvalidInput, match=told):
        make(**{"kind": "linear", "seed": 0} | wrong)
