"""Neural Thompson sampling."""

from __future__ import annotations

from hybandit.policies.base import probability
from hybandit.policies.neural_ucb import NeuralUCB
from hybandit.state import Flags, Floats


class NeuralTS(NeuralUCB):
    """Thompson sampling with a network: as NeuralUCB, with scores drawn at random.

    ``score_a ~ N(f_a, lam * nu * sum of g^2 / U)``.

    References
    ----------
    Zhang, Zhou, Li, Gu (2021). Neural Thompson sampling. ICLR.

    Examples
    --------
    >>> policy = NeuralTS(n_arms=3, n_features=2, seed=0)
    >>> policy.decide([0.6, 0.8]).probabilities.shape
    (3,)
    """

    name = "neural-ts"

    def _scores(self, contexts: Floats, allowed: Flags, exact: bool) -> Floats:
        means, deviations = self._normal(contexts)
        return means + deviations * self._generator.standard_normal(self._n_live)

    def _probabilities(self, contexts: Floats, scores: Floats, allowed: Flags) -> Floats:
        return probability.of_largest_normal(*self._normal(contexts), allowed, self.ties)
