"""Kernel Thompson sampling."""

from __future__ import annotations

from hybandit.policies.base import probability
from hybandit.policies.kernel_ucb import KernelUCB
from hybandit.state import Flags, Floats
from hybandit.validation.settings import at_least, setting


class KernelTS(KernelUCB):
    """Thompson sampling with kernel regression: as KernelUCB, with scores drawn at random.

    The normal has the mean and the deviation of `KernelUCB`.

    References
    ----------
    Chowdhury, Gopalan (2017). On kernelized multi-armed bandits. ICML.

    Examples
    --------
    >>> policy = KernelTS(n_arms=2, n_features=1, seed=0)
    >>> policy.decide([1.0]).probabilities
    array([0.5, 0.5])
    """

    name = "kernel-ts"

    nu: float = setting(
        default=0.1, rule=at_least(0), doc="exploration: variance where nothing is known"
    )

    def _scores(self, contexts: Floats, allowed: Flags, exact: bool) -> Floats:
        means, deviations = self._normal(contexts)
        return means + deviations * self._generator.standard_normal(self._n_live)

    def _probabilities(self, contexts: Floats, scores: Floats, allowed: Flags) -> Floats:
        return probability.of_largest_normal(*self._normal(contexts), allowed, self.ties)
