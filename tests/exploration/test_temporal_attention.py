import numpy as np
import pytest

from hybandit.exploration import TemporalAttention


def test_by_hand():
    counts, means = np.array([0.0, 1.0, 4.0]), np.array([0.0, 0.3, 0.6])
    rates = TemporalAttention(alpha=2.0, kappa=0.25).rates(counts, means)
    overall = 0.3
    expected = [
        2.0 / 1 * (0.25 * overall + 0.75 * 0.0),
        2.0 / 2 * (0.25 * overall + 0.75 * 0.3),
        2.0 / 5 * (0.25 * overall + 0.75 * 0.6),
    ]
    np.testing.assert_allclose(rates, expected)


@pytest.mark.parametrize(("kappa", "expected"), [(0.0, [0.5, 0.2]), (1.0, [0.45, 0.225])])
def test_kappa_sets_the_share_of_global_attention(kappa, expected):
    counts, means = np.array([0.0, 1.0]), np.array([0.5, 0.4])
    rates = TemporalAttention(1.0, kappa).rates(counts, means)
    np.testing.assert_allclose(rates, expected)
