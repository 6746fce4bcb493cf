import numpy as np
import pytest

from hybandit.kernels.projection import LONGEST, project


@pytest.mark.parametrize("directions", [3, 6])
def test_projections_are_coordinates_and_the_rest(directions):
    generator = np.random.default_rng(0)
    points, origin = generator.normal(size=(20, 6)), generator.normal(size=6)
    points[4] *= 1e9
    basis = np.linalg.qr(generator.normal(size=(6, directions)))[0].T.copy()
    out = np.zeros((20, 8), np.float32)
    longest = project(points[::-1].copy(), np.arange(20)[::-1].copy(), origin, 2.0, basis, out)
    centred = (points - origin) / 2.0
    lengths = np.linalg.norm(centred, axis=1)
    assert np.linalg.norm(out[4]) == pytest.approx(LONGEST, rel=1e-5)
    short = np.arange(20) != 4
    assert longest == pytest.approx(LONGEST)
    along = centred @ basis.T
    np.testing.assert_allclose(out[short, :directions], along[short], rtol=1e-4, atol=1e-6)
    rest = np.sqrt(np.maximum(lengths**2 - (along**2).sum(axis=1), 0.0))
    expected = rest if directions < 6 else np.zeros(20)
    np.testing.assert_allclose(out[short, directions], expected[short], rtol=1e-4, atol=1e-6)
    assert (out[short, directions + 1 :] == 0.0).all()
