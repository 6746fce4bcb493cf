"""Ridge regression, one for each arm."""

from __future__ import annotations

import math
from typing import ClassVar

import numpy as np
from scipy.linalg import blas, solve_triangular

from hybandit.errors import InvalidInput
from hybandit.kernels import ridge as kernels
from hybandit.state import Array, Flags, Floats, Stateful, check_arm, row_of, with_row


class Ridge(Stateful):
    """Linear estimate and its uncertainty, arm by arm.

    ``S = reg I + sum x x'``, ``b = sum x target``; estimate ``x' S^-1 b`` and width
    ``sqrt(x' S^-1 x)``. The inverse is kept factored (see `hybandit.kernels.ridge`) in
    float64 and updated in O(d^2), which stays exact over any number of updates.

    Parameters
    ----------
    reg
        The ridge: what S starts with on its diagonal.
    level
        Also keep `levels`, the weights that fit the constant 1. For any c, the weights
        for targets less c are then ``weights - c * levels``, exactly.
    prior
        Weights before any observation (the ridge shrinks towards them). Default 0.
    gamma
        With `learn`'s `spread` u, S also gains ``gamma u^2 I`` per observation (the
        paper's determinant lemma). The factor is then rebuilt each time, in O(d^3).

    Examples
    --------
    >>> ridge = Ridge(n_arms=2, n_features=1, reg=1.0)
    >>> context = np.array([[1.0]])
    >>> ridge.learn(context, arm=0, target=1.0)
    >>> ridge.values(context), ridge.widths(context)
    (array([0.5, 0. ]), array([0.70710678, 1.        ]))
    """

    _arrays: ClassVar = ("weights", "levels", "factors", "scales", "gram", "moment")

    def __init__(
        self,
        n_arms: int,
        n_features: int,
        *,
        reg: float = 1.0,
        level: bool = False,
        prior: Floats | None = None,
        gamma: float = 0.0,
    ) -> None:
        if level and gamma:
            raise InvalidInput("gamma", "0 where levels are kept", gamma)
        self.reg = reg
        self.gamma = gamma
        # No width exceeds this times |x|, for S never falls below reg I.
        self._largest = 1.0 / math.sqrt(reg)
        self.prior = np.zeros(n_features) if prior is None else prior
        self.weights = np.tile(self.prior, (n_arms, 1))
        self.levels = np.zeros((n_arms, n_features if level else 0))
        self.factors = np.zeros((n_arms, n_features, n_features))
        self.scales = np.full((n_arms, n_features), 1.0 / reg)
        # S and b themselves are needed only where a rank-1 update does not suffice.
        rebuilt = n_features if gamma else 0
        self.gram = np.tile(reg * np.eye(rebuilt), (n_arms, 1, 1))
        self.moment = np.tile(reg * self.prior[:rebuilt], (n_arms, 1))

    def values(self, contexts: Floats) -> Floats:
        """The estimate x'mu of every arm; `contexts` is (1, d) for all arms or (n_arms, d)."""
        out = np.empty(len(self.weights))
        kernels.means(self.weights, contexts, out)
        return out

    def level_values(self, contexts: Floats) -> Floats:
        """What the same fit gives for the constant target 1."""
        out = np.empty(len(self.levels))
        kernels.means(self.levels, contexts, out)
        return out

    def widths(self, contexts: Floats) -> Floats:
        out = np.empty(len(self.weights))
        kernels.widths(self.factors, self.scales, contexts, out)
        return out

    def raised(
        self, values: Floats, contexts: Floats, rates: Floats, allowed: Flags, exact: bool
    ) -> Floats:
        """``values + rates * widths``; unless `exact`, an arm that cannot win keeps a bound."""
        scores = np.empty(len(values))
        kernels.upper(
            values, self.factors, self.scales, contexts, rates, allowed, self._largest, exact,
            scores,
        )  # fmt: skip
        return scores

    def upper(self, contexts: Floats, rates: Floats, allowed: Flags, exact: bool = True) -> Floats:
        """Upper confidence bounds: ``x'mu + rate * width``."""
        scores = np.empty(len(rates))
        kernels.linear_upper(
            self.weights, self.factors, self.scales, contexts, rates, allowed, self._largest,
            exact, scores,
        )  # fmt: skip
        return scores

    def values_and_widths(self, contexts: Floats) -> tuple[Floats, Floats]:
        """Both for many shared contexts at once, (n, d) -> two (n, n_arms), by BLAS."""
        means = contexts @ self.weights.T
        widths = np.empty_like(means)
        # The transpose is Fortran-ordered, as BLAS wants it: the product overwrites one copy.
        turned = np.empty((contexts.shape[1], len(contexts)), order="F")
        for arm, (factor, scale) in enumerate(zip(self.factors, self.scales, strict=True)):
            turned[:] = contexts.T
            turned = blas.dtrmm(1.0, factor.T, turned, lower=0, trans_a=1, diag=1, overwrite_b=1)
            np.multiply(turned, turned, out=turned)
            widths[:, arm] = scale @ turned
        np.sqrt(widths, out=widths)
        return means, widths

    def learn(self, contexts: Floats, arm: int, target: float, spread: float = 0.0) -> None:
        """One observation: what arm `arm` should have given on its context."""
        check_arm(arm, len(self.weights))
        if self.gamma:
            self._rebuild(row_of(contexts, arm), arm, target, spread)
        else:
            kernels.update(
                self.weights, self.levels, self.factors, self.scales, contexts, arm, target
            )

    def inverse(self, arm: int) -> Floats:
        """S^-1 of one arm, as a plain matrix."""
        unit = self.factors[arm].T + np.eye(self.factors.shape[1])
        product: Floats = (unit * self.scales[arm]) @ unit.T
        return product

    def refit(self, arm: int, contexts: Floats, targets: Floats) -> None:
        """Start this arm anew and learn all of these, (n, d) and (n,), at once."""
        gram = contexts.T @ contexts + self.reg * np.eye(contexts.shape[1])
        try:
            lower = np.linalg.cholesky(gram)
        except np.linalg.LinAlgError:
            # Contexts of very different sizes: S is singular to rounding, its factor is not.
            self.weights[arm] = self.prior
            self.factors[arm] = 0.0
            self.scales[arm] = 1.0 / self.reg
            for context, target in zip(contexts, targets, strict=True):
                self.learn(context[None], arm, target)
            return
        self._take(arm, lower, contexts.T @ targets + self.reg * self.prior)

    def add_arm(self) -> None:
        self.weights = np.concatenate([self.weights, self.prior[None]])
        self.levels = with_row(self.levels, 0.0)
        self.factors = with_row(self.factors, 0.0)
        self.scales = with_row(self.scales, 1.0 / self.reg)
        fresh = self.gram.shape[1]
        self.gram = np.concatenate([self.gram, self.reg * np.eye(fresh)[None]])
        self.moment = np.concatenate([self.moment, self.reg * self.prior[None, :fresh]])

    def _rebuild(self, context: Floats, arm: int, target: float, spread: float) -> None:
        gram = self.gram[arm]
        gram += np.outer(context, context)
        gram.flat[:: len(gram) + 1] += self.gamma * spread * spread
        self.moment[arm] += target * context
        try:
            lower = np.linalg.cholesky(gram)
        except np.linalg.LinAlgError:
            # Contexts of very different sizes: S is singular to rounding, its factor is not.
            kernels.update(
                self.weights, self.levels, self.factors, self.scales, context[None], arm, target
            )
            return
        self._take(arm, lower, self.moment[arm])

    def _take(self, arm: int, lower: Array, moment: Floats) -> None:
        """Factor and weights from the Cholesky factor of S, and b."""
        diagonal = np.diag(lower)
        inverse = solve_triangular(lower, np.eye(len(lower)), lower=True)
        self.factors[arm] = np.tril(inverse * diagonal[:, None], -1)
        self.scales[arm] = 1.0 / diagonal**2
        self.weights[arm] = inverse.T @ (inverse @ moment)
