import numpy as np

from hybandit.exploration import NormalDraws, SoftmaxAttention

COUNTS, MEANS = np.array([0.0, 3.0, 9.0]), np.zeros(3)


def test_rates_are_the_bonus_plus_fresh_draws_of_its_generator():
    draws = NormalDraws(np.random.default_rng(4), v=0.5, bonus=2.0)
    generator = np.random.default_rng(4)
    for _ in range(2):
        expected = 2.0 + 0.5 * generator.standard_normal(3)
        np.testing.assert_allclose(draws.rates(COUNTS, MEANS), expected)
    assert draws.spreads(COUNTS, MEANS) == 0.5


def test_attention_scales_the_spread_by_the_number_of_arms_times_its_share():
    attention = SoftmaxAttention(gamma=0.2)
    draws = NormalDraws(np.random.default_rng(4), v=0.5, attention=attention)
    shares = np.exp(-0.2 * COUNTS) / np.exp(-0.2 * COUNTS).sum()
    spreads = draws.spreads(COUNTS, MEANS)
    np.testing.assert_allclose(spreads, 0.5 * 3 * shares)
    expected = spreads * np.random.default_rng(4).standard_normal(3)
    np.testing.assert_allclose(draws.rates(COUNTS, MEANS), expected)
