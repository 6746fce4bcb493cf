"""The paper's theorems as functions, so that they can be checked.

Symbols, as in the paper: T rounds, d features, sigma the bound on the noise, W the bound
on the length of the true parameters, B the bound on the length of contexts, delta the
probability with which the bounds may fail, lambda = sigma^2 / W^2 the ridge, and `spread`
the sum over arms of T^a (u^a)^2, plays times the largest squared neighbour distance (0 with
k-NN off).
"""

from __future__ import annotations

import math

from hybandit.errors import InvalidInput


def beta(
    T: int,  # noqa: N803
    d: int,
    *,
    sigma: float,
    W: float,  # noqa: N803
    B: float,  # noqa: N803
    delta: float,
    spread: float = 0.0,
) -> float:
    """The squared radius of the confidence ball (Theorem 1's beta_t).

    ``sigma^2 (2 + 4 d log(1 + T B^2 W^2 / d + spread / d) + 8 log(4 / delta))``

    Examples
    --------
    >>> round(beta(100, 5, sigma=0.1, W=1.0, B=1.0, delta=0.05), 3)
    0.979
    """
    _check(T=T, d=d, sigma=sigma, W=W, B=B, delta=delta)
    inside = 1.0 + T * B**2 * W**2 / d + spread / d
    return sigma**2 * (2.0 + 4.0 * d * math.log(inside) + 8.0 * math.log(4.0 / delta))


def regret_bound(T: int, d: int, *, spread: float = 0.0, **limits: float) -> float:  # noqa: N803
    """The bound on cumulative regret that proves Theorem 1.

    ``sqrt(8 T beta d log(1 + T B^2 / (d lambda) + spread / (d lambda)))``, lambda =
    sigma^2 / W^2. Theorem 1 writes it with an unnamed constant b; this is the inequality of
    the paper's second proposition, in which every constant is known. `limits` are sigma, W, B
    and delta, as of `beta`.

    Examples
    --------
    >>> settings = dict(sigma=0.1, W=1.0, B=1.0, delta=0.05)
    >>> regret_bound(40_000, 5, **settings) / regret_bound(10_000, 5, **settings) < 2.5
    True
    """
    radius = beta(T, d, spread=spread, **limits)
    ridge = limits["sigma"] ** 2 / limits["W"] ** 2
    inside = 1.0 + (T * limits["B"] ** 2 + spread) / (d * ridge)
    return math.sqrt(8.0 * T * radius * d * math.log(inside))


def attention_rate(
    N: float,  # noqa: N803
    total: float,
    g: float,
    *,
    alpha: float = 1.0,
    kappa: float = 0.5,
) -> float:
    """The temporal attention of an arm with N > 0 pulls and `total` reward."""
    return alpha / (N + 1.0) * (kappa * g + (1.0 - kappa) * total / N)


def attention_slope(
    N: float,  # noqa: N803
    total: float,
    g: float,
    *,
    alpha: float = 1.0,
    kappa: float = 0.5,
) -> float:
    """How the rate falls with N (Theorem 2), the sum of rewards and g held fixed.

    Examples
    --------
    >>> step = 1e-6
    >>> above, below = attention_rate(5 + step, 3, 0.4), attention_rate(5 - step, 3, 0.4)
    >>> abs((above - below) / (2 * step) - attention_slope(5, 3, 0.4)) < 1e-8
    True
    """
    own = (1.0 - kappa) * total
    return -alpha * (own / ((N + 1.0) * N**2) + (kappa * g + own / N) / (N + 1.0) ** 2)


def _check(**symbols: float) -> None:
    for name, value in symbols.items():
        if not 0.0 < value < math.inf:
            raise InvalidInput(name, "a number above 0", value)
    if symbols["delta"] >= 1.0:
        raise InvalidInput("delta", "a probability below 1", symbols["delta"])
