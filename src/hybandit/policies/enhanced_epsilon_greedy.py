"""Epsilon-greedy with neighbours and attention."""

from __future__ import annotations

from hybandit.kernels import selection
from hybandit.policies.base.enhanced import EnhancedPolicy
from hybandit.policies.epsilon_greedy import EpsilonGreedy
from hybandit.state import Flags, Floats


class EnhancedEpsilonGreedy(EnhancedPolicy, EpsilonGreedy):
    """EpsilonGreedy plus nearest neighbours; explores less with experience.

    The greedy arm has the largest ``m_a + f_a``, f the adaptive neighbours. Explores with
    probability ``epsilon * n_arms * attention`` of that arm, at most 1. The paper's appendix
    gives only the attention score; this formula is ours.

    Examples
    --------
    >>> policy = EnhancedEpsilonGreedy(n_arms=2, n_features=1, epsilon=0.2, seed=0)
    >>> arm = policy.choose([1.0])
    """

    name = "enhanced-epsilon-greedy"

    def _scores(self, contexts: Floats, allowed: Flags, exact: bool) -> Floats:
        return super()._scores(contexts, allowed, exact) + self._local.values(contexts)

    def _explored(self, scores: Floats, allowed: Flags) -> float:
        greedy, _ = selection.largest(scores, allowed)
        curious = min(1.0, float(self.epsilon * self._relative_attention()[greedy]))
        return self.explore + (1.0 - self.explore) * curious
