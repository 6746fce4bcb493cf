import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hybandit.estimators import Ridge

few = settings(max_examples=30, deadline=None)


def relative(found, expected):
    return np.abs(found - expected).max() / np.abs(expected).max()


def learned(ridge, contexts, targets, arm=0):
    for x, target in zip(contexts, targets, strict=True):
        ridge.learn(x[None], arm, target)
    return ridge


def correlated(generator, count, size):
    """About unit length, neighbouring columns alike."""
    steps = generator.normal(size=(count, size))
    for column in range(1, size):
        steps[:, column] = 0.9 * steps[:, column - 1] + 0.44 * steps[:, column]
    return steps / np.sqrt(size)


def nearly_equal_columns(generator, count, size):
    common = generator.normal(size=(count, 1))
    return (common + 1e-3 * generator.normal(size=(count, size))) / np.sqrt(size)


@pytest.mark.parametrize("kind", [correlated, nearly_equal_columns])
def test_100_000_updates_equal_a_fresh_solve(kind):
    generator = np.random.default_rng(0)
    contexts = kind(generator, 100_000, 20)
    targets = contexts @ generator.normal(size=20) + generator.normal(size=100_000)
    ridge = learned(Ridge(1, 20), contexts, targets)
    gram = np.eye(20) + contexts.T @ contexts
    assert relative(ridge.inverse(0), np.linalg.solve(gram, np.eye(20))) < 1e-6
    assert relative(ridge.weights[0], np.linalg.solve(gram, contexts.T @ targets)) < 1e-6
    probe = generator.normal(size=20)
    width = np.sqrt(probe @ np.linalg.solve(gram, probe))
    assert ridge.widths(probe[None])[0] == pytest.approx(width, rel=1e-6)


def test_by_hand():
    ridge = Ridge(2, 2, reg=2.0)
    ridge.learn(np.array([[1.0, 1.0]]), 1, 3.0)
    x = np.array([[1.0, 0.0]])
    np.testing.assert_allclose(ridge.inverse(1), [[0.375, -0.125], [-0.125, 0.375]], rtol=1e-12)
    np.testing.assert_allclose(ridge.values(x), [0.0, 0.75], rtol=1e-12)
    np.testing.assert_allclose(ridge.widths(x), np.sqrt([0.5, 0.375]), rtol=1e-12)
    rates = np.array([1.0, 2.0])
    expected = [np.sqrt(0.5), 0.75 + 2.0 * np.sqrt(0.375)]
    np.testing.assert_allclose(ridge.upper(x, rates, np.ones(2, bool)), expected, rtol=1e-12)


def test_each_arm_learns_from_its_own_row():
    ridge = Ridge(2, 1)
    ridge.learn(np.array([[100.0], [1.0]]), 1, 1.0)
    assert ridge.values(np.array([[1.0], [2.0]])).tolist() == [0.0, 1.0]


def test_a_prior_is_what_the_ridge_shrinks_towards():
    generator = np.random.default_rng(1)
    prior = np.array([0.5, -1.0, 0.0])
    contexts, targets = generator.normal(size=(7, 3)), generator.normal(size=7)
    ridge = Ridge(1, 3, reg=2.0, prior=prior)
    assert ridge.weights[0].tolist() == prior.tolist()
    learned(ridge, contexts, targets)
    expected = np.linalg.solve(
        2.0 * np.eye(3) + contexts.T @ contexts, 2.0 * prior + contexts.T @ targets
    )
    np.testing.assert_allclose(ridge.weights[0], expected, rtol=1e-9)


@pytest.mark.parametrize("prior", [None, np.array([1.0, -2.0, 0.5])])
def test_gamma_adds_the_squared_spread_to_the_diagonal(prior):
    generator = np.random.default_rng(2)
    ridge = Ridge(2, 3, reg=0.5, prior=prior, gamma=0.3)
    gram = 0.5 * np.eye(3)
    moment = np.zeros(3) if prior is None else 0.5 * prior
    for _ in range(40):
        x, target, spread = generator.normal(size=3), generator.normal(), generator.exponential()
        ridge.learn(x[None], 1, target, spread)
        gram += np.outer(x, x) + 0.3 * spread**2 * np.eye(3)
        moment += target * x
    np.testing.assert_allclose(ridge.inverse(1), np.linalg.inv(gram), rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(ridge.weights[1], np.linalg.solve(gram, moment), rtol=1e-9)
    probe = generator.normal(size=(1, 3))
    width = np.sqrt(probe[0] @ np.linalg.solve(gram, probe[0]))
    assert ridge.widths(probe)[1] == pytest.approx(width)
    np.testing.assert_allclose(ridge.inverse(0), 2.0 * np.eye(3))


@few
@given(st.floats(-1e3, 1e3), st.integers(0, 1000))
def test_levels_shift_the_weights_as_if_all_targets_had_been_shifted(shift, seed):
    generator = np.random.default_rng(seed)
    contexts, targets = generator.normal(size=(30, 5)), generator.normal(size=30)
    levelled = learned(Ridge(1, 5, level=True), contexts, targets)
    shifted = learned(Ridge(1, 5), contexts, targets - shift)
    found = levelled.weights - shift * levelled.levels
    np.testing.assert_allclose(found, shifted.weights, rtol=1e-8, atol=1e-9 * (1.0 + abs(shift)))
    probe = generator.normal(size=(1, 5))
    moved = levelled.values(probe) - shift * levelled.level_values(probe)
    np.testing.assert_allclose(moved, shifted.values(probe), atol=1e-9 * (1.0 + abs(shift)))


@few
@given(st.integers(1, 4), st.integers(1, 9), st.integers(0, 12), st.integers(0, 1000))
def test_many_contexts_at_once_equal_one_by_one(n_arms, size, count, seed):
    generator = np.random.default_rng(seed)
    ridge = Ridge(n_arms, size, reg=0.7)
    for arm in generator.integers(n_arms, size=20):
        ridge.learn(generator.normal(size=(1, size)), arm, generator.normal())
    contexts = generator.normal(size=(count, size))
    before = contexts.copy()
    values, widths = ridge.values_and_widths(contexts)
    assert values.shape == widths.shape == (count, n_arms)
    for row, x in enumerate(contexts):
        np.testing.assert_allclose(values[row], ridge.values(x[None]), rtol=1e-9, atol=1e-12)
        np.testing.assert_allclose(widths[row], ridge.widths(x[None]), rtol=1e-9)
    assert np.array_equal(contexts, before)


@pytest.mark.parametrize("gamma", [0.0, 0.5])
def test_a_new_arm_starts_as_the_first_ones_did(gamma):
    prior = np.array([1.0, 2.0])
    grown, fresh = (Ridge(n, 2, reg=3.0, prior=prior, gamma=gamma) for n in (1, 2))
    x = np.array([[0.5, -1.0]])
    for ridge in (grown, fresh):
        ridge.learn(x, 0, 1.0, 0.1)
    grown.add_arm()
    for ridge in (grown, fresh):
        ridge.learn(x, 1, -1.0, 0.2)
    for name, array in fresh.state().items():
        assert np.array_equal(array, grown.state()[name]), name
