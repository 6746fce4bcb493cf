import numpy as np
import pytest

from hybandit import EnhancedBetaThompson, EnhancedEpsilonGreedy

BOTH = [EnhancedBetaThompson, EnhancedEpsilonGreedy]


@pytest.mark.parametrize("kind", BOTH)
def test_relative_attention_counts_active_arms_only(kind):
    policy = kind(3, 1, gamma=0.7)
    policy.learn_many([[0.0]] * 3, [0, 0, 1], [1.0] * 3)
    policy.retire_arm(2)
    shares = np.exp([-1.4, -0.7]) / np.exp([-1.4, -0.7]).sum()
    np.testing.assert_allclose(policy._relative_attention(), 2 * shares)
