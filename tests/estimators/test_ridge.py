import numpy as np
import pytest
from fading_twins import FadingRidgeTwin
from hypothesis import given, settings
from hypothesis import strategies as st

from hybandit.errors import InvalidInput, ModelFileError
from hybandit.estimators import Ridge
from hybandit.kernels.ridge import upper

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
    moved = levelled.values(probe) - shift * (levelled.levels @ probe[0])
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


@few
@given(
    st.integers(1, 3),
    st.integers(1, 9),
    st.sampled_from([0.3, 0.7, 0.95, 0.998]),
    st.integers(0, 1000),
)
def test_a_fading_ridge_equals_sums_of_discounted_observations(n_arms, size, forget, seed):
    generator = np.random.default_rng(seed)
    prior = generator.normal(size=size)
    ridge = Ridge(n_arms, size, reg=0.7, prior=prior, level=True, forget=forget)
    twins = [FadingRidgeTwin(size, 0.7, prior, forget=forget) for _ in range(n_arms)]
    for number in range(60):
        x, target, arm = generator.normal(size=size), generator.normal(), generator.integers(n_arms)
        ridge.learn(x[None], arm, target)
        other = number % n_arms
        if other != arm and twins[other].fadings:
            twins[other].fade()
        twins[arm].learn(x, target)
        assert all((twin.ridge >= 0.7 * (1 - 1e-12)).all() for twin in twins)
        assert all((twin.ridge <= 1.4 * (1 + 1e-12)).all() for twin in twins)
    for arm, twin in enumerate(twins):
        np.testing.assert_allclose(ridge.inverse(arm), twin.inverse, rtol=1e-9, atol=1e-9)
        np.testing.assert_allclose(ridge.weights[arm], twin.weights, rtol=1e-9, atol=1e-9)
        np.testing.assert_allclose(ridge.levels[arm], twin.ones, rtol=1e-9, atol=1e-9)


