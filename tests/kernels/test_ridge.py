import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from kernels.ridges import few, plain_widths, problem, sizes

from hybandit.kernels import ridge


@few
@given(sizes)
def test_means_are_the_products_of_weights_and_contexts(case):
    _, _, _, _, weights, contexts = problem(*case)
    out = np.empty(len(weights))
    ridge.means(weights, contexts, out)
    np.testing.assert_allclose(out, (weights * contexts).sum(axis=1), rtol=1e-12, atol=1e-12)


@few
@given(sizes)
def test_widths_are_roots_of_the_quadratic_form(case):
    _, matrices, factors, scales, _, contexts = problem(*case)
    out = np.empty(len(matrices))
    ridge.widths(factors, scales, contexts, out)
    expected = plain_widths(matrices, contexts)
    np.testing.assert_allclose(out, expected, rtol=1e-9)
    row = len(contexts) - 1
    last = len(matrices) - 1
    assert ridge.width(factors, scales, contexts, last, row) == out[-1]


@few
@given(sizes)
def test_upper_is_value_plus_rate_times_width_for_every_arm(case):
    generator, matrices, factors, scales, weights, contexts = problem(*case)
    n_arms = len(weights)
    rates = generator.choice([-1.0, 0.0, 0.5, 3.0], n_arms)
    nobody = np.zeros(n_arms, bool)
    expected = (weights * contexts).sum(axis=1) + rates * plain_widths(matrices, contexts)
    scores = np.empty(n_arms)
    ridge.linear_upper(weights, factors, scales, contexts, rates, nobody, 1.0, True, scores)
    np.testing.assert_allclose(scores, expected, rtol=1e-9, atol=1e-12)
    values = generator.normal(size=n_arms)
    ridge.upper(values, factors, scales, contexts, rates, nobody, 1.0, True, scores)
    expected = values + rates * plain_widths(matrices, contexts)
    np.testing.assert_allclose(scores, expected, rtol=1e-9, atol=1e-12)


@few
@given(sizes, st.integers(0, 3))
def test_pruned_upper_has_the_same_winners_as_the_exact_one(case, copies):
    generator, _, factors, scales, weights, contexts = problem(*case)
    chosen = np.concatenate([np.arange(len(weights)), np.zeros(copies, int)])
    weights, factors, scales = weights[chosen], factors[chosen], scales[chosen]
    contexts = contexts if len(contexts) == 1 else contexts[chosen]
    rates = generator.choice([-1.0, 0.0, 0.01, 3.0], len(weights))[chosen]
    allowed = generator.random(len(chosen)) < 0.7
    allowed[generator.integers(len(chosen))] = True
    exact, pruned = np.empty(len(chosen)), np.empty(len(chosen))
    arguments = (weights, factors, scales, contexts, rates, allowed, 1.0)
    ridge.linear_upper(*arguments, True, exact)
    ridge.linear_upper(*arguments, False, pruned)
    winners = allowed & (exact == exact[allowed].max())
    assert np.array_equal(allowed & (pruned == pruned[allowed].max()), winners)
    assert np.array_equal(pruned[winners], exact[winners])


def test_pruning_leaves_hopeless_arms_unmeasured():
    factors, scales = np.zeros((2, 1, 1)), np.array([[1.0], [0.01]])
    values, rates = np.array([5.0, 0.0]), np.ones(2)
    scores = np.empty(2)
    ridge.upper(
        values, factors, scales, np.ones((1, 1)), rates, np.ones(2, bool), 1.0, False, scores
    )
    assert scores.tolist() == [6.0, 1.0]


@pytest.mark.parametrize("shared", [True, False])
@pytest.mark.parametrize("size", [1, 2, 7, 16])
def test_update_equals_a_fresh_solve_and_leaves_other_arms_alone(size, shared):
    generator = np.random.default_rng(size)
    n_arms, reg, played = 3, 0.5, 1
    weights, levels = np.zeros((n_arms, size)), np.zeros((n_arms, size))
    factors, scales = np.zeros((n_arms, size, size)), np.full((n_arms, size), 1.0 / reg)
    gram, moment, total = reg * np.eye(size), np.zeros(size), np.zeros(size)
    for _ in range(50):
        contexts = generator.normal(size=(1 if shared else n_arms, size))
        target = generator.normal()
        ridge.update(weights, levels, factors, scales, contexts, played, target)
        x = contexts[0 if shared else played]
        gram += np.outer(x, x)
        moment += target * x
        total += x
    unit = factors[played].T + np.eye(size)
    np.testing.assert_allclose(
        (unit * scales[played]) @ unit.T, np.linalg.inv(gram), rtol=1e-9, atol=1e-12
    )
    np.testing.assert_allclose(weights[played], np.linalg.solve(gram, moment), rtol=1e-9)
    np.testing.assert_allclose(levels[played], np.linalg.solve(gram, total), rtol=1e-9)
    for other in (0, 2):
        assert not weights[other].any()
        assert not levels[other].any()
        assert not factors[other].any()
        assert (scales[other] == 1.0 / reg).all()


def test_update_without_columns_for_levels_keeps_none():
    weights, levels = np.zeros((1, 1)), np.zeros((1, 0))
    ridge.update(weights, levels, np.zeros((1, 1, 1)), np.ones((1, 1)), np.ones((1, 1)), 0, 1.0)
    assert weights[0, 0] == 0.5
    assert levels.shape == (1, 0)


def test_updates_with_the_largest_inputs_stay_finite():
    generator = np.random.default_rng(0)
    weights, levels = np.zeros((1, 4)), np.zeros((1, 4))
    factors, scales = np.zeros((1, 4, 4)), np.ones((1, 4))
    for size in 10.0 ** generator.uniform(-120, 100, 500):
        contexts = size * generator.choice([-1.0, 0.0, 1.0], (1, 4))
        ridge.update(weights, levels, factors, scales, contexts, 0, 1e100)
    for array in (weights, levels, factors, scales):
        assert np.isfinite(array).all()
    assert (scales >= 0.0).all()


@few
@given(sizes, st.floats(0.3, 0.999), st.floats(0.01, 2.0))
def test_fade_discounts_one_arm_and_gives_some_features_ridge_back(case, forget, amount):
    generator, matrices, factors, scales, weights, _ = problem(*case)
    n_arms, size = weights.shape
    arm, start = int(generator.integers(n_arms)), int(generator.integers(size))
    stop = int(generator.integers(start, size + 1))
    prior, levels = generator.normal(size=size), generator.normal(size=weights.shape)
    before = [array.copy() for array in (weights, levels, factors, scales)]
    back = np.zeros(size)
    back[start:stop] = amount
    gram = forget * matrices[arm] + np.diag(back)
    moment = forget * matrices[arm] @ weights[arm] + back * prior
    total = forget * matrices[arm] @ levels[arm]
    ridge.fade(weights, levels, factors, scales, prior, arm, forget, start, stop, amount)
    unit = factors[arm].T + np.eye(size)
    inverse = (unit * scales[arm]) @ unit.T
    np.testing.assert_allclose(inverse, np.linalg.inv(gram), rtol=1e-8, atol=1e-10)
    np.testing.assert_allclose(weights[arm], np.linalg.solve(gram, moment), rtol=1e-8, atol=1e-9)
    np.testing.assert_allclose(levels[arm], np.linalg.solve(gram, total), rtol=1e-8, atol=1e-9)
    others = np.arange(n_arms) != arm
    for old, new in zip(before, (weights, levels, factors, scales), strict=True):
        assert np.array_equal(old[others], new[others])
