"""The environment's randomness is its own: no policy, whatever its seed, shares or changes it."""

import numpy as np
import pytest

from hybandit import LinTS, LinUCB, StackedHybrid
from hybandit.environments import Classification, ItemWorld, Synthetic, play
from hybandit.environments.synthetic import KINDS

ROWS, LABELS = np.random.default_rng(1).normal(size=(40, 3)), np.arange(40) % 3
SEED = 5
WORLDS = {
    "classes": lambda: Classification(ROWS, LABELS, seed=SEED, rounds=90),
    "clicks": lambda: Classification(ROWS, LABELS, seed=SEED, probabilities=(0.2, 0.6)),
    **{kind: lambda kind=kind: Synthetic(kind, rounds=60, seed=SEED) for kind in KINDS},
}
POLICIES = (LinUCB, LinTS, StackedHybrid)


def recorded(world, policy):
    """Every round's context and the rewards of all arms, while the policy plays."""
    seen = []

    class Noted:
        n_arms, n_features = world.n_arms, world.n_features

        def __iter__(self):
            for turn in world:
                rewards = [turn.reward(arm) for arm in range(world.n_arms)]
                seen.append(np.concatenate([turn.context.ravel(), rewards]))
                yield turn

    play(policy(world.n_arms, world.n_features, seed=SEED), Noted())
    return np.array(seen)


@pytest.mark.parametrize("name", WORLDS)
def test_rounds_are_the_same_whoever_plays(name):
    first, *others = (recorded(WORLDS[name](), policy) for policy in POLICIES)
    for other in others:
        np.testing.assert_array_equal(first, other)


@pytest.fixture
def seeds(monkeypatch):
    """What generators are seeded with while the test runs."""
    found = []
    plain = np.random.default_rng
    monkeypatch.setattr(np.random, "default_rng", lambda seed: (found.append(seed), plain(seed))[1])
    return found


@pytest.mark.parametrize(
    "make", [*WORLDS.values(), lambda: ItemWorld("bilinear", rounds=5, seed=SEED)]
)
def test_no_environment_draws_from_a_policy_s_stream(make, seeds):
    for turn in make():
        assert turn is not None
        break
    assert seeds
    for seed in seeds:
        # A policy draws from the stream of the bare number.
        assert not np.isscalar(seed)
        assert seed[0] == SEED


def test_the_order_of_rows_is_not_the_first_draw_of_a_policy_with_the_seed():
    contexts = np.arange(50.0)[:, None]
    order = [turn.context[0] for turn in Classification(contexts, np.arange(50) % 2, seed=SEED)]
    assert order != np.random.default_rng(SEED).permutation(50).tolist()
