import numpy as np
import pytest
from scipy.special import softmax

from hybandit.exploration import SoftmaxAttention


def test_shares_are_a_softmax_of_the_counts():
    counts = np.array([3.0, 0.0, 7.0, 1.0])
    rates = SoftmaxAttention(gamma=0.4).rates(counts, np.zeros(4))
    np.testing.assert_allclose(rates, softmax(-0.4 * counts))


@pytest.mark.parametrize("gamma", [0.1, 5.0])
def test_a_million_pulls_do_not_break_the_shares(gamma):
    counts = np.array([1e6, 1e6 + 2, 5e6])
    rates = SoftmaxAttention(gamma=gamma).rates(counts, np.zeros(3))
    np.testing.assert_allclose(rates, softmax(-gamma * np.array([0.0, 2.0, 4e6])))
    assert rates.sum() == pytest.approx(1.0)
