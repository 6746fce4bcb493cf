import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from item_twins import sketched

from hybandit.estimators.item_table import Past
from hybandit.kernels import items as kernels

few = settings(max_examples=30, deadline=None)


@few
@given(st.integers(0, 2**32), st.integers(1, 5), st.integers(0, 12), st.integers(1, 9))
def test_a_count_sketch_adds_every_column_to_its_bucket(seed, count, size, width):
    generator = np.random.default_rng(seed)
    rows = generator.normal(size=(count, size))
    buckets = generator.integers(width, size=size)
    signs = generator.choice([-1.0, 1.0], size)
    out = np.full((count, width), np.nan)
    kernels.count_sketch(rows, buckets, signs, out)
    expected = [sketched(row, buckets, signs, width) for row in rows]
    np.testing.assert_allclose(out, expected, atol=1e-12)


@few
@given(st.integers(0, 2**32), st.integers(1, 7), st.integers(1, 20))
def test_estimates_are_the_shared_part_and_the_items_own(seed, count, width):
    generator = np.random.default_rng(seed)
    z, weights = generator.normal(size=(count, width)), generator.normal(size=(2, width))
    features, totals = generator.normal(size=(4, width)), generator.normal(size=4)
    counts, rows = np.array([0.0, 1.0, 5.0, 100.0]), generator.integers(4, size=count)
    starts, stops = np.array([0, width // 2]), np.array([width // 2 + 1, width])
    shrink = np.array([2.0, 7.0])
    out, owns = np.empty((count, 3)), 0.0
    past = Past(rows, counts, totals, features)
    kernels.estimates(z, weights, starts, stops, shrink, past, out)
    for view in range(2):
        part = slice(starts[view], stops[view])
        theta = weights[view, part]
        own = (totals[rows] - features[rows, part] @ theta) / (counts[rows] + shrink[view])
        np.testing.assert_allclose(out[:, view], z[:, part] @ theta + own, atol=1e-10)
        owns = owns + own / 2.0
    np.testing.assert_allclose(out[:, 2], owns, atol=1e-10)


def test_alike_candidates_are_equal_to_the_last_bit():
    generator = np.random.default_rng(0)
    z = np.tile(generator.normal(size=503), (37, 1))
    weights = generator.normal(size=(1, 503))
    ends = np.array([0]), np.array([503])
    past = Past(np.zeros(37, np.int64), np.zeros(1), np.zeros(1), np.zeros((1, 503)))
    out, scores = np.empty((37, 2)), np.empty(37)
    kernels.estimates(z, weights, *ends, np.ones(1), past, out)
    kernels.mixed(out, np.array([0.3, 0.7, 0.1]), scores)
    assert len(set(out[:, 0])) == 1
    assert len(set(scores)) == 1
    assert scores[0] == pytest.approx(0.1 + 0.3 * out[0, 0])


def test_upper_is_value_plus_rate_times_width_and_equal_for_equal_rows():
    generator = np.random.default_rng(0)
    z = np.repeat(generator.normal(size=(3, 11)), 5, axis=0)
    weights, scales = generator.normal(size=(1, 11)), generator.uniform(0.1, 2.0, (1, 11))
    factors = np.tril(generator.normal(size=(1, 11, 11)), -1)
    rates, out = np.repeat([0.0, 1.0, 3.0], 5), np.empty(15)
    kernels.upper(z, weights, factors, scales, rates, out)
    unit = factors[0].T + np.eye(11)
    inverse = (unit * scales[0]) @ unit.T
    widths = np.sqrt(np.einsum("ij,jk,ik->i", z, inverse, z))
    np.testing.assert_allclose(out, z @ weights[0] + rates * widths, rtol=1e-10)
    assert (out.reshape(3, 5) == out[::5, None]).all()
