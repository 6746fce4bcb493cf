"""Beta Thompson sampling with neighbours and attention."""

from __future__ import annotations

from hybandit.policies.base import probability
from hybandit.policies.base.enhanced import EnhancedPolicy
from hybandit.policies.beta_thompson import BetaThompson
from hybandit.state import Flags, Floats


class EnhancedBetaThompson(EnhancedPolicy, BetaThompson):
    """BetaThompson plus nearest neighbours; its spread falls with experience.

    ``score_a = mean_a + n_arms * attention_a * (draw_a - mean_a) + f_a``, f the adaptive
    neighbours. The paper's appendix gives only the attention score; this formula is ours.

    Examples
    --------
    >>> policy = EnhancedBetaThompson(n_arms=2, n_features=1, seed=0)
    >>> arm = policy.choose([1.0])
    """

    name = "enhanced-beta-thompson"

    def _scores(self, contexts: Floats, allowed: Flags, exact: bool) -> Floats:
        successes, failures = self._shapes()
        means = successes / (successes + failures)
        draws = self._generator.beta(successes, failures)
        scores: Floats = (
            means + self._relative_attention() * (draws - means) + self._local.values(contexts)
        )
        return scores

    def _probabilities(self, contexts: Floats, scores: Floats, allowed: Flags) -> Floats:
        shifts = self._local.values(contexts)
        return probability.of_largest_beta(
            *self._shapes(), shifts, self._relative_attention(), allowed, self.ties
        )
