import numpy as np
import pytest

from hybandit.environments import Synthetic
from hybandit.errors import InvalidInput

KINDS = ["linear", "hybrid", "abrupt", "slow"]


def world(kind, **options):
    return Synthetic(kind, **{"n_arms": 3, "n_features": 4, "rounds": 400, "seed": 1, **options})


def fitted(turns):
    """The weights that explain the means of some rounds, and by how much they miss."""
    contexts = np.array([turn.context for turn in turns])
    means = np.array([turn.means for turn in turns])
    weights, *_ = np.linalg.lstsq(contexts, means, rcond=None)
    return weights.T, np.abs(contexts @ weights - means).max()


@pytest.mark.parametrize("kind", KINDS)
def test_rounds_are_as_many_and_as_wide_as_asked_and_the_seed_decides_them(kind):
    turns = list(world(kind))
    assert len(turns) == len(world(kind)) == 400
    assert all(turn.context.shape == (4,) and turn.rewards.shape == (3,) for turn in turns)
    np.testing.assert_allclose([np.linalg.norm(turn.context) for turn in turns], 1.0)
    again, other = list(world(kind)), list(world(kind, seed=2))
    assert np.array_equal(turns[-1].rewards, again[-1].rewards)
    assert not np.array_equal(turns[-1].rewards, other[-1].rewards)


@pytest.mark.parametrize("kind", KINDS)
def test_rewards_are_the_means_and_noise_of_the_size_asked_for(kind):
    noise = np.concatenate([turn.rewards - turn.means for turn in world(kind, noise=0.5)])
    assert noise.std() == pytest.approx(0.5, rel=0.1)
    assert noise.mean() == pytest.approx(0.0, abs=0.05)
    assert all(np.array_equal(turn.rewards, turn.means) for turn in world(kind, noise=0.0))


def test_a_linear_world_is_linear_with_weights_of_unit_length():
    weights, missed = fitted(list(world("linear")))
    assert missed < 1e-9
    np.testing.assert_allclose(np.linalg.norm(weights, axis=1), 1.0)


def test_a_hybrid_world_has_bumps_on_top_of_the_linear_one():
    linear, hybrid = list(world("linear")), list(world("hybrid"))
    bumps = np.array([h.means - t.means for h, t in zip(hybrid, linear, strict=True)])
    assert (bumps >= 0.0).all()
    assert bumps.max() > 0.3
    assert fitted(hybrid)[1] > 0.1


def test_in_an_abrupt_world_the_arms_trade_places_halfway():
    before, after = list(world("hybrid")), list(world("abrupt"))
    for number, (first, second) in enumerate(zip(before, after, strict=True)):
        expected = first.means if number < 200 else np.roll(first.means, 1)
        np.testing.assert_allclose(second.means, expected)


def test_in_a_slow_world_the_weights_turn_through_a_right_angle():
    turns = list(world("slow", rounds=40_000, n_arms=2, n_features=2))
    start, _ = fitted(turns[:20])
    middle, _ = fitted(turns[19_990:20_010])
    end, _ = fitted(turns[-20:])
    np.testing.assert_allclose((start * end).sum(axis=1), 0.0, atol=5e-3)
    np.testing.assert_allclose((start * middle).sum(axis=1), np.sqrt(0.5), atol=5e-3)
    np.testing.assert_allclose(np.linalg.norm(middle, axis=1), 1.0, atol=5e-3)


def test_an_unknown_kind_is_refused():
    with pytest.raises(InvalidInput, match="'kind' must be one of linear, hybrid, abrupt, slow"):
        Synthetic("cubic", seed=0)


def test_the_truth_shares_no_draws_with_a_policy_of_the_same_seed():
    from hybandit.estimators import RandomCosines

    world = Synthetic("linear", n_arms=3, n_features=4, rounds=1, noise=0.0, seed=5)
    (turn,) = world
    directions = RandomCosines(4, np.random.default_rng(5)).directions
    lengths = np.linalg.norm(directions, axis=1)
    along = directions @ turn.context / lengths
    assert not np.isclose(along[:, None], turn.means).any()


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"n_arms": 0}, "'n_arms' must be a whole number of at least 1; got 0"),
        ({"n_features": 1.5}, "'n_features' must be a whole number of at least 1; got 1.5"),
        ({"rounds": 0}, "'rounds' must be a whole number of at least 1; got 0"),
        ({"noise": -0.1}, "'noise' must be a number of at least 0; got -0.1"),
    ],
)
def test_sizes_that_no_world_has_are_refused(wrong, told):
    with pytest.raises(InvalidInput, match=told):
        Synthetic("linear", seed=0, **wrong)
