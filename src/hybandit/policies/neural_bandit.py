"""One small network for each arm."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from hybandit.estimators import Network
from hybandit.estimators.network import shortened
from hybandit.policies.base.contextual import ContextualPolicy
from hybandit.state import Flags, Floats, row_of
from hybandit.validation.settings import between, setting, size


class NeuralBandit(ContextualPolicy):
    """The arm whose own network promises most, or with probability gamma a uniform one.

    Only the played arm's network learns, by one step on the reward just seen. Nothing is
    stored, so a changing world is followed.

    References
    ----------
    Allesiardo, Feraud, Bouneffouf (2014). A neural networks committee for the contextual
    bandit problem. ICONIP.

    Examples
    --------
    >>> policy = NeuralBandit(n_arms=3, n_features=2, seed=0)
    >>> context = [0.6, 0.8]
    >>> arm = policy.choose(context)
    >>> policy.learn(context, arm, reward=1.0)
    """

    name = "neural-bandit"

    gamma: float = setting(default=0.05, rule=between(0, 1), doc="how often to play a uniform arm")
    hidden: int = setting(default=25, rule=size(1), doc="units of each network's hidden layer")
    learning_rate: float = setting(
        default=0.1, rule=between(1e-9, 10), doc="length of the step after each reward"
    )

    _children: ClassVar[tuple[str, ...]] = ("_network",)

    def _least_numbers(self) -> int:
        return self.n_arms * self.hidden * self.n_features

    def _start(self) -> None:
        self._network = Network(
            self._n_live, self.n_features, self._generator, hidden=self.hidden, shape="separate"
        )

    def _scores(self, contexts: Floats, allowed: Flags, exact: bool) -> Floats:
        return self._network.values(contexts)

    def _explored(self, scores: Floats, allowed: Flags) -> float:
        return self.explore + (1.0 - self.explore) * self.gamma

    def _learn(self, contexts: Floats, arm: int, reward: float) -> None:
        self._network.train(
            shortened(row_of(contexts, arm)[None]),
            np.array([arm]),
            np.array([reward]),
            np.array([[0]]),
            steps=1,
            rate=self.learning_rate,
        )
