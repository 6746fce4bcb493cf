import time
import tracemalloc

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from scipy.stats import norm

from hybandit.policies.base import probability

few = settings(max_examples=60, deadline=None)
BOTH = np.array([True, True])
ALL = np.ones(3, bool)


def of_normal(means, deviations, allowed=None, ties="random"):
    means, deviations = np.array(means, float), np.array(deviations, float)
    allowed = np.ones(len(means), bool) if allowed is None else np.array(allowed)
    return probability.of_largest_normal(means, deviations, allowed, ties)


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


def test_equal_scores_share_or_the_first_takes_all():
    scores = np.array([1.0, 3.0, 3.0, 9.0])
    allowed = np.array([True, True, True, False])
    assert probability.of_largest_score(scores, allowed, "random").tolist() == [0, 0.5, 0.5, 0]
    assert probability.of_largest_score(scores, allowed, "first").tolist() == [0, 1, 0, 0]


@few
@given(
    st.floats(-5, 5),
    st.floats(-5, 5),
    st.floats(-6, 1).map(lambda power: 10.0**power),
    st.floats(-6, 1).map(lambda power: 10.0**power),
)
def test_two_normals_are_known_in_closed_form(m1, m2, s1, s2):
    expected = norm.cdf((m1 - m2) / np.hypot(s1, s2))
    found = of_normal([m1, m2], [s1, s2])
    assert found == pytest.approx([expected, 1.0 - expected], abs=1e-3)
    assert found.sum() == pytest.approx(1.0)


@pytest.mark.parametrize("narrow", [1e-6, 1e-3])
@pytest.mark.parametrize("height", [-2.0, 0.0, 0.3, 2.5])
def test_a_needle_beside_a_wide_hill_wins_when_the_hill_draws_below_it(height, narrow):
    expected = norm.cdf(height)
    assert of_normal([height, 0.0], [narrow, 1.0])[0] == pytest.approx(expected, abs=1e-3)


@pytest.mark.parametrize("seed", range(4))
def test_many_normals_agree_with_simulation(seed):
    generator = np.random.default_rng(seed)
    means = generator.normal(size=6)
    deviations = 10.0 ** generator.uniform(-3, 0.5, 6)
    draws = means + deviations * generator.normal(size=(400_000, 6))
    shares = np.bincount(draws.argmax(axis=1), minlength=6) / len(draws)
    assert of_normal(means, deviations) == pytest.approx(shares, abs=3e-3)


def test_equal_normals_share_alike():
    assert of_normal([1.0] * 5, [2.0] * 5) == pytest.approx([0.2] * 5, abs=1e-6)


def test_arms_not_allowed_have_no_part():
    found = of_normal([0.0, 50.0, 0.0], [1.0, 1.0, 1.0], allowed=[True, False, True])
    assert found == pytest.approx([0.5, 0.0, 0.5], abs=1e-6)


@pytest.mark.parametrize("height", [-1.0, 0.0, 0.7])
def test_a_point_wins_when_every_draw_falls_below_it(height):
    found = of_normal([height, 0.0, 0.0], [0.0, 1.0, 1.0])
    expected = norm.cdf(height) ** 2
    assert found == pytest.approx([expected, (1 - expected) / 2, (1 - expected) / 2], abs=1e-3)


def test_only_the_highest_point_counts():
    found = of_normal([0.5, 0.2, 0.0], [0.0, 0.0, 1.0])
    assert found == pytest.approx([norm.cdf(0.5), 0.0, norm.cdf(-0.5)], abs=1e-3)


@pytest.mark.parametrize(("ties", "shares"), [("random", [0.5, 0.5]), ("first", [1.0, 0.0])])
def test_equal_points_are_settled_by_the_rule_for_ties(ties, shares):
    assert of_normal([0.3, 0.3], [0.0, 0.0], ties=ties).tolist() == shares
    found = of_normal([0.3, 0.3, 0.0], [0.0, 0.0, 1.0], ties=ties)
    won = norm.cdf(0.3)
    assert found == pytest.approx([won * shares[0], won * shares[1], 1 - won], abs=1e-3)


def test_a_point_far_above_or_below_all_draws_wins_or_loses_for_sure():
    assert of_normal([100.0, 0.0], [0.0, 1.0]) == pytest.approx([1.0, 0.0], abs=1e-6)
    assert of_normal([-100.0, 0.0], [0.0, 1.0]) == pytest.approx([0.0, 1.0], abs=1e-6)


@few
@given(st.integers(1, 30), st.integers(1, 30))
def test_a_beta_against_an_even_one_is_known_in_closed_form(first, second):
    found = of_beta([first, 1], [second, 1])
    assert found[0] == pytest.approx(first / (first + second), abs=1e-3)


