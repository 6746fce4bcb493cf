"""Ridge regression, one for each arm."""

from __future__ import annotations

import math
from typing import ClassVar

import numpy as np
import numpy.typing as npt
from scipy.linalg import blas, solve_triangular

from hybandit.errors import InvalidInput, ModelFileError
from hybandit.estimators.fading import Fading
from hybandit.estimators.shortcuts import LARGE, Shortcuts
from hybandit.kernels import ridge as kernels
from hybandit.state import (
    DERIVED,
    PRODUCTS,
    Array,
    Flags,
    Floats,
    Integers,
    Part,
    check_arm,
    row_of,
)

# The turn of an arm that has learned nothing yet.
FIRST = -1


class Renewal:
    """How S regains the ridge that it loses by fading, a few features at a time.

    Features take turns, `step` at a time, in being given `amount`. That lifts their part of
    the ridge to at most ``2 reg`` and lets it fall to ``reg``, never below, until their next
    turn. `first` are the scales of S^-1 with which an arm begins to learn, lower for
    features that wait longer for their first turn.
    """

    def __init__(self, forget: float, reg: float, n_features: int) -> None:
        self.step = max(1, math.ceil(n_features * -math.log2(forget)))
        turns = -(-n_features // self.step)
        self.amount = reg * (forget ** (1 - turns) - forget)
        self.first = forget ** (np.arange(n_features) // self.step) / reg


class Ridge(Part):
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
    forget
        If given, S and b fade by this factor as `Fading` says, while the ridge is kept up
        (`Renewal`): S stays at least ``reg I``, and no weight's variance exceeds its prior.

    Examples
    --------
    >>> ridge = Ridge(n_arms=2, n_features=1, reg=1.0)
    >>> context = np.array([[1.0]])
    >>> ridge.learn(context, arm=0, target=1.0)
    >>> ridge.values(context), ridge.widths(context)
    (array([0.5, 0. ]), array([0.70710678, 1.        ]))
    """

    _arrays: ClassVar = ("weights", "levels", "factors", "scales", "gram", "moment", "turns")
    _ranges: ClassVar = {
        "weights": DERIVED,
        "levels": DERIVED,
        "factors": DERIVED,
        "scales": (0.0, DERIVED[1]),
        "gram": PRODUCTS,
        "moment": PRODUCTS,
    }
    _children: ClassVar = ("fading", "_shortcuts")

    def __init__(
        self,
        n_arms: int,
        n_features: int,
        *,
        reg: float = 1.0,
        level: bool = False,
        prior: Floats | None = None,
        gamma: float = 0.0,
        forget: float | None = None,
    ) -> None:
        if gamma and (level or forget):
            raise InvalidInput("gamma", "0 where levels are kept or the past fades", gamma)
        self.reg = reg
        self.gamma = gamma
        self.fading = Fading(n_arms, forget)
        self._forget = forget
        # No width exceeds this times |x|, for S never falls below reg I.
        self.widest = 1.0 / math.sqrt(reg)
        self.prior = np.zeros(n_features) if prior is None else prior
        self.weights = np.tile(self.prior, (n_arms, 1))
        self.levels = np.zeros((n_arms, n_features if level else 0))
        self.factors = np.zeros((n_arms, n_features, n_features))
        self.scales = np.full((n_arms, n_features), 1.0 / reg)
        # S and b themselves are needed only where a rank-1 update does not suffice.
        rebuilt = n_features if gamma else 0
        self.gram = np.tile(reg * np.eye(rebuilt), (n_arms, 1, 1))
        self.moment = np.tile(reg * self.prior[:rebuilt], (n_arms, 1))
        # Which feature of an arm is renewed next.
        self.turns = np.full(n_arms, FIRST)
        self._renewal = Renewal(forget or 1.0, reg, n_features)
        self._shortcuts = self._new_shortcuts(np.ones(n_arms, bool))

    def values(self, contexts: Floats) -> Floats:
        """The estimate x'mu of every arm; `contexts` is (1, d) for all arms or (n_arms, d)."""
        out = np.empty(len(self.weights))
        kernels.means(self.weights, contexts, out)
        return out

    def widths(self, contexts: Floats) -> Floats:
        out = np.empty(len(self.weights))
        kernels.widths(self.factors, self.scales, contexts, out)
        return out

    def add_widths(
        self, values: Floats, contexts: Floats, rates: Floats, allowed: Flags, exact: bool
    ) -> Floats:
        """``values + rates * widths``; unless `exact`, an arm that cannot win keeps a bound."""
        if self._shortcuts is not None:
            return self._shortcuts.add_widths(
                values, self.factors, self.scales, contexts, rates, allowed, self.widest, exact
            )
        scores = np.empty(len(values))
        kernels.upper(
            values, self.factors, self.scales, contexts, rates, allowed, self.widest, exact,
            scores,
        )  # fmt: skip
        return scores

    def upper(self, contexts: Floats, rates: Floats, allowed: Flags, exact: bool = True) -> Floats:
        """Upper confidence bounds: ``x'mu + rate * width``."""
        if self._shortcuts is not None:
            return self.add_widths(self.values(contexts), contexts, rates, allowed, exact)
        scores = np.empty(len(rates))
        kernels.linear_upper(
            self.weights, self.factors, self.scales, contexts, rates, allowed, self.widest,
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
        """Learn one observation: the value that the arm should have predicted on its context."""
        check_arm(arm, len(self.weights))
        self.update(contexts, arm, target, spread)

    def update(self, contexts: Floats, arm: int, target: float, spread: float = 0.0) -> None:
        """As `learn`, for an arm that has been checked."""
        if self._shortcuts is not None:
            self._shortcuts.learned(contexts, arm)
        if self.gamma:
            self._rebuild(row_of(contexts, arm), arm, target, spread)
            return
        if self._forget is not None:
            for each in self.fading.arms(arm):
                if each == arm or self.turns[each] != FIRST:
                    self._fade(each, self._forget)
        kernels.update(self.weights, self.levels, self.factors, self.scales, contexts, arm, target)

    def inverse(self, arm: int) -> Floats:
        """S^-1 of one arm, as a plain matrix."""
        unit = self.factors[arm].T + np.eye(self.factors.shape[1])
        product: Floats = (unit * self.scales[arm]) @ unit.T
        return product

    def refit(self, arm: int, contexts: Floats, targets: Floats) -> None:
        """Start this arm again and learn all of these, (n, d) and (n,), at once."""
        if self._shortcuts is not None:
            self._shortcuts.renewed(arm)
        gram = contexts.T @ contexts + self.reg * np.eye(contexts.shape[1])
        try:
            lower = np.linalg.cholesky(gram)
        except np.linalg.LinAlgError:
            # Contexts of very different sizes: S is singular to rounding, its factor is not.
            self.weights[arm] = self.prior
            self.factors[arm] = 0.0
            self.scales[arm] = 1.0 / self.reg
            for context, target in zip(contexts, targets, strict=True):
                self.update(context[None], arm, target)
            return
        self._take(arm, lower, contexts.T @ targets + self.reg * self.prior)

    def relearn(self, contexts: Floats, arms: Integers, targets: Floats) -> None:
        """Start all arms again and learn these, (n, d), (n,) and (n,), in this order."""
        self.weights[:] = self.prior
        self.levels[:] = 0.0
        self.factors[:] = 0.0
        self.scales[:] = 1.0 / self.reg
        self.turns[:] = FIRST
        self._shortcuts = self._new_shortcuts(np.ones(len(self.weights), bool))
        for context, arm, target in zip(contexts, arms.tolist(), targets.tolist(), strict=True):
            self.update(context[None], arm, target)

    def fresh(self) -> Ridge:
        """An equal ridge that has learned nothing."""
        return Ridge(
            len(self.weights), len(self.prior), reg=self.reg, level=self.levels.size > 0,
            prior=self.prior, gamma=self.gamma, forget=self._forget,
        )  # fmt: skip

    def _new_rows(self) -> dict[str, npt.ArrayLike]:
        rebuilt = self.gram.shape[1]
        return {
            "weights": self.prior,
            "levels": 0.0,
            "factors": 0.0,
            "scales": 1.0 / self.reg,
            "gram": self.reg * np.eye(rebuilt),
            "moment": self.reg * self.prior[:rebuilt],
            "turns": FIRST,
        }

    def add_arm(self) -> None:
        super().add_arm()
        if self._shortcuts is None:
            self._shortcuts = self._new_shortcuts()

    def drop_arm(self, arm: int) -> None:
        super().drop_arm(arm)
        if self.factors.size < LARGE:
            self._shortcuts = None

    def restore(self, arrays: dict[str, Array]) -> None:
        super().restore(arrays)
        if not (np.all(self.turns >= FIRST) and np.all(self.turns < len(self.prior))):
            raise ModelFileError("the turn is at features that do not exist")
        self._shortcuts = self._new_shortcuts()

    def _new_shortcuts(self, untouched: Flags | None = None) -> Shortcuts | None:
        """Shortcuts if the ridge is large; `untouched` is computed unless given."""
        if self.factors.size < LARGE:
            return None
        if untouched is None:
            pairs = zip(self.factors, self.scales, strict=True)
            start = 1.0 / self.reg
            untouched = np.array([(s == start).all() and not f.any() for f, s in pairs], bool)
        fades = self.fading.forget is not None
        return Shortcuts(untouched, len(self.prior), self.reg, fades=fades)

    def _fade(self, arm: int, forget: float) -> None:
        renewal = self._renewal
        if self.turns[arm] == FIRST:
            self.scales[arm] = renewal.first
            self.turns[arm] = 0
        start = int(self.turns[arm])
        stop = min(start + renewal.step, len(self.prior))
        kernels.fade(
            self.weights, self.levels, self.factors, self.scales, self.prior, arm, forget,
            start, stop, renewal.amount,
        )  # fmt: skip
        self.turns[arm] = 0 if stop == len(self.prior) else stop

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
