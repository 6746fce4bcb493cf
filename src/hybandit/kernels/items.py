"""Features of a context and an item together, and the estimates of several views."""

from __future__ import annotations

from hybandit.kernels.compiling import kernel
from hybandit.kernels.ridge import width
from hybandit.kernels.stack import bounded
from hybandit.state import Floats, Integers


@kernel
def count_sketch(rows: Floats, buckets: Integers, signs: Floats, out: Floats) -> None:
    """``out[i, h] = sum of sign_j rows[i, j]`` over the columns j in bucket h."""
    for i in range(rows.shape[0]):
        for h in range(out.shape[1]):
            out[i, h] = 0.0
        for j in range(rows.shape[1]):
            out[i, buckets[j]] += signs[j] * rows[i, j]


@kernel
def estimates(
    z: Floats,
    weights: Floats,
    starts: Integers,
    stops: Integers,
    shrink: Floats,
    past: tuple[Integers, Floats, Floats, Floats],
    out: Floats,
) -> None:
    """``out[i, v] = z_i'theta_v + u_v`` of every item by every view, and last the mean of u.

    ``u_v = (S - B'theta_v) / (N + shrink_v)`` is the item's own intercept; `past` has the rows
    in which the items' N, S and B are, and these. View v has weights from ``starts[v]`` until
    before ``stops[v]``. Candidates that are alike get equal numbers, to the last bit.
    """
    rows, counts, totals, features = past
    for i in range(z.shape[0]):
        row = rows[i]
        owns = 0.0
        for v in range(weights.shape[0]):
            shared = 0.0
            before = 0.0
            for j in range(starts[v], stops[v]):
                shared += z[i, j] * weights[v, j]
                before += features[row, j] * weights[v, j]
            own = (totals[row] - before) / (counts[row] + shrink[v])
            out[i, v] = bounded(shared + own)
            owns += own
        out[i, weights.shape[0]] = bounded(owns / weights.shape[0])


@kernel
def mixed(estimates: Floats, weights: Floats, out: Floats) -> None:
    """``out[i] = [estimates_i, 1]' weights``, the same for candidates that are alike."""
    last = estimates.shape[1]
    for i in range(estimates.shape[0]):
        out[i] = weights[last]
        for v in range(last):
            out[i] += weights[v] * estimates[i, v]
        out[i] = bounded(out[i])


@kernel
def upper(
    z: Floats, weights: Floats, factors: Floats, scales: Floats, rates: Floats, out: Floats
) -> None:
    """``out[i] = z_i'theta + rates_i * width_i`` by one ridge, the same for rows that are alike."""
    for i in range(z.shape[0]):
        value = 0.0
        for j in range(z.shape[1]):
            value += z[i, j] * weights[0, j]
        if rates[i] != 0.0:
            value += rates[i] * width(factors, scales, z, 0, i)
        out[i] = bounded(value)
