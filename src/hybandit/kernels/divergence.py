"""The Bernoulli divergence and its inverse."""

from __future__ import annotations

import math

from hybandit.kernels.compiling import kernel
from hybandit.state import Floats


@kernel
def bernoulli(first: float, second: float) -> float:
    """kl(first, second) with 0 log 0 = 0."""
    total = 0.0
    if first > 0.0:
        total += first * math.log(first / second) if second > 0.0 else math.inf
    if first < 1.0:
        total += (
            (1.0 - first) * math.log((1.0 - first) / (1.0 - second)) if second < 1.0 else math.inf
        )
    return total


@kernel
def largest_mean(mean: float, count: float, budget: float) -> float:
    """The largest q in [mean, 1] with ``count * kl(mean, q) <= budget``, to 1e-9."""
    if count == 0.0:
        return math.inf
    low = min(max(mean, 0.0), 1.0)
    mean = low
    high = 1.0
    if count * bernoulli(mean, high) <= budget:
        return high
    while high - low > 1e-9:
        middle = 0.5 * (low + high)
        if count * bernoulli(mean, middle) <= budget:
            low = middle
        else:
            high = middle
    return low


@kernel
def largest_means(means: Floats, counts: Floats, budget: float, out: Floats) -> None:
    for arm in range(means.shape[0]):
        out[arm] = largest_mean(means[arm], counts[arm], budget)
