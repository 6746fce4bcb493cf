import numpy as np
import pytest
from scipy.special import ndtr

from hybandit.kernels import largest
from hybandit.policies.base.probability import _gauss_legendre


def twin(below, shapes, weights, running):
    """The kernel in plain NumPy."""
    density = np.exp(shapes - shapes.max(axis=2, keepdims=True))
    gains = np.diff(below)
    scale = gains / (density @ weights)
    at = below[:, :-1, None] + scale[:, :, None] * (density @ running.T)
    at = np.clip(at, (below[:, :-1] + 1e-12 * gains)[:, :, None], below[:, 1:, None])
    slopes = (scale[:, :, None] * density / at).sum(axis=0)
    mass = weights * slopes * at.prod(axis=0)
    total = mass.sum(axis=1, keepdims=True)
    edges = below.prod(axis=0)
    mass = mass * np.diff(edges)[:, None] / total
    return -(np.log(at) * mass).sum(axis=(1, 2))


def panels(means, deviations, edges, nodes):
    places, weights, running = _gauss_legendre(nodes)
    at = edges[:-1, None] + np.diff(edges)[:, None] * places
    z = (at - means[:, None, None]) / deviations[:, None, None]
    below = ndtr((edges - means[:, None]) / deviations[:, None])
    return below, -0.5 * z**2, weights, running


@pytest.mark.parametrize("seed", range(5))
def test_the_kernel_equals_its_twin(seed):
    generator = np.random.default_rng(seed)
    means, deviations = generator.normal(size=7), generator.uniform(0.5, 2.0, 7)
    inputs = panels(means, deviations, np.sort(generator.uniform(-1, 4, 9)), 5)
    assert largest.won(*inputs) == pytest.approx(twin(*inputs), rel=1e-9)


def test_an_arm_that_has_drawn_already_wins_nothing_and_bars_nobody():
    edges = np.linspace(-6.0, 8.0, 29)
    inputs = panels(np.array([0.0, 0.0, -50.0]), np.ones(3), edges, 6)
    assert largest.won(*inputs) == pytest.approx([0.5, 0.5, 0.0], abs=1e-8)


def test_panels_in_which_nothing_happens_add_nothing():
    inputs = panels(np.zeros(2), np.ones(2), np.linspace(60.0, 70.0, 4), 6)
    assert largest.won(*inputs).tolist() == [0.0, 0.0]
