"""NeuralUCB."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from hybandit.estimators import GradientWidth
from hybandit.policies.base.network_policy import NetworkPolicy
from hybandit.state import Flags, Floats
from hybandit.validation.settings import at_least, between, setting


class NeuralUCB(NetworkPolicy):
    """A network's estimate plus how unsure its gradients leave it.

    ``score_a = f_a + sqrt(lam * nu * sum of g^2 / U)`` with g the gradient of f_a in all
    parameters and U, starting at `lam`, gaining g^2 of every arm played: the diagonal of
    the paper's matrix, as the authors' own code has it. Trained with weight decay lam / t.

    References
    ----------
    Zhou, Li, Gu (2020). Neural contextual bandits with UCB-based exploration. ICML.

    Examples
    --------
    >>> policy = NeuralUCB(n_arms=3, n_features=2, seed=0)
    >>> context = [0.6, 0.8]
    >>> arm = policy.choose(context)
    >>> policy.learn(context, arm, reward=1.0)
    """

    name = "neural-ucb"

    lam: float = setting(default=1e-3, rule=between(1e-9, 1e9), doc="ridge on the parameters")
    nu: float = setting(
        default=0.1, rule=at_least(0), doc="exploration: variance in units of the gradient's"
    )

    _children: ClassVar[tuple[str, ...]] = ("_observations", "_network", "_unsure")

    def _start(self) -> None:
        super()._start()
        self._unsure = GradientWidth(self._network, lam=self.lam)

    def _scores(self, contexts: Floats, allowed: Flags, exact: bool) -> Floats:
        estimates, deviations = self._normal(contexts)
        return estimates + deviations

    def _normal(self, contexts: Floats) -> tuple[Floats, Floats]:
        """Every arm's estimate and its deviation."""
        values, widths = self._unsure.values_and_widths(contexts)
        return values, np.sqrt(self.nu) * widths

    def _learn(self, contexts: Floats, arm: int, reward: float) -> None:
        self._unsure.learn(contexts, arm)
        super()._learn(contexts, arm, reward)

    def _train(self) -> None:
        decay = self.lam / self._observations.size
        self._fit(self._network, self._observations.entries.rewards, self._batches(), decay)
