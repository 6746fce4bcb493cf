"""A greedy network that trains on perturbed rewards."""

from __future__ import annotations

from hybandit.policies.base.network_policy import NetworkPolicy
from hybandit.validation.settings import at_least, setting


class NPR(NetworkPolicy):
    """A network that explores by adding noise to past rewards.

    Every training adds fresh N(0, nu^2) to all past rewards; the network then plays greedily.
    The noise averages out where data are many.

    References
    ----------
    Jia, Zhang, Zhou, Gu, Wang (2022). Learning neural contextual bandits through perturbed
    rewards. ICLR.

    Examples
    --------
    >>> policy = NPR(n_arms=3, n_features=2, seed=0)
    >>> context = [0.6, 0.8]
    >>> arm = policy.choose(context)
    >>> policy.learn(context, arm, reward=1.0)
    """

    name = "npr"

    nu: float = setting(
        default=0.5, rule=at_least(0), doc="standard deviation of the noise on rewards"
    )

    def _train(self) -> None:
        noise = self.nu * self._generator.standard_normal(self._observations.size)
        targets = self._observations.entries.rewards[: self._observations.size] + noise
        self._fit(self._network, targets, self._batches())
