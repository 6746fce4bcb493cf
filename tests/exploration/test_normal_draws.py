import numpy as np
import pytest

from hybandit.exploration import NormalDraws, SoftmaxAttention

COUNTS, MEANS, ALL = np.array([0.0, 3.0, 9.0]), np.zeros(3), np.ones(3, bool)


def test_rates_are_the_bonus_plus_fresh_draws_of_its_generator():
    draws = NormalDraws(np.random.default_rng(4), v=0.5, bonus=2.0)
    generator = np.random.default_rng(4)
    for _ in range(2):
        expected = 2.0 + 0.5 * generator.standard_normal(3)
        np.testing.assert_allclose(draws.rates(COUNTS, MEANS, ALL), expected)
    assert draws.spreads(COUNTS, MEANS, ALL) == 0.5


def test_attention_scales_the_spread_by_the_number_of_active_arms_times_its_share():
    attention = SoftmaxAttention(gamma=0.2)
    draws = NormalDraws(np.random.default_rng(4), v=0.5, attention=attention)
    active = np.array([True, True, False])
    shares = np.exp(-0.2 * COUNTS[:2]) / np.exp(-0.2 * COUNTS[:2]).sum()
    spreads = draws.spreads(COUNTS, MEANS, active)
    np.testing.assert_allclose(spreads, [*(0.5 * 2 * shares), 0.0])
    expected = spreads * np.random.default_rng(4).standard_normal(3)
    np.testing.assert_allclose(draws.rates(COUNTS, MEANS, active), expected)


def test_equally_played_arms_keep_the_spread_they_were_given():
    draws = NormalDraws(np.random.default_rng(0), v=0.7, attention=SoftmaxAttention())
    assert draws.spreads(np.full(3, 5.0), MEANS, ALL) == pytest.approx([0.7] * 3)
