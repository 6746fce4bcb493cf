"""Kernel ridge regression over all arms at once."""

from __future__ import annotations

import math
from typing import ClassVar

import numpy as np

from hybandit.errors import ModelFileError
from hybandit.estimators.kernel_basis import KernelBasis
from hybandit.estimators.observations import Observations
from hybandit.kernels import similarity as kernels
from hybandit.kernels.vectors import squared_length
from hybandit.state import DERIVED, Array, Floats, LastAnswer, Part, fitting, row_of, with_room

# How much rounding may add to a length, as a factor.
SLACK = 1.0 + 1e-6


class KernelRegression(Part):
    """Mean ``k'(K + lam I)^-1 r`` and deviation ``sqrt(1 - k'(K + lam I)^-1 k)``.

    The kernel is ``exp(-|z - z'|)`` on vectors z that hold the context in the arm's own
    block: arms share what they learn, the more so the shorter their contexts. The Cholesky
    factor L of ``K + lam I`` grows by a row with every point, and ``L^-1 r`` by a number,
    so nothing is ever solved from the start.

    Parameters
    ----------
    max_points
        How many observations to keep as points of the regression; None for all. Cost grows
        with their square.
    beyond
        What becomes of later ones: ``learn``, within what the kept points span
        (`KernelBasis`), or ``ignore``.

    Examples
    --------
    >>> regression = KernelRegression(2, 1, lam=1.0)
    >>> context = np.array([[0.0]])
    >>> regression.learn(context, arm=0, reward=1.0)
    >>> regression.means_and_variances(context)
    (array([0.5, 0.5]), array([0.5, 0.5]))
    """

    _children: ClassVar = ("points", "basis")

    def __init__(
        self,
        n_arms: int,
        n_features: int,
        *,
        lam: float,
        max_points: int | None = None,
        beyond: str = "learn",
    ) -> None:
        self.n_arms = n_arms
        self.lam = lam
        self.max_points = max_points
        self.beyond = beyond
        self.points = Observations(n_features)
        # Empty until more is learned than the points.
        self.basis = KernelBasis(0, lam=lam)
        self._factor = np.zeros((16, 16))
        self._whitened = np.zeros(16)
        self._lengths = np.zeros(16)
        self._last: LastAnswer[Floats] = LastAnswer()

    def means_and_variances(self, contexts: Floats) -> tuple[Floats, Floats]:
        """For every arm; `contexts` is (1, d) for all arms or (n_arms, d)."""
        if self.basis.size:
            return self.basis.means_and_variances(self._similarities(contexts))
        means, variances = np.empty(self.n_arms), np.empty(self.n_arms)
        kernels.posterior(
            self._solved(contexts), self._whitened, self.points.size, means, variances
        )
        return means, variances

    def learn(self, contexts: Floats, arm: int, reward: float) -> None:
        size = self.points.size
        if self.max_points is not None and size >= self.max_points:
            if self.beyond == "learn":
                self._learn_beyond(contexts, arm, reward)
            return
        row = self._solved(contexts)[arm].copy()
        if size == len(self._whitened):
            self._reserve(2 * size)
        context = row_of(contexts, arm)
        self._extend(row, context, reward)
        self.points.append(context, arm, reward)
        self._last.forget()

    def add_arm(self) -> None:
        self.n_arms += 1
        self._last.forget()

    def drop_arm(self, arm: int) -> None:
        """Forget the points of this arm, and all observations beyond the points."""
        self.points.drop_arm(arm)
        self.basis = KernelBasis(0, lam=self.lam)
        self.n_arms -= 1
        self._refactor()
        self._last.forget()

    def state(self) -> dict[str, Array]:
        size = self.points.size
        return {
            **super().state(),
            "factor": self._factor[np.tril_indices(size)],
            "whitened": self._whitened[:size],
        }

    def restore(self, arrays: dict[str, Array]) -> None:
        # No larger than what the file holds, whatever its settings say.
        beyond = len(np.atleast_1d(arrays.get("basis/projection", ())))
        self.basis = KernelBasis(beyond, lam=self.lam)
        super().restore(arrays)
        size = self.points.size
        if beyond and (self.beyond != "learn" or not size == beyond == self.max_points):
            raise ModelFileError("it learned beyond points that it does not have")
        self.points.check_owners(self.n_arms)
        # Rows of L are as long as the root of 1 + lam, and end with the root of lam at least.
        longest, shortest = math.sqrt(1.0 + self.lam), math.sqrt(self.lam)
        limits = -longest * SLACK, longest * SLACK
        packed = fitting("factor", arrays, np.float64, (size * (size + 1) // 2,), limits)
        self._whitened = fitting("whitened", arrays, np.float64, (size,), DERIVED)
        self._factor = np.zeros((size, size))
        self._factor[np.tril_indices(size)] = packed
        if size and self._factor.diagonal().min() < shortest / SLACK:
            raise ModelFileError("a factor does not belong to its kernel")
        self._lengths = np.array([_length(row) for row in self.points.entries.contexts[:size]])
        self._reserve(max(16, size))
        self._last.forget()

    def _solved(self, contexts: Floats) -> Floats:
        """``L^-1 k`` of every arm."""
        known = self._last.answer(contexts)
        if known is not None:
            return known
        rows = self._similarities(contexts)
        kernels.solve(self._factor, self.points.size, rows)
        self._last.keep(rows, contexts)
        return rows

    def _similarities(self, contexts: Floats) -> Floats:
        """K of every arm."""
        size, entries = self.points.size, self.points.entries
        rows = np.empty((self.n_arms, size))
        kernels.similarities(entries.contexts, entries.owners, self._lengths, size, contexts, rows)
        return rows

    def _learn_beyond(self, contexts: Floats, arm: int, reward: float) -> None:
        if not self.basis.size:
            size = self.points.size
            factor = np.tril(self._factor[:size, :size])
            self.basis = KernelBasis(size, lam=self.lam)
            self.basis.take(
                factor @ factor.T - self.lam * np.eye(size), self.points.entries.rewards[:size]
            )
        self.basis.learn(self._similarities(contexts)[arm : arm + 1], reward)
        self._last.forget()

    def _refactor(self) -> None:
        """Compute L and L^-1 r again, point by point."""
        points, entries = self.points.size, self.points.entries
        capacity = max(16, points)
        self._factor = np.zeros((capacity, capacity))
        self._whitened, self._lengths = np.zeros(capacity), np.zeros(capacity)
        for size in range(points):
            context, arm = entries.contexts[size], int(entries.owners[size])
            rows = np.empty((self.n_arms, size))
            kernels.similarities(
                entries.contexts, entries.owners, self._lengths, size, context[None], rows
            )
            row = rows[arm : arm + 1]
            kernels.solve(self._factor, size, row)
            self._extend(row[0], context, float(entries.rewards[size]))

    def _extend(self, row: Floats, context: Floats, reward: float) -> None:
        """Add one row to L and one number to L^-1 r."""
        size = len(row)
        # The true value is at least lam, whatever rounding makes of it.
        diagonal = math.sqrt(max(1.0 + self.lam - float(row @ row), self.lam))
        self._factor[size, :size] = row
        self._factor[size, size] = diagonal
        self._whitened[size] = (reward - row @ self._whitened[:size]) / diagonal
        self._lengths[size] = _length(context)

    def _reserve(self, capacity: int) -> None:
        size = self.points.size
        factor = np.zeros((capacity, capacity))
        factor[:size, :size] = self._factor[:size, :size]
        self._factor = factor
        self._whitened = with_room(self._whitened, size, capacity)
        self._lengths = with_room(self._lengths, size, capacity)


def _length(context: Floats) -> float:
    return float(squared_length(context[None], 0))
