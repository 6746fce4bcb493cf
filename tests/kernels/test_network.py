"""Gradients against finite differences, steps against the gradient."""

import numpy as np
import pytest
from twins import NeuralTwin

from hybandit import NeuralUCB
from hybandit.kernels import network as kernels


def twin_and_policy(n_arms=3, n_features=4, hidden=6):
    policy = NeuralUCB(n_arms, n_features, hidden=hidden, seed=5)
    return NeuralTwin(policy), policy


def numerical(function, parts, step=1e-6):
    """Central differences of a number in every parameter."""
    slopes = []
    for part in parts:
        slope = np.empty(part.shape)
        for place in np.ndindex(part.shape):
            kept = part[place]
            part[place] = kept + step
            above = function()
            part[place] = kept - step
            slope[place] = (above - function()) / (2.0 * step)
            part[place] = kept
        slopes.append(slope)
    return slopes


def test_squared_gradients_are_those_of_finite_differences():
    plain, policy = twin_and_policy()
    x = np.random.default_rng(0).normal(size=4)
    unsure = policy._unsure
    generator = np.random.default_rng(1)
    for part in unsure.parts:
        part[...] = generator.random(part.shape)
    variances = [
        unsure.weights.reshape(-1, 6), unsure.offsets[0], unsure.heads[0], unsure.levels,
    ]  # fmt: skip
    found = unsure.values_and_widths(x[None])[1] ** 2 / policy.lam
    for arm in range(3):
        vector = plain.blocked(x, arm)
        slopes = numerical(
            lambda vector=vector: plain.outputs(vector[None])[0][0], plain.parameters
        )
        expected = sum((g * g * v).sum() for g, v in zip(slopes, variances, strict=True))
        assert found[arm] == pytest.approx(expected, rel=1e-4)


@pytest.mark.parametrize("decay", [0.0, 0.3])
def test_a_step_goes_down_the_slope_of_finite_differences(decay):
    plain, policy = twin_and_policy()
    generator = np.random.default_rng(2)
    contexts = generator.normal(size=(9, 4))
    arms, targets = generator.integers(0, 3, 9), generator.normal(size=9)
    vectors = np.array([plain.blocked(x, arm) for x, arm in zip(contexts, arms, strict=True)])
    slopes = numerical(lambda: plain.loss(vectors, targets, decay), plain.parameters)
    network = policy._network
    before = [part.astype(float) for part in network.parts]
    network.train(
        contexts.astype(np.float32), arms, targets, np.arange(9)[None], steps=1, rate=0.5,
        decay=decay,
    )  # fmt: skip
    for old, new, slope in zip(before, network.parts, slopes, strict=True):
        assert np.allclose((old - new).ravel() / 0.5, slope.ravel(), rtol=1e-3, atol=1e-4)


def test_too_long_a_context_is_shortened_and_keeps_its_direction():
    out = np.empty((1, 2), np.float32)
    kernels.shorten(np.array([[3e99, 4e99]]), out)
    assert np.allclose(out, [[0.6 * kernels.LONGEST, 0.8 * kernels.LONGEST]])
    kernels.shorten(np.array([[3.0, 4.0]]), out)
    assert out.tolist() == [[3.0, 4.0]]
    kernels.shorten(np.zeros((1, 2)), out)
    assert out.tolist() == [[0.0, 0.0]]


def test_variances_never_shrink_to_nothing():
    assert kernels.shrunk(1e-20, 1e30) == kernels.SMALLEST
    assert kernels.shrunk(0.5, 2.0) == 0.25


def test_a_batch_is_sorted_by_arm():
    contexts = np.arange(5, dtype=np.float32)[:, None]
    arms, targets = np.array([2, 0, 2, 1, 0]), np.arange(5.0)
    rows, wanted = np.empty((4, 1), np.float32), np.empty(4)
    ends = np.empty(4, np.int64)
    kernels.gather(contexts, arms, targets, np.array([0, 1, 3, 4]), 4, rows, wanted, ends)
    assert rows[:, 0].tolist() == wanted.tolist() == [1.0, 4.0, 3.0, 0.0]
    assert ends.tolist() == [2, 3, 4, 4]
