import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hybandit.estimators.item_features import ItemFeatures

few = settings(max_examples=30, deadline=None)


@few
@given(st.integers(0, 4), st.integers(0, 4), st.integers(1, 5), st.integers(0, 2**32))
def test_products_one_both_and_cosines(n_context, n_item, count, seed):
    generator = np.random.default_rng(seed)
    features = ItemFeatures(n_context, n_item, np.random.default_rng(0))
    context, items = generator.normal(size=n_context), generator.normal(size=(count, n_item))
    z = features.of(context, items)
    assert z.shape == (count, n_context * n_item + 1 + n_context + n_item + 128)
    c = context / np.sqrt(context @ context) if n_context else context
    v = items / np.sqrt((items**2).sum() / count) if n_item else items
    for row, item in zip(z, v, strict=True):
        b = np.concatenate([c, item]) / np.sqrt(2.0)
        cosines = features.cosines
        phi = np.sqrt(2.0 / 128) * np.cos(cosines.directions @ b + cosines.offsets)
        expected = np.concatenate([np.outer(c, item).ravel(), [1.0], b, phi])
        np.testing.assert_allclose(row, expected, atol=1e-12)


def test_the_scales_are_those_of_all_that_was_learned_and_of_now():
    features = ItemFeatures(1, 1, np.random.default_rng(0))
    for size in (1.0, 2.0):
        features.learn(np.array([size]), np.array([10.0 * size]))
    z = features.of(np.array([3.0]), np.array([[0.0], [20.0]]))
    b = z[:, 2:4] * np.sqrt(2.0)
    np.testing.assert_allclose(b[:, 0], 3.0 / np.sqrt((1 + 4 + 9) / 3))
    np.testing.assert_allclose(b[:, 1], [0.0, 20.0 / np.sqrt((100 + 400 + 200) / 3)])


@few
@given(st.floats(1e-60, 1e60))
def test_the_unit_of_the_features_does_not_matter(unit):
    generator = np.random.default_rng(0)
    plain, scaled = (ItemFeatures(2, 3, np.random.default_rng(1)) for _ in range(2))
    for _ in range(3):
        c, v = generator.normal(size=2), generator.normal(size=(4, 3))
        np.testing.assert_allclose(scaled.of(c, unit * v), plain.of(c, v), rtol=1e-6, atol=1e-9)
        plain.learn(c, v[0])
        scaled.learn(c, unit * v[0])


def test_zeros_stay_zeros():
    features = ItemFeatures(2, 2, np.random.default_rng(0))
    z = features.of(np.zeros(2), np.zeros((1, 2)))
    assert z[0, features.crossed].tolist() == [0, 0, 0, 0, 1, 0, 0, 0, 0]


@pytest.mark.parametrize(("n_item", "width"), [(32, 1024), (33, 512)])
def test_many_products_are_sketched(n_item, width):
    features = ItemFeatures(32, n_item, np.random.default_rng(0))
    assert features.products == slice(0, width)
    generator = np.random.default_rng(1)
    z = features.of(generator.normal(size=32), generator.normal(size=(2, n_item)))
    assert z.shape == (2, width + 1 + 32 + n_item + 128)
    assert np.isfinite(z).all()
