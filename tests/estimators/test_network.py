import numpy as np
import pytest

from hybandit.estimators import Network
from hybandit.estimators.network import GradientWidth


def trained(network, contexts, arms, targets, steps=400, rate=0.1):
    batches = np.arange(len(arms))[None]
    network.train(contexts, arms, targets, batches, steps=steps, rate=rate, momentum=0.9)
    return network


@pytest.mark.parametrize("shape", ["block", "heads", "separate"])
def test_every_shape_learns_what_differs_between_arms(shape):
    generator = np.random.default_rng(0)
    contexts = generator.choice([-1.0, 1.0], (40, 2)).astype(np.float32)
    arms = generator.integers(0, 2, 40)
    # Same or different signs: no line tells them apart.
    same = contexts[:, 0] == contexts[:, 1]
    targets = np.where(arms == 0, same, ~same).astype(float)
    network = trained(Network(2, 2, generator, hidden=30, shape=shape), contexts, arms, targets)
    for x, agree in (([1.0, 1.0], True), ([1.0, -1.0], False)):
        assert np.allclose(network.values(np.array([x])), [agree, not agree], atol=0.1)


@pytest.mark.parametrize("shape", ["block", "heads", "separate"])
def test_an_arm_not_trained_on_keeps_its_own_parameters(shape):
    generator = np.random.default_rng(0)
    network = Network(2, 2, generator, hidden=5, shape=shape)
    before = [part.copy() for part in network.parts]
    trained(network, np.ones((3, 2), np.float32), np.zeros(3, np.int64), np.ones(3), steps=2)
    changed = [not np.array_equal(old, new) for old, new in zip(before, network.parts, strict=True)]
    assert all(changed)
    for old, new in zip(before, network.parts, strict=True):
        if len(old) == 2:
            assert np.array_equal(old[1], new[1])


def test_features_are_the_hidden_layer():
    network = Network(3, 4, np.random.default_rng(0), hidden=6, shape="heads")
    contexts = np.random.default_rng(1).normal(size=(5, 4))
    features = network.features(contexts.astype(np.float32))
    for x, row in zip(contexts, features, strict=True):
        assert np.allclose(network.outputs(x[None])[1], row, atol=1e-6)


def test_huge_targets_leave_finite_parameters():
    network = Network(1, 2, np.random.default_rng(0), hidden=5)
    for _ in range(50):
        trained(network, np.full((2, 2), 1e5, np.float32), np.zeros(2, np.int64), np.full(2, 1e100))
    assert all(np.isfinite(part).all() for part in network.parts)


@pytest.mark.parametrize("shape", ["block", "heads", "separate"])
def test_a_dropped_arm_takes_what_was_its_own_only(shape):
    network = Network(3, 2, np.random.default_rng(0), hidden=4, shape=shape)
    unsure = GradientWidth(network, lam=0.1)
    x = np.array([[0.3, -0.4]])
    unsure.learn(x, 2)
    values, widths = unsure.values_and_widths(x)
    network.drop_arm(1)
    unsure.drop_arm(1)
    found = unsure.values_and_widths(x)
    np.testing.assert_array_equal(found[0], values[[0, 2]])
    np.testing.assert_array_equal(found[1], widths[[0, 2]])
    network.add_arm()
    unsure.add_arm()
    assert len(unsure.values_and_widths(x)[0]) == 3
