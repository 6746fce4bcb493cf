"""What hybandit is measured against: named references, run in the same process."""

from __future__ import annotations

import numpy as np
from numba import njit


@njit(fastmath=True, cache=True)
def whole_loop_lin_ucb(contexts, rewards, n_arms, alpha):
    """LinUCB as one compiled loop over all rounds: no calls from Python, no checks."""
    rounds, size = contexts.shape
    inverse = np.zeros((n_arms, size, size))
    weights = np.zeros((n_arms, size))
    gain = np.empty(size)
    for arm in range(n_arms):
        for i in range(size):
            inverse[arm, i, i] = 1.0
    total = 0.0
    for t in range(rounds):
        best, best_score = 0, -np.inf
        for arm in range(n_arms):
            mean, square = 0.0, 0.0
            for i in range(size):
                row = 0.0
                for j in range(size):
                    row += inverse[arm, i, j] * contexts[t, j]
                square += row * contexts[t, i]
                mean += weights[arm, i] * contexts[t, i]
            score = mean + alpha * np.sqrt(square)
            if score > best_score:
                best, best_score = arm, score
        error, scale = rewards[t, best], 1.0
        total += error
        for i in range(size):
            row = 0.0
            for j in range(size):
                row += inverse[best, i, j] * contexts[t, j]
            gain[i] = row
            scale += row * contexts[t, i]
            error -= weights[best, i] * contexts[t, i]
        for i in range(size):
            step = gain[i] / scale
            weights[best, i] += step * error
            for j in range(size):
                inverse[best, i, j] -= step * gain[j]
    return total


def gemm_per_arm(contexts, weights, inverses, alpha):
    """LinUCB scores of a whole batch in NumPy, float32, one matrix product for each arm."""
    scores = np.empty((len(contexts), len(weights)), np.float32)
    for arm, (weight, inverse) in enumerate(zip(weights, inverses, strict=True)):
        squares = ((contexts @ inverse) * contexts).sum(axis=1)
        scores[:, arm] = contexts @ weight + alpha * np.sqrt(squares)
    return scores.argmax(axis=1)
