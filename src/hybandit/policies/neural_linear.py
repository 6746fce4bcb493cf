"""Thompson sampling on a network's last layer."""

from __future__ import annotations

from dataclasses import field
from typing import ClassVar

from hybandit.estimators import BayesianRidge
from hybandit.estimators.network import shortened
from hybandit.policies.base import probability
from hybandit.policies.base.network_policy import NetworkPolicy
from hybandit.state import Flags, Floats


class NeuralLinear(NetworkPolicy):
    """A network finds features; Bayesian linear regression per arm draws the scores.

    The network has one hidden layer for all arms and a head for each. Its hidden layer z
    feeds a regression with unknown noise (`BayesianRidge`: prior precision 0.25,
    a0 = b0 = 6), which learns at once and is fitted anew after each training.

    References
    ----------
    Riquelme, Tucker, Snoek (2018). Deep Bayesian bandits showdown. ICLR.

    Examples
    --------
    >>> policy = NeuralLinear(n_arms=3, n_features=2, seed=0)
    >>> context = [0.6, 0.8]
    >>> arm = policy.choose(context)
    >>> policy.learn(context, arm, reward=1.0)
    """

    name = "neural-linear"

    shape: ClassVar[str] = "heads"
    _children: ClassVar[tuple[str, ...]] = ("_observations", "_network", "_posterior")

    _posterior: BayesianRidge = field(init=False, repr=False)

    def _least_numbers(self) -> int:
        return super()._least_numbers() + self.n_arms * self.hidden**2

    def _start(self) -> None:
        super()._start()
        self._posterior = BayesianRidge(self._n_live, self.hidden)

    def _scores(self, contexts: Floats, allowed: Flags, exact: bool) -> Floats:
        features = self._features(contexts)
        draws = self._generator.standard_t(2.0 * self._posterior.shapes)
        return self._posterior.means(features) + self._posterior.scales(features) * draws

    def _probabilities(self, contexts: Floats, scores: Floats, allowed: Flags) -> Floats:
        features = self._features(contexts)
        posterior = self._posterior
        return probability.of_largest_student(
            posterior.means(features),
            posterior.scales(features),
            2.0 * posterior.shapes,
            allowed,
            self.ties,
        )

    def _features(self, contexts: Floats) -> Floats:
        return self._network.features(shortened(contexts))

    def _learn(self, contexts: Floats, arm: int, reward: float) -> None:
        self._posterior.learn(self._features(contexts), arm, reward)
        super()._learn(contexts, arm, reward)

    def _train(self) -> None:
        super()._train()
        size, entries = self._observations.size, self._observations.entries
        features = self._network.features(entries.contexts[:size])
        self._posterior.refit(features, entries.owners[:size], entries.rewards[:size])
