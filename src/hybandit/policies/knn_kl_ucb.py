"""k-nearest-neighbour KL-UCB, for rewards from 0 to 1."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from hybandit.kernels import divergence
from hybandit.policies.knn_ucb import KNNUCB
from hybandit.state import Floats
from hybandit.validation.checks import UNIT_REWARD
from hybandit.validation.settings import Rule


class KNNKLUCB(KNNUCB):
    """`KNNUCB` with the Bernoulli divergence: the same k, and another score.

    ``sup {q: N_k kl(F_k, q) <= theta log(t)} + phi rho_k``.

    References
    ----------
    Reeve, Mellor, Brown (2018). The k-nearest neighbour UCB algorithm for multi-armed
    bandits with covariates. ALT.

    Examples
    --------
    >>> policy = KNNKLUCB(n_arms=2, n_features=1, seed=0)
    >>> arm = policy.choose([0.0])
    """

    name = "knn-kl-ucb"
    rewards: ClassVar[Rule] = UNIT_REWARD

    def _score(self, found: Floats, budget: float, steepness: float) -> Floats:
        scores = np.empty(self._n_live)
        divergence.largest_means(found[2], found[1], budget, scores)
        scores += steepness * found[3]
        return scores
