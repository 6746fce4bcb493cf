import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.optimize import brentq

from hybandit.kernels import divergence

few = settings(max_examples=80, deadline=None)
unit = st.floats(0.0, 1.0)


def kl(p, q):
    parts = [(p, q), (1.0 - p, 1.0 - q)]
    return sum(a * math.log(a / b) if b else math.inf for a, b in parts if a)


@few
@given(unit, unit)
def test_bernoulli_is_the_divergence_of_two_coins(p, q):
    assume(p == 0.0 or q == 0.0 or math.isfinite(p / q))
    assert divergence.bernoulli(p, q) == pytest.approx(kl(p, q), rel=1e-9, abs=1e-15)


@pytest.mark.parametrize(
    ("p", "q", "expected"),
    [(0.0, 0.0, 0.0), (1.0, 1.0, 0.0), (0.0, 1.0, math.inf), (1.0, 0.0, math.inf),
     (0.5, 0.0, math.inf), (0.5, 1.0, math.inf), (0.0, 0.5, math.log(2.0))],
)  # fmt: skip
def test_the_divergence_is_known_at_the_ends(p, q, expected):
    assert divergence.bernoulli(p, q) == expected


@few
@given(st.floats(0.0, 0.999), st.integers(1, 10_000), st.floats(1e-3, 20.0))
def test_the_largest_mean_is_the_root_of_the_divergence(mean, count, budget):
    last = 1.0 - 1e-16
    root = 1.0
    if count * kl(mean, last) > budget:
        root = brentq(lambda q: count * kl(mean, q) - budget, mean, last, xtol=1e-12)
    assert divergence.largest_mean(mean, count, budget) == pytest.approx(root, abs=2e-9)


def test_an_arm_never_pulled_may_have_any_mean():
    assert divergence.largest_mean(0.0, 0.0, 1.0) == math.inf


def test_means_beyond_the_unit_interval_by_rounding_are_taken_into_it():
    assert divergence.largest_mean(1.0 + 1e-12, 5.0, 1.0) == 1.0
    assert divergence.largest_mean(-1e-12, 5.0, 0.0) == pytest.approx(0.0, abs=1e-9)


def test_all_arms_at_once_equal_one_by_one():
    means, counts = np.array([0.2, 0.0, 0.9]), np.array([3.0, 0.0, 10.0])
    out = np.empty(3)
    divergence.largest_means(means, counts, 2.0, out)
    single = [divergence.largest_mean(m, n, 2.0) for m, n in zip(means, counts, strict=True)]
    assert out.tolist() == single
