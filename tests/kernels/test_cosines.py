import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from hybandit.kernels import cosines


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 4), st.integers(1, 9), st.integers(1, 20), st.integers(0, 1000))
def test_rows_are_extended_by_the_cosines_of_their_projections(rows, size, count, seed):
    generator = np.random.default_rng(seed)
    contexts = generator.normal(size=(rows, size))
    directions, offsets = generator.normal(size=(count, size)), generator.normal(size=count)
    out = np.empty((rows, size + count))
    cosines.extend(contexts, directions, offsets, out)
    waves = np.sqrt(2.0 / count) * np.cos(contexts @ directions.T + offsets)
    np.testing.assert_allclose(out, np.hstack([contexts, waves]), rtol=1e-9, atol=1e-12)
