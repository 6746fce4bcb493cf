import time
import tracemalloc

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from scipy.stats import norm

from hybandit.policies.base import probability

few = settings(max_examples=25, deadline=None)
powers = st.floats(-4, 0).map(lambda power: 10.0**power)
places = st.floats(-2, 2)
shapes = st.floats(-0.3, 3).map(lambda power: 10.0**power)


def of_normal(means, deviations, allowed=None, ties="random"):
    means, deviations = np.array(means, float), np.array(deviations, float)
    allowed = np.ones(len(means), bool) if allowed is None else np.array(allowed)
    return probability.of_largest_normal(means, deviations, allowed, ties)


def of_student(centres, scales, freedoms):
    arrays = (np.array(values, float) for values in (centres, scales, freedoms))
    return probability.of_largest_student(*arrays, np.ones(len(centres), bool), "random")


def of_beta(first, second, shifts=None, stretches=None, ties="random"):
    count = len(first)
    return probability.of_largest_beta(
        np.array(first, float),
        np.array(second, float),
        np.zeros(count) if shifts is None else np.array(shifts, float),
        np.ones(count) if stretches is None else np.array(stretches, float),
        np.ones(count, bool),
        ties,
    )


def by_definition(frozen, count, points=3000):
    """``integral of prod_{b != a} F_b dF_a`` on thousands of quantiles of every arm."""
    tail = np.logspace(-14, -2, points // 4)
    parts = np.concatenate([tail, np.linspace(0.01, 0.99, points // 2)[1:-1]])
    grid = np.unique(np.append(frozen.ppf(parts[:, None]), frozen.isf(tail[:, None])))
    below = frozen.cdf(grid[:, None]).T
    out = np.empty(count)
    for arm in range(count):
        others = np.delete(below, arm, axis=0).prod(axis=0)
        out[arm] = (np.diff(below[arm]) * (others[1:] + others[:-1]) / 2.0).sum()
    return out / out.sum()


def assert_true(found, expected):
    """The promise: 1e-3 of what is at least 1e-5, a sum of 1, and nothing likely left out."""
    assert found.sum() == pytest.approx(1.0, abs=1e-12)
    assert (found >= 0.0).all()
    assert (found[expected > 1e-12] > 0.0).all()
    likely = expected >= 1e-5
    assert found[likely] == pytest.approx(expected[likely], rel=1e-3)


def test_equal_scores_share_or_the_first_takes_all():
    scores = np.array([1.0, 3.0, 3.0, 9.0])
    allowed = np.array([True, True, True, False])
    assert probability.of_largest_score(scores, allowed, "random").tolist() == [0, 0.5, 0.5, 0]
    assert probability.of_largest_score(scores, allowed, "first").tolist() == [0, 1, 0, 0]


@few
@given(places, places, powers, powers)
def test_two_normals_are_known_in_closed_form_far_into_the_tail(m1, m2, s1, s2):
    expected = norm.cdf(np.array([m1 - m2, m2 - m1]) / np.hypot(s1, s2))
    assert_true(of_normal([m1, m2], [s1, s2]), expected)


@few
@given(st.lists(st.tuples(places, powers), min_size=2, max_size=7))
def test_normals_agree_with_the_definition(arms):
    means, deviations = np.array(arms).T
    expected = by_definition(stats.norm(means, deviations), len(arms))
    assert_true(of_normal(means, deviations), expected)


@few
@given(st.lists(st.tuples(places, powers, st.floats(2, 60)), min_size=2, max_size=5))
def test_students_agree_with_the_definition(arms):
    centres, scales, freedoms = np.array(arms).T
    expected = by_definition(stats.t(freedoms, centres, scales), len(arms))
    assert_true(of_student(centres, scales, freedoms), expected)


@few
@given(st.lists(st.tuples(shapes, shapes), min_size=2, max_size=5))
def test_betas_agree_with_the_definition(arms):
    first, second = np.array(arms).T
    expected = by_definition(stats.beta(first, second), len(arms))
    assert_true(of_beta(first, second), expected)


@pytest.mark.parametrize("seed", range(3))
def test_moved_and_stretched_betas_agree_with_the_definition(seed):
    generator = np.random.default_rng(seed)
    first, second = generator.uniform(0.5, 20, (2, 6))
    shifts, stretches = generator.uniform(0, 0.3, 6), 10.0 ** generator.uniform(-2, 0.5, 6)
    offsets = (1.0 - stretches) * first / (first + second) + shifts
    expected = by_definition(stats.beta(first, second, offsets, stretches), 6)
    assert_true(of_beta(first, second, shifts, stretches), expected)


def test_arms_not_allowed_have_no_part():
    found = of_normal([0.0, 50.0, 0.0], [1.0, 1.0, 1.0], allowed=[True, False, True])
    assert found == pytest.approx([0.5, 0.0, 0.5], abs=1e-6)


@pytest.mark.parametrize("height", [-100.0, -1.0, 0.0, 0.7, 6.5, 100.0])
def test_a_point_wins_when_every_draw_falls_below_it(height):
    found = of_normal([height, 0.0, 0.0], [0.0, 1.0, 1.0])
    missed = -np.expm1(2 * norm.logcdf(height))
    assert found == pytest.approx([1.0 - missed, missed / 2, missed / 2], rel=1e-3)


@pytest.mark.parametrize(("ties", "shares"), [("random", [0.5, 0.5]), ("first", [1.0, 0.0])])
def test_only_the_highest_points_count_and_equal_ones_go_by_the_rule_for_ties(ties, shares):
    assert of_normal([0.3, 0.3], [0.0, 0.0], ties=ties).tolist() == shares
    found = of_normal([0.3, 0.3, 0.0, 0.2], [0.0, 0.0, 1.0, 0.0], ties=ties)
    won = norm.cdf(0.3)
    assert found == pytest.approx([won * shares[0], won * shares[1], 1 - won, 0.0], abs=1e-3)
    assert of_beta([1, 1], [1, 1], stretches=[0, 0], ties=ties).tolist() == shares


def test_a_beta_without_stretch_is_a_point_at_its_mean():
    found = of_beta([3.0, 1.0], [1.0, 1.0], stretches=[0.0, 1.0])
    assert found == pytest.approx([0.75, 0.25], abs=1e-3)


@pytest.mark.parametrize("tiny", [1e-17, 1e-30, 1e-310])
def test_needles_finer_than_rounding_are_points(tiny):
    assert of_normal([1.0, 2.0], [tiny, tiny]) == pytest.approx([0.0, 1.0], abs=1e-3)
    expected = [norm.cdf(-1.0), norm.cdf(1.0)]
    assert of_normal([1.0, 2.0], [tiny, 1.0]) == pytest.approx(expected, abs=1e-3)


@pytest.mark.parametrize("prior", [0.1, 0.02, 0.01])
def test_beta_draws_near_zero_keep_their_share(prior):
    first, second = np.full(2, prior), prior + np.array([20.0, 240.0])
    draws = np.random.default_rng(0).beta(first, second, size=(200_000, 2))
    ties = draws[:, 0] == draws[:, 1]
    seen = (draws[:, 0] > draws[:, 1]).mean() + ties.mean() / 2
    assert of_beta(first, second)[0] == pytest.approx(seen, abs=0.006)


def crossing(generator, count):
    """Scales from 1e-8 to 1, all of which begin at one place."""
    scales = 10.0 ** generator.uniform(-8, 0, count)
    return scales * generator.uniform(-6, 6, count), scales


def alike(generator, count):
    return 1e-9 * generator.normal(size=count), np.ones(count)


def learned(generator, count):
    return generator.normal(size=count), 1.0 / np.sqrt(generator.integers(1, 1000, count))


@pytest.mark.parametrize("world", [crossing, alike, learned])
@pytest.mark.parametrize("kind", ["normal", "student", "beta"])
def test_a_dozen_arms_agree_with_the_definition(kind, world):
    generator = np.random.default_rng(12)
    centres, scales = world(generator, 12)
    if kind == "normal":
        found, frozen = of_normal(centres, scales), stats.norm(centres, scales)
    elif kind == "student":
        freedoms = 12.0 + np.arange(12)
        found, frozen = of_student(centres, scales, freedoms), stats.t(freedoms, centres, scales)
    else:
        first, second = generator.uniform(0.7, 50, (2, 12))
        found = of_beta(first, second, centres, scales)
        offsets = (1.0 - scales) * first / (first + second) + centres
        frozen = stats.beta(first, second, offsets, scales)
    assert_true(found, by_definition(frozen, 12))


@pytest.mark.parametrize("largest", [0.3, 10.0, 1e6])
@pytest.mark.parametrize("moved", [False, True])
def test_betas_of_shapes_far_apart_agree_with_the_definition(largest, moved):
    """Each ends elsewhere, many of them steeply."""
    generator = np.random.default_rng(0)
    first, second = 10.0 ** generator.uniform(-1.0, np.log10(largest), (2, 12))
    shifts = 0.1 * generator.normal(size=12) if moved else np.zeros(12)
    stretches = 10.0 ** generator.uniform(-3, 1, 12) if moved else np.ones(12)
    offsets = (1.0 - stretches) * first / (first + second) + shifts
    expected = by_definition(stats.beta(first, second, offsets, stretches), 12)
    assert_true(of_beta(first, second, shifts, stretches), expected)


def test_no_share_is_left_beyond_the_largest_draw():
    """The first ends steeply, and rounding may put a part of its draws just behind its end."""
    first, second = np.array([0.42, 7.9]), np.array([0.11, 1.26])
    draws = stats.beta(first[0], second[0]).ppf((np.arange(10_000) + 0.5) / 10_000)
    for offset, width in np.random.default_rng(0).uniform([0.6, 0.001], [0.85, 0.1], (20, 2)):
        shift = offset - (1.0 - width) * first[0] / (first + second)[0]
        expected = stats.beta(first[1], second[1]).cdf(offset + width * draws).mean()
        found = of_beta(first, second, np.array([shift, 0.0]), np.array([width, 1.0]))
        assert found[0] == pytest.approx(expected, rel=1e-3)


@pytest.mark.parametrize("count", [1, 2, 17, 1000])
@pytest.mark.parametrize("scale", [1e-8, 1.0, 1e90])
def test_any_number_of_equal_arms_share_alike(count, scale):
    even = pytest.approx(np.full(count, 1.0 / count), rel=1e-9)
    assert of_normal(np.full(count, 3.0 * scale), np.full(count, scale)) == even
    assert of_student(np.zeros(count), np.full(count, scale), np.full(count, 12.0)) == even
    assert of_beta(np.full(count, 2.5), np.full(count, 0.7)) == even


@pytest.mark.parametrize("height", [-2.0, 0.3, 4.0, 6.0, 7.0])
def test_an_arm_behind_a_needle_keeps_its_share(height):
    for narrow in (1e-8, 1e-3):
        found = of_normal([0.0, height], [1.0, narrow])
        assert found[0] == pytest.approx(norm.sf(height), rel=1e-2)


@pytest.mark.parametrize("bound", [1e-3, 0.3, 1.0])
def test_betas_of_little_shape_beside_sure_ones(bound):
    found = of_beta([bound, 1e6], [bound, 1e6])
    assert found == pytest.approx([0.5, 0.5], rel=1e-3)


def test_scales_as_far_apart_as_numbers_go_raise_nothing():
    found = of_normal([0.0, 1e-100, 1e100], [1e-120, 1.0, 1e90])
    assert found == pytest.approx([0.0, 0.0, 1.0], abs=1e-12)
    found = of_student([0.0, 1.0, 1e100], [1e-120, 1e100, 1e-3], [1.0, 12.0, 3.0])
    assert found.sum() == pytest.approx(1.0)


@pytest.mark.parametrize("kind", ["normal", "beta"])
def test_a_thousand_different_arms_take_little_time_and_memory(kind):
    """Every pair of arms beside every node would be gigabytes and a minute and a half."""
    generator = np.random.default_rng(0)
    if kind == "normal":
        asked = of_normal, generator.normal(size=1000), generator.uniform(0.1, 1.0, 1000)
    else:
        asked = of_beta, *generator.uniform(1.0, 100.0, (2, 1000))
    ask, *parts = asked
    ask(*(part[:10] for part in parts))  # Compiles.
    start = time.process_time()
    ask(*parts)
    assert time.process_time() - start < 1.0
    tracemalloc.start()
    try:
        found = ask(*parts)
        assert tracemalloc.get_traced_memory()[1] < 50e6
    finally:
        tracemalloc.stop()
    assert found.sum() == pytest.approx(1.0)
