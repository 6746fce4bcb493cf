import numpy as np
import pytest

from hybandit.estimators import AdaptiveKNN, Hybrid, Ridge

X = np.array([[1.0, 0.0]])


def test_the_residual_target_is_what_the_neighbours_miss():
    hybrid = Hybrid(Ridge(1, 2), AdaptiveKNN(1, 2, k_max=1), target="residual")
    hybrid.learn(X, 0, 1.0)
    assert hybrid.linear.weights[0, 0] == 0.5
    hybrid.learn(X, 0, 4.0)
    assert hybrid.linear.weights[0, 0] == pytest.approx((1.0 + (4.0 - 1.0)) / 3.0)


def test_the_reward_target_ignores_the_neighbours():
    hybrid = Hybrid(Ridge(1, 2), AdaptiveKNN(1, 2, k_max=1), target="reward")
    hybrid.learn(X, 0, 1.0)
    hybrid.learn(X, 0, 4.0)
    assert hybrid.linear.weights[0, 0] == pytest.approx(5.0 / 3.0)


@pytest.mark.parametrize("target", ["residual", "reward"])
def test_values_are_the_sum_of_both_parts_and_widths_are_the_linear_ones(target):
    generator = np.random.default_rng(0)
    hybrid = Hybrid(Ridge(3, 4), AdaptiveKNN(3, 4), target=target)
    linear, local = Ridge(3, 4), AdaptiveKNN(3, 4)
    for _ in range(60):
        contexts = generator.normal(size=(3, 4))
        arm, reward = int(generator.integers(3)), float(generator.random())
        expected = local.values(contexts)[arm] if target == "residual" else 0.0
        linear.learn(contexts, arm, reward - expected)
        local.learn(contexts, arm, reward)
        hybrid.learn(contexts, arm, reward)
    contexts, rates = generator.normal(size=(3, 4)), np.array([0.5, 0.0, 2.0])
    values = linear.values(contexts) + local.values(contexts)
    np.testing.assert_allclose(hybrid.values(contexts), values)
    np.testing.assert_allclose(hybrid.widths(contexts), linear.widths(contexts))
    np.testing.assert_allclose(
        hybrid.upper(contexts, rates, np.ones(3, bool)), values + rates * linear.widths(contexts)
    )
    many = generator.normal(size=(5, 4))
    together, widths = hybrid.values_and_widths(many)
    for row, x in enumerate(many):
        np.testing.assert_allclose(together[row], hybrid.values(x[None]))
        np.testing.assert_allclose(widths[row], hybrid.widths(x[None]))
