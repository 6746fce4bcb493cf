import numpy as np
import pytest
from item_twins import convolved, sketched

from hybandit.errors import ModelFileError
from hybandit.estimators.tensor_sketch import TensorSketch


def test_it_is_the_convolution_of_both_sketches():
    sketch = TensorSketch(5, 7, np.random.default_rng(0), width=16)
    generator = np.random.default_rng(1)
    left, right = generator.normal(size=5), generator.normal(size=(3, 7))
    first = sketched(left, sketch.left_buckets, sketch.left_signs, 16)
    for row, found in zip(right, sketch.products(left, right), strict=True):
        second = sketched(row, sketch.right_buckets, sketch.right_signs, 16)
        np.testing.assert_allclose(found, convolved(first, second), atol=1e-12)


def test_inner_products_are_kept_on_average():
    generator = np.random.default_rng(2)
    c, other = generator.normal(size=(2, 6))
    v, second = generator.normal(size=(2, 4))
    found = []
    for seed in range(800):
        sketch = TensorSketch(6, 4, np.random.default_rng(seed), width=64)
        found.append(sketch.products(c, v[None])[0] @ sketch.products(other, second[None])[0])
    expected = (c @ other) * (v @ second)
    assert np.mean(found) == pytest.approx(expected, abs=4.0 * np.std(found) / np.sqrt(800))


def test_buckets_that_are_not_there_are_refused():
    sketch = TensorSketch(2, 2, np.random.default_rng(0), width=8)
    arrays = {**sketch.state(), "left_buckets": np.array([0, 8])}
    with pytest.raises(ModelFileError, match="buckets"):
        sketch.restore(arrays)
