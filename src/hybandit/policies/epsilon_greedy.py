"""Epsilon-greedy."""

from __future__ import annotations

import numpy as np

from hybandit.policies.base.arms import ArmPolicy
from hybandit.state import Flags, Floats
from hybandit.validation.settings import between, setting


class EpsilonGreedy(ArmPolicy):
    """With probability epsilon a uniform arm, else the largest mean; never pulled comes first.

    Examples
    --------
    >>> policy = EpsilonGreedy(n_arms=4, epsilon=0.2, ties="first")
    >>> policy.learn_many(None, arms=[0, 1, 2, 3], rewards=[0.1, 0.9, 0.3, 0.2])
    >>> policy.decide().probabilities
    array([0.05, 0.85, 0.05, 0.05])
    """

    name = "epsilon-greedy"

    epsilon: float = setting(default=0.1, rule=between(0, 1), doc="how often to play a uniform arm")

    def _scores(self, contexts: Floats, allowed: Flags, exact: bool) -> Floats:
        scores: Floats = np.where(self.statistics.counts > 0, self.statistics.means, np.inf)
        return scores

    def _explored(self, scores: Floats, allowed: Flags) -> float:
        return self.explore + (1.0 - self.explore) * self.epsilon
