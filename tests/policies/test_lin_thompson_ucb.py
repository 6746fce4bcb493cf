import numpy as np
import pytest
from scipy.stats import norm

from hybandit import LinThompsonUCB


def test_scores_are_drawn_and_raised_by_the_width():
    policy = LinThompsonUCB(2, 1, v=0.7, alpha=2.0, seed=3)
    policy.learn([1.0], 0, 1.0)
    draws = np.random.default_rng(3).standard_normal(2)
    widths = np.sqrt([0.5, 1.0])
    expected = np.array([0.5, 0.0]) + (0.7 * draws + 2.0) * widths
    decision = policy.decide([1.0])
    np.testing.assert_allclose(decision.scores, expected)
    lead = (0.5 + 2.0 * widths[0] - 2.0) / (0.7 * np.sqrt(1.5))
    assert decision.probabilities == pytest.approx([norm.cdf(lead), norm.cdf(-lead)], abs=1e-4)
