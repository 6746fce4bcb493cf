"""UCB1."""

from __future__ import annotations

import numpy as np

from hybandit.policies.base.arms import ArmPolicy
from hybandit.state import Flags, Floats
from hybandit.validation.settings import at_least, setting


class UCB(ArmPolicy):
    """The mean reward of each arm plus a bonus for arms played rarely; ignores contexts.

    Plays the largest ``m_a + sqrt(rho * log(t) / N_a)``; an arm never pulled comes first.

    References
    ----------
    Auer, Cesa-Bianchi, Fischer (2002). Finite-time analysis of the multiarmed bandit
    problem. Machine Learning 47.

    Examples
    --------
    >>> policy = UCB(n_arms=2, rho=2.0, ties="first")
    >>> policy.choose()
    0
    >>> policy.learn(None, arm=0, reward=1.0)
    >>> policy.choose()
    1
    """

    name = "ucb"

    rho: float = setting(default=2.0, rule=at_least(0), doc="exploration strength")

    def _scores(self, contexts: Floats, allowed: Flags, exact: bool) -> Floats:
        counts = self.statistics.counts
        rounds = counts.sum() + 1.0
        bonus = np.sqrt(self.rho * np.log(rounds) / np.maximum(counts, 1.0))
        scores: Floats = np.where(counts > 0, self.statistics.means + bonus, np.inf)
        return scores
