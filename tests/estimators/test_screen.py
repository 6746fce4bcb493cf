import numpy as np
import pytest

from hybandit.estimators.screen import DIRECTIONS, Screen


def low_rank(generator, count, size, scale):
    return scale * (
        generator.normal(size=(count, 20)) @ generator.normal(size=(20, size))
        + 0.1 * generator.normal(size=(count, size))
    )


@pytest.mark.parametrize("scale", [1e-8, 1.0, 1e12])
def test_shadows_are_never_farther_apart_than_the_vectors_but_for_rounding(scale):
    generator = np.random.default_rng(0)
    screen = Screen(low_rank(generator, 400, 300, scale))
    vectors = np.concatenate(
        [low_rank(generator, 60, 300, scale), scale * generator.normal(size=(60, 300))]
    )
    vectors[7] = vectors[8]
    vectors[118] = 2.0 * vectors[119]
    shadows, longest = screen.shadows(vectors)
    assert shadows.dtype == np.float32
    assert shadows.shape == (120, DIRECTIONS + 1)
    assert longest == pytest.approx(np.linalg.norm(vectors, axis=1).max())
    exact = shadows.astype(float)
    apart = np.linalg.norm(exact[:, None] - exact[None], axis=2)
    true = np.linalg.norm(vectors[:, None] - vectors[None], axis=2)
    assert (apart <= true + 1e-5 * longest).all()


def test_shadows_of_low_rank_vectors_tell_nearly_the_whole_distance():
    generator = np.random.default_rng(1)
    data = low_rank(generator, 400, 300, 1.0)
    shadows, _ = Screen(data[:300]).shadows(data)
    apart = np.linalg.norm(shadows[300:, None] - shadows[None, :300], axis=2)
    true = np.linalg.norm(data[300:, None] - data[None, :300], axis=2)
    assert np.median(apart / true) > 0.95
    head = np.linalg.norm(shadows[300:, None, :32] - shadows[None, :300, :32], axis=2)
    assert np.median(head / true) > 0.9


def test_directions_are_orthonormal_even_for_contexts_of_zeros():
    basis = Screen(np.zeros((300, 256))).basis
    np.testing.assert_allclose(basis @ basis.T, np.eye(DIRECTIONS), atol=1e-9)
