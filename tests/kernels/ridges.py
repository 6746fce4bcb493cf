"""Ridges for the tests of kernels, with their plain matrices."""

import numpy as np
from hypothesis import settings
from hypothesis import strategies as st

few = settings(max_examples=40, deadline=None)
sizes = st.tuples(st.integers(1, 5), st.integers(1, 13), st.booleans(), st.integers(0, 2**32 - 1))


def factored(matrix):
    """S^-1 = U diag(scales) U' as the kernels keep it, from a Cholesky factor of S."""
    lower = np.linalg.cholesky(matrix)
    diagonal = np.diag(lower)
    unit = np.linalg.inv(lower).T * diagonal
    return np.tril(unit.T, -1), 1.0 / diagonal**2


def problem(n_arms, size, shared, seed):
    generator = np.random.default_rng(seed)
    roots = generator.normal(size=(n_arms, size + 2, size))
    matrices = np.eye(size) + roots.transpose(0, 2, 1) @ roots
    factors, scales = (np.array(part) for part in zip(*map(factored, matrices), strict=True))
    weights = generator.normal(size=(n_arms, size))
    contexts = generator.normal(size=(1 if shared else n_arms, size))
    return generator, matrices, factors, scales, weights, contexts


def plain_widths(matrices, contexts):
    rows = np.broadcast_to(contexts, (len(matrices), contexts.shape[1]))
    return np.array(
        [np.sqrt(x @ np.linalg.solve(s, x)) for s, x in zip(matrices, rows, strict=True)]
    )
