"""Networks with one hidden ReLU layer, in single precision.

A network is four arrays: `weights` (block, feature, unit), `offsets` (block, unit), `heads`
(head, unit) and `levels` (head). `strides` says which of them an arm has for itself: arm a
uses ``weights[a * strides[0]]``, ``offsets[a * strides[1]]`` and ``heads[a * strides[2]]``.
So the long vector with one block for each arm, all zero except one, is never built.
"""

from __future__ import annotations

import math

import numpy as np

from hybandit.kernels.compiling import kernel
from hybandit.state import Floats, Integers, Singles

# Longer contexts are shortened to this, so that results fit single precision.
LONGEST = 1e6
# The gradient of a step is clipped to this length, so that weights stay finite.
STEEPEST = 1e3
# The smallest variance: from zero it could never grow again.
SMALLEST = 1e-30


@kernel
def shorten(contexts: Floats, out: Singles) -> None:
    """Contexts in single precision, none longer than LONGEST."""
    for row in range(contexts.shape[0]):
        most = 0.0
        for j in range(contexts.shape[1]):
            most = max(most, abs(contexts[row, j]))
        square = 0.0
        for j in range(contexts.shape[1]):
            share = contexts[row, j] / most if most > 0.0 else 0.0
            square += share * share
        length = most * math.sqrt(square)
        factor = LONGEST / length if length > LONGEST else 1.0
        for j in range(contexts.shape[1]):
            out[row, j] = contexts[row, j] * factor


@kernel
def forward(
    weights: Singles,
    offsets: Singles,
    heads: Singles,
    levels: Singles,
    strides: Integers,
    contexts: Singles,
    hidden: Singles,
    out: Floats,
) -> None:
    """Every arm's hidden layer and output; `contexts` has one row for all arms or one each."""
    units = heads.shape[1]
    for arm in range(out.shape[0]):
        block = arm * strides[0]
        row = arm if contexts.shape[0] > 1 else 0
        for i in range(units):
            hidden[arm, i] = offsets[arm * strides[1], i]
        for j in range(contexts.shape[1]):
            value = contexts[row, j]
            if value != 0.0:
                for i in range(units):
                    hidden[arm, i] += value * weights[block, j, i]
        head = arm * strides[2]
        total = np.float32(0.0)
        for i in range(units):
            hidden[arm, i] = max(hidden[arm, i], np.float32(0.0))
            total += heads[head, i] * hidden[arm, i]
        out[arm] = np.float64(total) + np.float64(levels[head])


@kernel
def gradient_squares(
    heads: Singles,
    strides: Integers,
    contexts: Singles,
    hidden: Singles,
    weight_variances: Singles,
    offset_variances: Singles,
    head_variances: Singles,
    level_variances: Singles,
    out: Floats,
) -> None:
    """``out[a] = sum of g^2 V`` over all parameters, g the gradient of arm a's output."""
    units = heads.shape[1]
    reach = np.empty(units, np.float32)
    for arm in range(out.shape[0]):
        block = arm * strides[0]
        head = arm * strides[2]
        row = arm if contexts.shape[0] > 1 else 0
        for i in range(units):
            reach[i] = offset_variances[arm * strides[1], i]
        for j in range(contexts.shape[1]):
            square = contexts[row, j] * contexts[row, j]
            if square != 0.0:
                for i in range(units):
                    reach[i] += square * weight_variances[block, j, i]
        total = np.float32(0.0)
        for i in range(units):
            height = hidden[arm, i]
            back = heads[head, i] if height > 0.0 else np.float32(0.0)
            total += back * back * reach[i] + height * height * head_variances[head, i]
        out[arm] = np.float64(total) + np.float64(level_variances[head])


@kernel
def shrunk(variance: float, square: float) -> float:
    """1 / (1 / V + g^2)."""
    return max(variance / (1.0 + square * variance), SMALLEST)


@kernel
def shrink_variances(
    heads: Singles,
    strides: Integers,
    contexts: Singles,
    hidden: Singles,
    weight_variances: Singles,
    offset_variances: Singles,
    head_variances: Singles,
    level_variances: Singles,
    arm: int,
) -> None:
    """After arm `arm` was played: ``1 / V += g^2``."""
    units = heads.shape[1]
    block = arm * strides[0]
    offset = arm * strides[1]
    head = arm * strides[2]
    row = arm if contexts.shape[0] > 1 else 0
    squares = np.zeros(units, np.float32)
    for i in range(units):
        height = hidden[arm, i]
        head_variances[head, i] = shrunk(head_variances[head, i], height * height)
        if height > 0.0:
            squares[i] = heads[head, i] * heads[head, i]
        offset_variances[offset, i] = shrunk(offset_variances[offset, i], squares[i])
    for j in range(contexts.shape[1]):
        square = contexts[row, j] * contexts[row, j]
        if square != 0.0:
            for i in range(units):
                weight_variances[block, j, i] = shrunk(
                    weight_variances[block, j, i], square * squares[i]
                )
    level_variances[head] = shrunk(level_variances[head], 1.0)


@kernel
def gather(
    contexts: Singles,
    arms: Integers,
    targets: Floats,
    batch: Integers,
    n_arms: int,
    rows: Singles,
    wanted: Floats,
    ends: Integers,
) -> None:
    """One batch, its examples sorted by arm: ``ends[a]`` is where those of arm a end."""
    for arm in range(n_arms):
        ends[arm] = 0
    for example in batch:
        ends[arms[example]] += 1
    total = 0
    for arm in range(n_arms):
        total += ends[arm]
        ends[arm] = total - ends[arm]
    for example in batch:
        place = ends[arms[example]]
        ends[arms[example]] += 1
        wanted[place] = targets[example]
        for j in range(contexts.shape[1]):
            rows[place, j] = contexts[example, j]


