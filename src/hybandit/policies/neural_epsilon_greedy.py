"""Epsilon-greedy on a network."""

from __future__ import annotations

from hybandit.policies.base.network_policy import NetworkPolicy
from hybandit.policies.epsilon_greedy import EpsilonGreedy
from hybandit.validation.settings import between, setting


class NeuralEpsilonGreedy(NetworkPolicy, EpsilonGreedy):
    """With probability epsilon a uniform arm, else the network's largest estimate.

    Examples
    --------
    >>> policy = NeuralEpsilonGreedy(n_arms=2, n_features=1, epsilon=0.2, seed=0)
    >>> float(policy.decide([1.0]).probabilities.min())
    0.1
    """

    name = "neural-epsilon-greedy"

    epsilon: float = setting(
        default=0.05, rule=between(0, 1), doc="how often to play a uniform arm"
    )
