"""KL-UCB for rewards from 0 to 1."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from hybandit.kernels import divergence
from hybandit.policies.base.arms import ArmPolicy
from hybandit.state import Flags, Floats
from hybandit.validation.checks import UNIT_REWARD
from hybandit.validation.settings import Rule, at_least, setting


class KLUCB(ArmPolicy):
    """The largest mean reward that is still plausible for each arm; ignores contexts.

    ``q_a = max {q in [m_a, 1]: N_a kl(m_a, q) <= c log(t)}``, kl the Bernoulli divergence,
    by bisection to 1e-9; an arm never pulled comes first.

    References
    ----------
    Garivier, Cappe (2011). The KL-UCB algorithm for bounded stochastic bandits and
    beyond. COLT.

    Examples
    --------
    >>> policy = KLUCB(n_arms=2, c=1.0, ties="first")
    >>> policy.learn_many(None, arms=[0, 1], rewards=[1.0, 0.0])
    >>> policy.choose()
    0
    """

    name = "kl-ucb"
    rewards: ClassVar[Rule] = UNIT_REWARD

    c: float = setting(default=1.0, rule=at_least(0), doc="exploration strength")

    def _scores(self, contexts: Floats, allowed: Flags, exact: bool) -> Floats:
        counts, means = self.statistics.counts, self.statistics.means
        out = np.empty(self._n_live)
        divergence.largest_means(means, counts, self.c * np.log(counts.sum() + 1.0), out)
        return out
