import numpy as np
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
