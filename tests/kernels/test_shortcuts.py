import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from kernels.ridges import few

from hybandit.kernels import ridge, shortcuts


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
        shortcuts.add_to_sketch(sketch, places, x, 1, reg)
        for probe in (x, generator.normal(size=(1, size)), x + 1e-6):
            bound = shortcuts.length_beyond(sketch, probe, 1, 0) / np.sqrt(reg)
            width = ridge.width(factors, scales, probe, 1, 0)
            assert width <= bound * (1.0 + 1e-9)
            assert bound <= np.linalg.norm(probe) / np.sqrt(reg) * (1.0 + 1e-9)
    assert not sketch[0].any()


def test_a_sketch_spares_the_width_of_an_arm_that_knows_the_context():
    x = np.array([[3.0, 4.0]])
    factors, scales = np.zeros((2, 2, 2)), np.ones((2, 2))
    sketch, places = np.zeros((2, 1, 2)), np.zeros(2, np.int64)
    ridge.update(np.zeros((2, 2)), np.zeros((2, 0)), factors, scales, x, 1, 0.0)
    shortcuts.add_to_sketch(sketch, places, x, 1, 1.0)
    scores = np.empty(2)
    nobody, everybody = np.zeros(2, bool), np.ones(2, bool)
    values, rates = np.zeros(2), np.ones(2)
    arms = (values, factors, scales, x, rates, everybody, nobody)
    best, leader = shortcuts.first_scores(*arms, 1.0, scores)
    assert (best, leader, scores.tolist()) == (5.0, 0, [5.0, 5.0])
    bounds = (x, rates, everybody, nobody, sketch)
    assert shortcuts.tighter_bounds(values, *bounds, best, leader, 1.0, scores) == 0
    assert scores == pytest.approx([5.0, np.sqrt(25.0 / 26.0)])
