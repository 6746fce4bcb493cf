import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hybandit.kernels import ridge

few = settings(max_examples=40, deadline=None)
sizes = st.tuples(st.integers(1, 5), st.integers(1, 13), st.booleans(), st.integers(0, 2**32 - 1))


def factored(matrix):
    """S^-1 = U diag(scales) U' as the kernels keep it, from a Cholesky factor of S."""
    lower = np.linalg.cholesky(matrix)
    diagonal = np.diag(lower)
    unit = np.linalg.inv(lower).T * diagonal
    return np.tril(unit.T, -1), 1.0 / diagonal**2


def problem(n_arms, size, shared, seed):
    generator = np.random.default_rng(seed)
    roots = generator.normal(size=(n_arms, size + 2, size))
    matrices = np.eye(size) + roots.transpose(0, 2, 1) @ roots
    factors, scales = (np.array(part) for part in zip(*map(factored, matrices), strict=True))
    weights = generator.normal(size=(n_arms, size))
    contexts = generator.normal(size=(1 if shared else n_arms, size))
    return generator, matrices, factors, scales, weights, contexts


def plain_widths(matrices, contexts):
    rows = np.broadcast_to(contexts, (len(matrices), contexts.shape[1]))
    return np.array(
        [np.sqrt(x @ np.linalg.solve(s, x)) for s, x in zip(matrices, rows, strict=True)]
    )


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


@few
@given(sizes, st.integers(0, 3), st.booleans(), st.integers(1, 3))
def test_two_stages_equal_one_whatever_the_steps(case, copies, exact, step):
    generator, _, factors, scales, weights, contexts = problem(*case)
    n_arms = len(weights)
    factors[: n_arms // 2], scales[: n_arms // 2] = 0.0, 1.0
    chosen = np.concatenate([np.arange(n_arms), np.zeros(copies, int), np.full(copies, -1)])
    factors, scales = factors[chosen], scales[chosen]
    contexts = contexts if len(contexts) == 1 else contexts[chosen]
    values = generator.choice([0.0, 1.0], n_arms)[chosen]
    rates = generator.choice([-1.0, 0.0, 0.01, 3.0], n_arms)[chosen]
    allowed = generator.random(len(chosen)) < 0.7
    allowed[generator.integers(len(chosen))] = True
    untouched = chosen % n_arms < n_arms // 2
    whole, staged = np.empty(len(chosen)), np.empty(len(chosen))
    arms = (values, factors, scales, contexts, rates, allowed)
    ridge.upper(*arms, 1.0, True, whole)
    best, leader = ridge.first_scores(*arms, untouched, 1.0, staged)
    if not exact:
        sketch = np.zeros((len(chosen), 2, contexts.shape[1]))
        bounds = (contexts, rates, allowed, untouched, sketch)
        ridge.tighter_bounds(values, *bounds, best, leader, 1.0, staged)
    for start in range(step):
        ridge.other_scores(*arms, untouched, best, leader, exact, start, step, staged)
    if exact:
        assert np.array_equal(staged, whole)
    winners = allowed & (whole == whole[allowed].max())
    assert np.array_equal(allowed & (staged == staged[allowed].max()), winners)
    assert np.array_equal(staged[winners], whole[winners])


@few
@given(st.integers(1, 9), st.integers(1, 4), st.floats(1e-6, 1e3), st.integers(0, 2**32 - 1))
def test_a_sketch_never_allows_less_than_the_width(size, rows, reg, seed):
    generator = np.random.default_rng(seed)
    weights, levels = np.zeros((2, size)), np.zeros((2, 0))
    factors, scales = np.zeros((2, size, size)), np.full((2, size), 1.0 / reg)
    sketch, places = np.zeros((2, rows, size)), np.zeros(2, np.int64)
    basis = generator.normal(size=(min(size, 3), size))
    for _ in range(25):
        x = generator.normal(size=(1, len(basis))) @ basis * 10.0 ** generator.integers(-9, 9)
        ridge.update(weights, levels, factors, scales, x, 1, 0.0)
        ridge.add_to_sketch(sketch, places, x, 1, reg)
        for probe in (x, generator.normal(size=(1, size)), x + 1e-6):
            bound = ridge.length_beyond(sketch, probe, 1, 0) / np.sqrt(reg)
            width = ridge.width(factors, scales, probe, 1, 0)
            assert width <= bound * (1.0 + 1e-9)
            assert bound <= np.linalg.norm(probe) / np.sqrt(reg) * (1.0 + 1e-9)
    assert not sketch[0].any()


def test_a_sketch_spares_the_width_of_an_arm_that_knows_the_context():
    x = np.array([[3.0, 4.0]])
    factors, scales = np.zeros((2, 2, 2)), np.ones((2, 2))
    sketch, places = np.zeros((2, 1, 2)), np.zeros(2, np.int64)
    ridge.update(np.zeros((2, 2)), np.zeros((2, 0)), factors, scales, x, 1, 0.0)
    ridge.add_to_sketch(sketch, places, x, 1, 1.0)
    scores = np.empty(2)
    nobody, everybody = np.zeros(2, bool), np.ones(2, bool)
    values, rates = np.zeros(2), np.ones(2)
    arms = (values, factors, scales, x, rates, everybody, nobody)
    best, leader = ridge.first_scores(*arms, 1.0, scores)
    assert (best, leader, scores.tolist()) == (5.0, 0, [5.0, 5.0])
    bounds = (x, rates, everybody, nobody, sketch)
    assert ridge.tighter_bounds(values, *bounds, best, leader, 1.0, scores) == 0
    assert scores == pytest.approx([5.0, np.sqrt(25.0 / 26.0)])


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
