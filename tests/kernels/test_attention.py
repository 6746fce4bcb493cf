import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from hybandit.kernels import attention

arms = st.lists(st.tuples(st.integers(0, 1000), st.floats(-5, 5)), min_size=1, max_size=8)


@settings(max_examples=60, deadline=None)
@given(arms, st.floats(0, 10), st.floats(0, 1))
def test_temporal_attention_mixes_the_arms_mean_with_the_mean_of_all_arms(arms, alpha, kappa):
    counts = np.array([float(arm[0]) for arm in arms])
    means = np.array([arm[1] for arm in arms])
    out = np.empty(len(arms))
    attention.temporal(counts, means, alpha, kappa, out)
    expected = alpha / (counts + 1) * (kappa * means.mean() + (1 - kappa) * means)
    np.testing.assert_allclose(out, expected, rtol=1e-9, atol=1e-9)
