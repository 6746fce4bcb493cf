"""Kernel Thompson sampling."""

from __future__ import annotations

from hybandit.policies.base.normal_scores import DrawnScores
from hybandit.policies.kernel_ucb import KernelUCB


class KernelTS(DrawnScores, KernelUCB):
    """Thompson sampling with kernel regression: as KernelUCB, with scores drawn at random.

    As `KernelUCB`, with scores drawn from the normal of that mean and deviation.

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
