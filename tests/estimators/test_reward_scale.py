import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hybandit.errors import ModelFileError
from hybandit.estimators.reward_scale import RewardScale

rewards = st.lists(st.floats(-5.0, 5.0).map(lambda r: round(r, 3)), min_size=1, max_size=60)


def taken(values, **settings):
    scale = RewardScale(**settings)
    return scale, [scale.taken(float(value)) for value in values]


@given(rewards)
def test_the_centre_is_the_mean_of_the_first_ten_which_are_learned_in_full(values):
    scale, learned = taken(values)
    assert learned[:10] == values[:10]
    assert scale.centre == pytest.approx(np.mean(values[:10]), abs=1e-12)


@given(rewards, st.integers(-40, 40))
def test_twice_as_large_rewards_are_learned_twice_as_large(values, power):
    scale, learned = taken(values)
    other, larger = taken(np.array(values) * 2.0**power)
    assert np.array_equal(np.array(learned) * 2.0**power, larger)
    if scale.bounds[0]:
        assert other.unit == scale.unit * 2.0**power


def test_a_shift_is_learned_as_a_shift():
    values = np.random.default_rng(0).normal(size=300)
    (scale, learned), (other, shifted) = taken(values), taken(values + 64.0)
    np.testing.assert_allclose(np.array(shifted) - 64.0, learned, atol=1e-9)
    assert other.unit == pytest.approx(scale.unit)


def test_one_enormous_reward_is_learned_as_ten_bounds_and_forgotten():
    values = np.tile([0.0, 1.0], 600)
    values[100] = 1e9
    scale, learned = taken(values)
    # The bound then: the largest |r - c| of the first ten, sunk a little.
    assert 9.5 < max(learned) < 10.5
    assert scale.unit < 1.0


@pytest.mark.parametrize("chance", [0.02, 0.5])
def test_clicks_lose_next_to_nothing(chance):
    values = (np.random.default_rng(1).random(20_000) < chance).astype(float)
    _, learned = taken(values)
    assert np.abs(learned - values).max() < 0.05
    assert np.sum(learned) == pytest.approx(values.sum(), rel=0.005)


def test_equal_rewards_leave_the_unit_open_however_many():
    scale, _ = taken([3.0] * 50)
    assert scale.unit == 1.0
    assert scale.taken(2000.0) == 2000.0
    assert scale.unit == 1997.0


def test_without_a_centre_rewards_are_measured_from_zero():
    scale, _ = taken([5.0, 7.0], centred=False)
    assert (scale.centre, scale.unit) == (0.0, 7.0)


def test_a_negative_bound_is_refused():
    state = {**taken([1.0])[0].state(), "bounds": np.array([-1.0])}
    with pytest.raises(ModelFileError, match="bounds"):
        RewardScale().restore(state)
