import numpy as np

from hybandit.estimators import RandomCosines


def test_a_row_is_followed_by_its_cosines():
    cosines = RandomCosines(3, np.random.default_rng(5), count=8)
    rows = np.random.default_rng(0).normal(size=(2, 3))
    waves = np.sqrt(2 / 8) * np.cos(rows @ cosines.directions.T + cosines.offsets)
    np.testing.assert_allclose(cosines.extend(rows), np.hstack([rows, waves]), rtol=1e-12)


def test_products_of_many_cosines_come_near_the_gaussian_kernel():
    cosines = RandomCosines(2, np.random.default_rng(0), count=20_000)
    rows = np.array([[0.0, 0.0], [0.6, 0.8]])
    phi = cosines.extend(rows)[:, 2:]
    np.testing.assert_allclose(phi @ phi.T, [[1.0, np.exp(-0.5)], [np.exp(-0.5), 1.0]], atol=0.02)