@kernel
def blame(
    heads: Singles,
    levels: Singles,
    head: int,
    offsets: Singles,
    offset: int,
    rows: Singles,
    wanted: Floats,
    start: int,
    stop: int,
    hidden: Singles,
    errors: Floats,
) -> float:
    """Finish the hidden layers, given as ``W'x``, and compute the errors of these examples.

    Returns a bound on the length of their gradients, summed.
    """
    units = heads.shape[1]
    outward = 1.0
    for i in range(units):
        outward += heads[head, i] * heads[head, i]
    steepness = 0.0
    for row in range(start, stop):
        total = np.float32(0.0)
        inward = np.float32(1.0)
        for i in range(units):
            height = max(hidden[row, i] + offsets[offset, i], np.float32(0.0))
            hidden[row, i] = height
            total += heads[head, i] * height
            inward += height * height
        for j in range(rows.shape[1]):
            inward += rows[row, j] * rows[row, j]
        errors[row] = np.float64(total) + np.float64(levels[head]) - wanted[row]
        steepness += abs(errors[row]) * math.sqrt(outward * inward)
    return steepness


@kernel
def pass_back(
    heads: Singles,
    head: int,
    offset: int,
    errors: Floats,
    start: int,
    stop: int,
    rate: float,
    hidden: Singles,
    offset_slopes: Singles,
    head_slopes: Singles,
    level_slopes: Singles,
) -> None:
    """Turn the hidden layers into their own slopes, and add up those of the other parameters.

    All slopes are multiplied by `rate`.
    """
    for row in range(start, stop):
        push = np.float32(rate * errors[row])
        level_slopes[head, 0] += push
        for i in range(heads.shape[1]):
            height = hidden[row, i]
            head_slopes[head, i] += push * height
            back = push * heads[head, i] if height > 0.0 else np.float32(0.0)
            hidden[row, i] = back
            offset_slopes[offset, i] += back


@kernel
def descend(
    parameters: Singles, velocities: Singles, slopes: Singles, momentum: float, decay: float
) -> None:
    """``v = momentum v + slope + decay w``, then ``w -= v``."""
    faded = np.float32(momentum)
    pull = np.float32(decay)
    for row in range(parameters.shape[0]):
        for i in range(parameters.shape[1]):
            velocity = faded * velocities[row, i] + slopes[row, i] + pull * parameters[row, i]
            velocities[row, i] = velocity
            parameters[row, i] -= velocity


@kernel
def train(
    weights: Singles,
    offsets: Singles,
    heads: Singles,
    levels: Singles,
    strides: Integers,
    contexts: Singles,
    arms: Integers,
    targets: Floats,
    batches: Integers,
    n_arms: int,
    steps: int,
    rate: float,
    momentum: float,
    decay: float,
) -> None:
    """Gradient descent on the mean squared error plus ``decay / 2 * |parameters|^2``.

    Step s takes the examples ``batches[s % len(batches)]``. Momentum starts anew.
    """
    count = batches.shape[1]
    blocks, features, units = weights.shape
    rows = np.empty((count, features), np.float32)
    hidden = np.empty((count, units), np.float32)
    wanted = np.empty(count)
    errors = np.empty(count)
    ends = np.empty(n_arms, np.int64)
    flat_levels = levels.reshape((-1, 1))
    slopes = np.empty((features, units), np.float32)
    offset_slopes = np.empty(offsets.shape, np.float32)
    head_slopes = np.empty(heads.shape, np.float32)
    level_slopes = np.empty(flat_levels.shape, np.float32)
    velocities = np.zeros(weights.shape, np.float32)
    offset_velocities = np.zeros(offsets.shape, np.float32)
    head_velocities = np.zeros(heads.shape, np.float32)
    level_velocities = np.zeros(flat_levels.shape, np.float32)
    for step in range(steps):
        if step < batches.shape[0]:
            gather(contexts, arms, targets, batches[step], n_arms, rows, wanted, ends)
        start = 0
        for block in range(blocks):
            stop = ends[block] if strides[0] else count
            if stop > start:
                np.dot(rows[start:stop], weights[block], hidden[start:stop])
            start = stop
        steepness = 0.0
        start = 0
        for arm in range(n_arms):
            steepness += blame(
                heads, levels, arm * strides[2], offsets, arm * strides[1], rows, wanted,
                start, ends[arm], hidden, errors,
            )  # fmt: skip
            start = ends[arm]
        push = 2.0 * rate / count
        if 2.0 * steepness / count > STEEPEST:
            push *= STEEPEST * count / (2.0 * steepness)
        offset_slopes[:] = 0.0
        head_slopes[:] = 0.0
        level_slopes[:] = 0.0
        start = 0
        for arm in range(n_arms):
            pass_back(
                heads, arm * strides[2], arm * strides[1], errors, start, ends[arm], push,
                hidden, offset_slopes, head_slopes, level_slopes,
            )  # fmt: skip
            start = ends[arm]
        pull = rate * decay
        start = 0
        for block in range(blocks):
            stop = ends[block] if strides[0] else count
            if stop > start:
                np.dot(rows[start:stop].T, hidden[start:stop], slopes)
            else:
                slopes[:] = 0.0
            descend(weights[block], velocities[block], slopes, momentum, pull)
            start = stop
        descend(offsets, offset_velocities, offset_slopes, momentum, pull)
        descend(heads, head_velocities, head_slopes, momentum, pull)
        descend(flat_levels, level_velocities, level_slopes, momentum, pull)
