import numpy as np
import pytest

from hybandit.estimators.index.projection import DIRECTIONS, Projection
from hybandit.kernels.projection import LONGEST


def low_rank(generator, count, size, scale):
    return scale * (
        generator.normal(size=(count, 20)) @ generator.normal(size=(20, size))
        + 0.1 * generator.normal(size=(count, size))
    )


@pytest.mark.parametrize("size", [1, 7, 64, 127, 128, 300])
@pytest.mark.parametrize("scale", [1e-100, 1e-8, 1.0, 1e99])
def test_projections_are_never_farther_apart_than_the_vectors_but_for_rounding(scale, size):
    generator = np.random.default_rng(0)
    projection = Projection(low_rank(generator, 400, size, scale))
    vectors = np.concatenate(
        [low_rank(generator, 60, size, scale), scale * generator.normal(size=(60, size))]
    )
    vectors[7] = vectors[8]
    vectors[118] = 2.0 * vectors[119]
    rows, longest = projection.of(vectors, np.arange(len(vectors)))
    assert rows.dtype == np.float32
    assert rows.shape == (120, projection.width)
    assert projection.width % 8 == 0
    exact, vectors = rows.astype(float), vectors / projection.scale
    apart = np.linalg.norm(exact[:, None] - exact[None], axis=2)
    true = np.linalg.norm(vectors[:, None] - vectors[None], axis=2)
    assert (apart <= true + 1e-6 * longest).all()
    if size <= DIRECTIONS:
        np.testing.assert_allclose(apart, true, atol=1e-6 * longest)


def test_projections_of_low_rank_vectors_tell_nearly_the_whole_distance():
    generator = np.random.default_rng(1)
    data = low_rank(generator, 400, 300, 1.0)
    projection = Projection(data[:300])
    rows, _ = projection.of(data, np.arange(len(data)))
    apart = projection.scale * np.linalg.norm(rows[300:, None] - rows[None, :300], axis=2)
    true = np.linalg.norm(data[300:, None] - data[None, :300], axis=2)
    assert np.median(apart / true) > 0.95
    head = projection.scale * np.linalg.norm(rows[300:, None, :16] - rows[None, :300, :16], axis=2)
    assert np.median(head / true) > 0.8


@pytest.mark.parametrize("size", [5, 256])
def test_directions_are_orthonormal_even_for_contexts_of_zeros(size):
    projection = Projection(np.zeros((300, size)))
    assert projection.scale == 1.0
    some = min(size, DIRECTIONS)
    np.testing.assert_allclose(projection.basis @ projection.basis.T, np.eye(some), atol=1e-9)


def test_a_few_huge_vectors_are_shortened_and_do_not_blur_the_others():
    generator = np.random.default_rng(2)
    data = generator.normal(size=(500, 8))
    data[::50] *= 1e30
    projection = Projection(data)
    assert 1.0 < projection.scale < 10.0
    rows, longest = projection.of(data, np.arange(len(data)))
    lengths = np.linalg.norm(rows, axis=1)
    np.testing.assert_allclose(lengths[::50], LONGEST, rtol=1e-5)
    assert longest == pytest.approx(LONGEST)
    assert np.delete(lengths, np.arange(0, 500, 50)).max() < 10.0


@pytest.mark.parametrize("largest", [1e150, 1e300, 1.7e308])
def test_no_vector_is_too_long_to_be_projected(largest):
    data = np.random.default_rng(4).normal(size=(50, 3))
    data[::2] = largest * np.sign(data[::2])
    rows, longest = Projection(data).of(data, np.arange(50))
    assert np.isfinite(rows).all()
    assert longest <= LONGEST * (1 + 1e-9)


def test_most_contexts_being_equal_leaves_the_scale_to_the_others():
    data = np.zeros((100, 2))
    data[:10] = 3.0, 4.0
    assert Projection(data).scale == 5.0


def test_data_far_from_zero_and_close_together_are_blurred():
    data = 1e9 + 1e-6 * np.random.default_rng(3).normal(size=(100, 2))
    assert Projection(data).blur > 0.1
    assert Projection(data - 1e9).blur < 1e-10
