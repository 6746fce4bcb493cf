import numpy as np
import pytest

from hybandit.estimators.screen import DIRECTIONS, LONGEST, Screen


def low_rank(generator, count, size, scale):
    return scale * (
        generator.normal(size=(count, 20)) @ generator.normal(size=(20, size))
        + 0.1 * generator.normal(size=(count, size))
    )


@pytest.mark.parametrize("size", [1, 7, 64, 127, 128, 300])
@pytest.mark.parametrize("scale", [1e-100, 1e-8, 1.0, 1e99])
def test_shadows_are_never_farther_apart_than_the_vectors_but_for_rounding(scale, size):
    generator = np.random.default_rng(0)
    screen = Screen(low_rank(generator, 400, size, scale))
    vectors = np.concatenate(
        [low_rank(generator, 60, size, scale), scale * generator.normal(size=(60, size))]
    )
    vectors[7] = vectors[8]
    vectors[118] = 2.0 * vectors[119]
    shadows, longest = screen.shadows(vectors)
    assert shadows.dtype == np.float32
    assert shadows.shape == (120, screen.width)
    assert screen.width % 8 == 0
    exact, vectors = shadows.astype(float), vectors / screen.scale
    apart = np.linalg.norm(exact[:, None] - exact[None], axis=2)
    true = np.linalg.norm(vectors[:, None] - vectors[None], axis=2)
    assert (apart <= true + 1e-6 * longest).all()
    if size <= DIRECTIONS:
        np.testing.assert_allclose(apart, true, atol=1e-6 * longest)


def test_shadows_of_low_rank_vectors_tell_nearly_the_whole_distance():
    generator = np.random.default_rng(1)
    data = low_rank(generator, 400, 300, 1.0)
    screen = Screen(data[:300])
    shadows, _ = screen.shadows(data)
    apart = screen.scale * np.linalg.norm(shadows[300:, None] - shadows[None, :300], axis=2)
    true = np.linalg.norm(data[300:, None] - data[None, :300], axis=2)
    assert np.median(apart / true) > 0.95
    head = screen.scale * np.linalg.norm(
        shadows[300:, None, :16] - shadows[None, :300, :16], axis=2
    )
    assert np.median(head / true) > 0.8


@pytest.mark.parametrize("size", [5, 256])
def test_directions_are_orthonormal_even_for_contexts_of_zeros(size):
    screen = Screen(np.zeros((300, size)))
    assert screen.scale == 1.0
    some = min(size, DIRECTIONS)
    np.testing.assert_allclose(screen.basis @ screen.basis.T, np.eye(some), atol=1e-9)


def test_a_few_huge_vectors_neither_blur_the_others_nor_have_a_shadow():
    generator = np.random.default_rng(2)
    data = generator.normal(size=(500, 8))
    data[::50] *= 1e30
    screen = Screen(data)
    assert 1.0 < screen.scale < 10.0
    shadows, longest = screen.shadows(data)
    assert np.isnan(shadows).all(axis=1).tolist() == [number % 50 == 0 for number in range(500)]
    assert longest < LONGEST


def test_most_contexts_being_equal_leaves_the_scale_to_the_others():
    data = np.zeros((100, 2))
    data[:10] = 3.0, 4.0
    assert Screen(data).scale == 5.0


def test_data_far_from_zero_and_close_together_are_blurred():
    data = 1e9 + 1e-6 * np.random.default_rng(3).normal(size=(100, 2))
    assert Screen(data).blur > 0.1
    assert Screen(data - 1e9).blur < 1e-10
