import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hybandit.errors import ModelFileError
from hybandit.estimators.context_scale import ContextScale


def shown(rows):
    scale = ContextScale(rows.shape[1])
    changes = [number for number, row in enumerate(rows, 1) if scale.observe(row)]
    return scale, changes


def unit_rows(count, n_features=5, seed=0):
    rows = np.random.default_rng(seed).normal(size=(count, n_features))
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def people(count, seed=0):
    generator = np.random.default_rng(seed)
    return np.c_[generator.uniform(18, 80, count), generator.uniform(1e4, 2e5, count)]


@given(
    lengths=st.lists(st.floats(0.5, 2.0), min_size=40, max_size=40), seed=st.integers(0, 2**32 - 1)
)
def test_contexts_of_about_unit_length_stay_bit_for_bit(lengths, seed):
    rows = unit_rows(40, seed=seed) * np.clip(lengths, 0.51, 1.99)[:, None]
    scale, changes = shown(rows)
    assert changes == []
    assert scale.scaled(rows) is rows


def test_others_are_scaled_anew_at_doublings_up_to_1024():
    _, changes = shown(people(3000))
    assert changes == [2, 4, 8, 16, 32, 64, 128, 256, 512, 1024]


def test_columns_count_by_their_range_and_the_mean_squared_length_is_one():
    rows = people(1024)
    scaled = shown(rows)[0].scaled(rows)
    np.testing.assert_allclose(scaled.mean(axis=0), 0, atol=1e-12)
    assert np.square(scaled).sum(axis=1).mean() == pytest.approx(1)
    ranges = scaled.max(axis=0) - scaled.min(axis=0)
    assert ranges[0] == pytest.approx(ranges[1])


def test_an_outlier_makes_a_column_no_wider_than_eight_standard_deviations():
    rows = people(1024)
    rows[500, 1] = 1e9
    scale, _ = shown(rows)
    spreads = rows.std(axis=0)
    wide = np.array([np.ptp(rows[:, 0]), 8 * spreads[1]])
    length = np.sqrt(np.square(spreads / wide).sum())
    np.testing.assert_allclose(scale.unit, wide * length)


@pytest.mark.parametrize("unit", [1e-3, 1000.0])
def test_the_unit_of_a_column_does_not_matter(unit):
    rows = people(200)
    other = rows * [1.0, unit]
    np.testing.assert_allclose(
        shown(rows)[0].scaled(rows), shown(other)[0].scaled(other), atol=1e-9
    )


def test_constant_columns_count_nothing():
    rows = np.c_[people(64), np.full(64, 7.1), np.zeros(64)]
    scale, _ = shown(rows)
    np.testing.assert_allclose(scale.scaled(rows)[:, :2], shown(rows[:, :2])[0].scaled(rows[:, :2]))
    assert np.abs(scale.scaled(rows)[:, 2:]).max() < 1e-9


def test_a_few_long_ones_at_first_are_scaled_until_32_are_known():
    rows = unit_rows(100)
    rows[:2] *= 50
    scale, changes = shown(rows)
    assert changes == [2, 4, 8]
    assert scale.scaled(rows) is rows


def test_a_new_scale_comes_with_what_moves_contexts_of_the_former_one():
    scale, rows, moves = ContextScale(2), people(64), 0
    for number, row in enumerate(rows):
        former = scale.scaled(rows[: number + 1])
        moved = scale.observe(row)
        if moved is not None:
            moves += 1
            expected = scale.scaled(rows[: number + 1])
            np.testing.assert_allclose(moved(former), expected, rtol=1e-9, atol=1e-9)
    assert moves == 6


@pytest.mark.parametrize(
    ("name", "value"), [("unit", 0.0), ("unit", 1e-300), ("means", -1e300), ("lengths", -1.0)]
)
def test_what_no_contexts_give_is_refused(name, value):
    state = shown(people(9))[0].state()
    state[name] = np.full_like(state[name], value)
    with pytest.raises(ModelFileError, match=f"{name}.* outside"):
        ContextScale(2).restore(state)
