"""How likely each of several independent draws is to be the largest."""

from __future__ import annotations

import numpy as np

from hybandit.kernels.compiling import kernel
from hybandit.state import Floats


@kernel
def won(below: Floats, shapes: Floats, weights: Floats, running: Floats) -> Floats:
    """The share that each arm wins within some panels: ``integral of -log F_a dG``.

    F_a are the arms' distributions and G is their product, that of the largest draw.

    Parameters
    ----------
    below
        F at the edges of the panels: (arms, panels + 1).
    shapes
        The logarithms of the densities at the nodes, up to a constant for each arm and
        panel, for F is known at the edges: (arms, panels, nodes).
    weights, running
        Gauss-Legendre weights on (0, 1), and those of the integral from 0 to each node.
    """
    arms, panels, nodes = shapes.shape
    shares = np.zeros(arms)
    logs = np.empty((arms, nodes))
    for panel in range(panels):
        left = right = 0.0
        rates = np.zeros(nodes)
        for arm in range(arms):
            low, high = below[arm, panel], below[arm, panel + 1]
            left += np.log(low)
            right += np.log(high)
            _within(low, high, shapes[arm, panel], weights, running, logs[arm], rates)
        mass = weights * rates
        for node in range(nodes):
            mass[node] *= np.exp(logs[:, node].sum())
        total = mass.sum()
        if total > 0.0:
            mass *= (np.exp(right) - np.exp(left)) / total
            for arm in range(arms):
                for node in range(nodes):
                    shares[arm] -= logs[arm, node] * mass[node]
    return shares


@kernel
def _within(
    low: float,
    high: float,
    shape: Floats,
    weights: Floats,
    running: Floats,
    logs: Floats,
    rates: Floats,
) -> None:
    """Write ``log F`` at the nodes of one panel, and add its slope to `rates`."""
    if not high > low:
        logs[:] = np.log(high)
        return
    density = np.exp(shape - shape.max())
    gain = (high - low) / (weights * density).sum()
    for node in range(len(density)):
        reached = (running[node] * density).sum()
        at = min(max(low + gain * reached, low + 1e-12 * (high - low)), high)
        logs[node] = np.log(at)
        rates[node] += gain * density[node] / at