def test_a_fading_ridge_stays_equal_over_a_long_life():
    """Data in one direction only, for long: the others live on what is renewed."""
    generator, forget = np.random.default_rng(0), 0.99
    ridge, twin = Ridge(1, 5, forget=forget), FadingRidgeTwin(5, 1.0, forget=forget)
    for number in range(20_000):
        x = generator.normal() * np.eye(5)[number // 5_000 % 5]
        ridge.learn(x[None], 0, x.sum())
        twin.learn(x, x.sum())
    np.testing.assert_allclose(ridge.inverse(0), twin.inverse, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(ridge.weights[0], twin.weights, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("forget", [0.5, 0.998])
def test_no_variance_exceeds_its_prior_and_none_comes_back_to_it_too_low(forget):
    generator, size, reg = np.random.default_rng(0), 12, 0.25
    ridge = Ridge(2, size, reg=reg, forget=forget)
    for number in range(6_000):
        x = generator.normal(size=(1, size)) * (number < 500)
        ridge.learn(x, 0, 1.0)
        if number % 50 == 0:
            variances = np.linalg.eigvalsh(ridge.inverse(0))
            assert variances.max() <= (1.0 + 1e-9) / reg
            assert variances.min() > 0.0
    # Nothing but zeros for long: the ridge alone is left, at most twice as strong.
    assert variances.min() >= (0.5 - 1e-6) / reg
    assert np.abs(ridge.weights[0]).max() < 1e-2


def test_an_arm_that_nobody_plays_is_forgotten_in_turn():
    ridge = Ridge(2, 2, forget=0.9)
    x = np.array([[1.0, 2.0]])
    ridge.learn(x, 0, 5.0)
    known = ridge.widths(x)[0]
    for _ in range(400):
        ridge.learn(x, 1, 0.0)
    assert ridge.widths(x)[0] > 1.5 * known
    assert abs(ridge.values(x)[0]) < 1e-6


def test_an_arm_never_played_does_not_fade():
    ridge = Ridge(2, 3, reg=0.5, forget=0.9)
    for _ in range(10):
        ridge.learn(np.ones((1, 3)), 0, 1.0)
    np.testing.assert_array_equal(ridge.inverse(1), 2.0 * np.eye(3))


def test_forgetting_and_gamma_do_not_go_together():
    with pytest.raises(InvalidInput, match="gamma"):
        Ridge(1, 1, gamma=0.1, forget=0.9)


@pytest.mark.parametrize("turn", [-2, 3])
def test_turns_of_features_that_are_not_there_are_refused(turn):
    state = Ridge(1, 3).state()
    with pytest.raises(ModelFileError, match="turn"):
        Ridge(1, 3).restore({**state, "turns": np.array([turn])})


@pytest.mark.parametrize("forget", [None, 0.9])
@pytest.mark.parametrize("shared", [True, False])
def test_a_large_ridge_scores_as_the_kernel_for_small_ones(shared, forget):
    """So large that it has shortcuts, and that all widths together are worth several threads."""
    generator = np.random.default_rng(6)
    large = Ridge(20, 380, reg=0.5, forget=forget)
    for _ in range(10):
        large.add_arm()
    for number in range(40):
        x = generator.normal(size=(1 if shared else 30, 380))
        rates = generator.choice([0.0, 0.1, 1.0], 30)
        allowed = generator.random(30) < 0.9
        allowed[0] = True
        scores = np.empty(30)
        upper(
            large.values(x), large.factors, large.scales, x, rates, allowed, large.widest, True,
            scores,
        )  # fmt: skip
        assert np.array_equal(large.upper(x, rates, allowed, exact=True), scores)
        pruned = large.upper(x, rates, allowed, exact=False)
        winners = allowed & (scores == scores[allowed].max())
        assert np.array_equal(allowed & (pruned == pruned[allowed].max()), winners)
        large.learn(x, int(generator.integers(1 + number // 2)), generator.normal())
    again = Ridge(30, 380, reg=0.5, forget=forget)
    again.restore(large.state())
    untouched = large._shortcuts.untouched
    assert again._shortcuts.untouched.tolist() == untouched.tolist()
    assert 0 < untouched.sum() < 30


def test_adding_arms_moves_them_rarely():
    ridge = Ridge(4, 3)
    places = set()
    for _ in range(60):
        ridge.add_arm()
        places.add(ridge.factors.ctypes.data)
    assert ridge.factors.shape == (64, 3, 3)
    assert len(places) <= 4


@pytest.mark.parametrize("options", [{}, {"level": True}, {"gamma": 0.5}])
def test_a_dropped_arm_leaves_the_others_as_they_were(options):
    generator = np.random.default_rng(0)
    whole, fresh = Ridge(3, 2, **options), Ridge(2, 2, **options)
    for number, x in enumerate(generator.normal(size=(12, 1, 2))):
        arm = number % 3
        whole.learn(x, arm, float(number), 0.1)
        if arm != 1:
            fresh.learn(x, arm - (arm > 1), float(number), 0.1)
    whole.drop_arm(1)
    for ridge in (whole, fresh):
        ridge.add_arm()
    for name, array in fresh.state().items():
        np.testing.assert_array_equal(whole.state()[name], array)


def test_a_ridge_that_has_become_small_needs_no_shortcuts():
    ridge = Ridge(3, 600)
    x, rates, allowed = np.ones((1, 600)), np.ones(3), np.ones(3, bool)
    for arm in range(3):
        ridge.learn((arm + 1.0) * x, arm, 1.0)
    expected = ridge.upper(x, rates, allowed)
    ridge.drop_arm(1)
    np.testing.assert_array_equal(ridge.upper(x, rates[:2], allowed[:2]), expected[[0, 2]])
    ridge.drop_arm(0)
    np.testing.assert_allclose(ridge.upper(x, rates[:1], allowed[:1]), expected[2:])
