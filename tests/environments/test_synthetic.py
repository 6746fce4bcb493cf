import numpy as np
import pytest

from hybandit.environments import Synthetic


def world(kind, **options):
    return Synthetic(kind, **{"n_arms": 3, "n_features": 4, "rounds": 400, "seed": 1, **options})


def fitted(turns):
    """The weights that explain the means of some rounds, and by how much they miss."""
    contexts = np.array([turn.context for turn in turns])
    means = np.array([turn.means for turn in turns])
    weights, *_ = np.linalg.lstsq(contexts, means, rcond=None)
    return weights.T, np.abs(contexts @ weights - means).max()


def test_noise_is_of_the_size_asked_for():
    noise = np.concatenate([turn.rewards - turn.means for turn in world("hybrid", noise=0.5)])
    assert noise.std() == pytest.approx(0.5, rel=0.1)
    assert all(np.array_equal(turn.rewards, turn.means) for turn in world("hybrid", noise=0.0))


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
