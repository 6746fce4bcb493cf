"""Kernel UCB."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from hybandit.estimators import KernelRegression
from hybandit.policies.normal_scores import NormalScores
from hybandit.policies.settings import at_least, between, either, nothing, setting, whole
from hybandit.state import Floats


class KernelUCB(NormalScores):
    """Kernel regression over all arms, plus how unsure it is.

    ``score_a = k'(K + lam I)^-1 r + sqrt(lam nu (1 - k'(K + lam I)^-1 k))`` with the kernel
    exp(-distance). It learns from the first `max_points` rewards, then plays what it knows:
    published runs stop at 1,000, for cost grows with the square.

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

    lam: float = setting(default=1.0, rule=between(1e-9, 1e9), doc="ridge on the kernel matrix")
    nu: float = setting(
        default=0.1, rule=at_least(0), doc="exploration: variance where nothing is known"
    )
    max_points: int | None = setting(
        default=1000, rule=either(whole(1), nothing()), doc="rewards it learns from; None for all"
    )

    _children: ClassVar[tuple[str, ...]] = ("statistics", "_regression")

    def _start(self) -> None:
        self._regression = KernelRegression(
            self._n_live, self.n_features, lam=self.lam, max_points=self.max_points
        )

    def _normal(self, contexts: Floats) -> tuple[Floats, Floats]:
        means, variances = self._regression.means_and_variances(contexts)
        return means, np.sqrt(self.lam * self.nu * variances)

    def _learn(self, contexts: Floats, arm: int, reward: float) -> None:
        self._regression.learn(contexts, arm, reward)

    def _add_arm(self) -> None:
        self._regression.add_arm()

    def _drop_arm(self, arm: int) -> None:
        self._regression.drop_arm(arm)