@pytest.mark.parametrize("seed", range(4))
def test_moved_and_stretched_betas_agree_with_simulation(seed):
    generator = np.random.default_rng(seed)
    first, second = generator.uniform(0.5, 20, (2, 4))
    shifts, stretches = generator.uniform(0, 0.5, 4), 10.0 ** generator.uniform(-4, 0.5, 4)
    means = first / (first + second)
    draws = generator.beta(first, second, size=(400_000, 4))
    winners = (means + stretches * (draws - means) + shifts).argmax(axis=1)
    shares = np.bincount(winners, minlength=4) / len(draws)
    assert of_beta(first, second, shifts, stretches) == pytest.approx(shares, abs=3e-3)


def test_a_beta_without_stretch_is_a_point_at_its_mean():
    found = of_beta([3.0, 1.0], [1.0, 1.0], stretches=[0.0, 1.0])
    assert found == pytest.approx([0.75, 0.25], abs=1e-3)
    assert of_beta([1, 1], [1, 1], stretches=[0, 0], ties="first").tolist() == [1.0, 0.0]


@pytest.mark.parametrize("tiny", [1e-17, 1e-30])
def test_two_needles_finer_than_rounding_are_won_by_the_higher(tiny):
    found = probability.of_largest_normal(
        np.array([1.0, 2.0]), np.array([tiny, tiny]), BOTH, "random"
    )
    assert found == pytest.approx([0.0, 1.0], abs=1e-3)


def test_a_subnormal_spread_does_not_overflow():
    probability.of_largest_normal(np.array([1.0, 2.0]), np.array([1e-310, 1.0]), BOTH, "random")


@pytest.mark.parametrize("prior", [0.1, 0.02, 0.01])
def test_beta_draws_near_zero_keep_their_share(prior):
    first, second = np.full(2, prior), prior + np.array([20.0, 240.0])
    still, ones = np.zeros(2), np.ones(2)
    told = probability.of_largest_beta(first, second, still, ones, BOTH, "random")
    generator = np.random.default_rng(0)
    draws = generator.beta(first, second, size=(200_000, 2))
    ties = draws[:, 0] == draws[:, 1]
    seen = (draws[:, 0] > draws[:, 1]).mean() + ties.mean() / 2
    assert told[0] == pytest.approx(seen, abs=0.006)


def of_student(centres, scales, freedoms):
    arrays = (np.array(values, float) for values in (centres, scales, freedoms))
    return probability.of_largest_student(*arrays, np.ones(len(centres), bool), "random")


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


powers = st.floats(-4, 0).map(lambda power: 10.0**power)
places = st.floats(-2, 2)
shapes = st.floats(-0.3, 3).map(lambda power: 10.0**power)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(places, powers), min_size=2, max_size=7))
def test_normals_agree_with_the_definition(arms):
    means, deviations = np.array(arms).T
    expected = by_definition(stats.norm(means, deviations), len(arms))
    assert_true(of_normal(means, deviations), expected)


@settings(max_examples=25, deadline=None)
@given(st.lists(st.tuples(places, powers, st.floats(2, 60)), min_size=2, max_size=5))
def test_students_agree_with_the_definition(arms):
    centres, scales, freedoms = np.array(arms).T
    expected = by_definition(stats.t(freedoms, centres, scales), len(arms))
    assert_true(of_student(centres, scales, freedoms), expected)


@settings(max_examples=25, deadline=None)
@given(st.lists(st.tuples(shapes, shapes), min_size=2, max_size=5))
def test_betas_agree_with_the_definition(arms):
    first, second = np.array(arms).T
    expected = by_definition(stats.beta(first, second), len(arms))
    assert_true(of_beta(first, second), expected)


@pytest.mark.parametrize("seed", range(3))
def test_stretched_betas_agree_with_the_definition(seed):
    generator = np.random.default_rng(seed)
    first, second = generator.uniform(0.5, 20, (2, 6))
    shifts, stretches = generator.uniform(0, 0.3, 6), 10.0 ** generator.uniform(-2, 0.5, 6)
    offsets = (1.0 - stretches) * first / (first + second) + shifts
    expected = by_definition(stats.beta(first, second, offsets, stretches), 6)
    assert_true(of_beta(first, second, shifts, stretches), expected)


def crossing(generator, count):
    """Scales from 1e-8 to 1, all of which begin at one place."""
    scales = 10.0 ** generator.uniform(-8, 0, count)
    return scales * generator.uniform(-6, 6, count), scales


def alike(generator, count):
    return 1e-9 * generator.normal(size=count), np.ones(count)


def learned(generator, count):
    return generator.normal(size=count), 1.0 / np.sqrt(generator.integers(1, 1000, count))


def with_ten_times_the_nodes(monkeypatch, ask):
    with monkeypatch.context() as finer:
        finer.setattr(probability, "STEP", probability.STEP / 10.0)
        finer.setattr(probability, "MANY", probability.MANY * 10)
        return ask()


