"""Thompson sampling for rewards from 0 to 1."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from hybandit.policies.base import probability
from hybandit.policies.base.arms import ArmPolicy
from hybandit.state import Flags, Floats
from hybandit.validation.checks import UNIT_REWARD
from hybandit.validation.settings import Rule, between, setting


class BetaThompson(ArmPolicy):
    """Thompson sampling for rewards of 0 and 1; ignores contexts.

    Draws from Beta(a + sum of rewards, b + N - sum) per arm and plays the largest.

    With a or b below 0.1, draws would often differ from 0 or 1 by less than numbers can tell.

    Examples
    --------
    >>> policy = BetaThompson(n_arms=2, seed=0)
    >>> policy.learn(None, arm=0, reward=1.0)
    >>> policy.decide().probabilities.round(3)  # 2/3, exactly
    array([0.667, 0.333])
    """

    name = "beta-thompson"
    rewards: ClassVar[Rule] = UNIT_REWARD

    a: float = setting(default=1.0, rule=between(0.1, 1e12), doc="prior successes")
    b: float = setting(default=1.0, rule=between(0.1, 1e12), doc="prior failures")

    def _shapes(self) -> tuple[Floats, Floats]:
        counts = self.statistics.counts
        successes = counts * self.statistics.means
        return self.a + successes, self.b + np.maximum(counts - successes, 0.0)

    def _scores(self, contexts: Floats, allowed: Flags, exact: bool) -> Floats:
        return self._generator.beta(*self._shapes())

    def _probabilities(self, contexts: Floats, scores: Floats, allowed: Flags) -> Floats:
        still, ones = np.zeros(self._n_live), np.ones(self._n_live)
        return probability.of_largest_beta(*self._shapes(), still, ones, allowed, self.ties)
