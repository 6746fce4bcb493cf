"""Kernel UCB."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from hybandit.estimators import KernelRegression
from hybandit.policies.base.contextual import ContextualPolicy
from hybandit.state import Flags, Floats
from hybandit.validation.settings import at_least, between, either, nothing, one_of, setting, whole


class KernelUCB(ContextualPolicy):
    """Kernel regression over all arms, plus how unsure it is.

    ``score_a = k'(K + lam I)^-1 r + sqrt(lam nu (1 - k'(K + lam I)^-1 k))`` with the kernel
    exp(-distance). Cost grows with the square of the points, so the first `max_points` are
    kept; later rewards are learned within what these span. Published runs ignore them, with a
    stronger ridge: ``lam=1.0, beyond="ignore"``. The defaults are what `hybandit reproduce tuning`
    finds best for all data sets together.

    References
    ----------
    Valko, Korda, Munos, Flaounas, Cristianini (2013). Finite-time analysis of kernelised
    contextual bandits. UAI. Kernel, scale and cap are those of the code of NeuralTS.

    Examples
    --------
    >>> policy = KernelUCB(n_arms=2, n_features=1, ties="first")
    >>> policy.learn_many([[1.0], [1.0]], arms=[0, 1], rewards=[0.0, 1.0])
    >>> policy.choose([1.0])
    1
    """

    name = "kernel-ucb"

    lam: float = setting(default=0.1, rule=between(1e-9, 1e9), doc="ridge on the kernel matrix")
    nu: float = setting(
        default=1.0, rule=at_least(0), doc="exploration: variance where nothing is known"
    )
    max_points: int | None = setting(
        default=1000, rule=either(whole(1), nothing()), doc="contexts it keeps; None for all"
    )
    beyond: str = setting(
        default="learn", rule=one_of("learn", "ignore"), doc="what becomes of later rewards"
    )

    _children: ClassVar[tuple[str, ...]] = ("_regression",)

    def _start(self) -> None:
        self._regression = KernelRegression(
            self._n_live,
            self.n_features,
            lam=self.lam,
            max_points=self.max_points,
            beyond=self.beyond,
        )

    def _scores(self, contexts: Floats, allowed: Flags, exact: bool) -> Floats:
        means, deviations = self._normal(contexts)
        return means + deviations

    def _normal(self, contexts: Floats) -> tuple[Floats, Floats]:
        """Every arm's mean and deviation."""
        means, variances = self._regression.means_and_variances(contexts)
        return means, np.sqrt(self.lam * self.nu * variances)

    def _learn(self, contexts: Floats, arm: int, reward: float) -> None:
        self._regression.learn(contexts, arm, reward)