@pytest.mark.parametrize("world", [crossing, alike, learned])
@pytest.mark.parametrize("kind", ["normal", "student", "beta"])
@pytest.mark.parametrize("count", [2, 30, 400])
def test_ten_times_the_nodes_say_the_same(monkeypatch, kind, world, count):
    generator = np.random.default_rng(count)
    centres, scales = world(generator, count)
    if kind == "normal":
        ask = lambda: of_normal(centres, scales)  # noqa: E731
    elif kind == "student":
        ask = lambda: of_student(centres, scales, 12.0 + np.arange(count))  # noqa: E731
    else:
        first, second = generator.uniform(0.7, 50, (2, count))
        ask = lambda: of_beta(first, second, centres, scales)  # noqa: E731
    assert_true(ask(), with_ten_times_the_nodes(monkeypatch, ask))


@pytest.mark.parametrize("largest", [0.3, 10.0, 1e6])
@pytest.mark.parametrize("count", [5, 60])
def test_betas_of_shapes_far_apart_agree_with_ten_times_the_nodes(monkeypatch, largest, count):
    """Each ends elsewhere, many of them steeply."""
    generator = np.random.default_rng(0)
    first, second = 10.0 ** generator.uniform(-1.0, np.log10(largest), (2, count))
    shifts = 0.1 * generator.normal(size=count)
    stretches = 10.0 ** generator.uniform(-3, 1, count)
    plain = lambda: of_beta(first, second)  # noqa: E731
    moved = lambda: of_beta(first, second, shifts, stretches)  # noqa: E731
    for ask in (plain, moved):
        assert_true(ask(), with_ten_times_the_nodes(monkeypatch, ask))


def test_no_share_is_left_beyond_the_largest_draw():
    """The first ends steeply, and rounding may put a part of its draws just behind its end."""
    first, second = np.array([0.42, 7.9]), np.array([0.11, 1.26])
    draws = stats.beta(first[0], second[0]).ppf((np.arange(10_000) + 0.5) / 10_000)
    for offset, width in np.random.default_rng(0).uniform([0.6, 0.001], [0.85, 0.1], (20, 2)):
        shift = offset - (1.0 - width) * first[0] / (first + second)[0]
        expected = stats.beta(first[1], second[1]).cdf(offset + width * draws).mean()
        found = of_beta(first, second, np.array([shift, 0.0]), np.array([width, 1.0]))
        assert found[0] == pytest.approx(expected, rel=1e-3)


@few
@given(places, places, powers, powers)
def test_two_normals_are_right_far_into_the_tail(m1, m2, s1, s2):
    expected = norm.cdf(np.array([m1 - m2, m2 - m1]) / np.hypot(s1, s2))
    assert_true(of_normal([m1, m2], [s1, s2]), expected)


@pytest.mark.parametrize("count", [1, 2, 17, 1000])
@pytest.mark.parametrize("scale", [1e-8, 1.0, 1e90])
def test_any_number_of_equal_arms_share_alike(count, scale):
    even = pytest.approx(np.full(count, 1.0 / count), rel=1e-9)
    assert of_normal(np.full(count, 3.0 * scale), np.full(count, scale)) == even
    assert of_student(np.zeros(count), np.full(count, scale), np.full(count, 12.0)) == even
    assert of_beta(np.full(count, 2.5), np.full(count, 0.7)) == even


@pytest.mark.parametrize("height", [4.0, 5.0, 6.0, 6.5, 7.0])
def test_an_arm_far_behind_a_needle_keeps_its_small_share(height):
    for narrow in (1e-8, 1e-3):
        found = of_normal([0.0, height], [1.0, narrow])
        assert found[0] == pytest.approx(norm.sf(height), rel=1e-2)


def test_a_hopeless_arm_beside_a_point_keeps_its_small_share():
    assert of_normal([0.0, 6.5], [1.0, 0.0])[0] == pytest.approx(norm.sf(6.5), rel=1e-3)


@pytest.mark.parametrize("bound", [1e-3, 0.3, 1.0])
def test_betas_of_little_shape_beside_sure_ones(bound):
    found = of_beta([bound, 1e6], [bound, 1e6])
    assert found == pytest.approx([0.5, 0.5], rel=1e-3)


def test_scales_as_far_apart_as_numbers_go_raise_nothing():
    found = of_normal([0.0, 1e-100, 1e100], [1e-120, 1.0, 1e90])
    assert found == pytest.approx([0.0, 0.0, 1.0], abs=1e-12)
    found = of_student([0.0, 1.0, 1e100], [1e-120, 1e100, 1e-3], [1.0, 12.0, 3.0])
    assert found.sum() == pytest.approx(1.0)


def test_ten_thousand_arms_work():
    generator = np.random.default_rng(0)
    first, second = generator.uniform(1, 100, (2, 10_000))
    for found in (
        of_normal(generator.normal(size=10_000), generator.uniform(0.1, 1, 10_000)),
        of_beta(first, second),
    ):
        assert found.sum() == pytest.approx(1.0)
        assert (found >= 0.0).all()


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
