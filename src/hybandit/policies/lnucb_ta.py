"""LNUCB-TA: the paper's algorithm."""

from __future__ import annotations

from hybandit.estimators import Hybrid, Ridge
from hybandit.exploration import TemporalAttention
from hybandit.policies.base import settings
from hybandit.policies.base.neighbours import adaptive_neighbours
from hybandit.policies.base.scaled_hybrid import scaled
from hybandit.policies.base.upper_confidence import Estimate, UpperConfidencePolicy
from hybandit.validation.settings import at_least, one_of, setting


class LNUCBTA(UpperConfidencePolicy):
    """The paper's Algorithm 1: linear plus nearest neighbours, explored by attention.

    ``score_a = x'mu_a + f_a + rate_a * sqrt(x' S_a^-1 x)``, play the argmax. The linear
    part sees the trend, the adaptive neighbours f what it misses nearby, and the rate
    ``alpha / (N_a + 1) * (kappa g + (1 - kappa) m_a)`` fades as the arm is played.

    Exploration dies out fast with such a rate. An arm that pays nothing at first can be
    left for good: that is the price of depending so little on `alpha`.

    Where rewards are rare or noisy it may fall below chance. Rewards of 0 and 1 have a
    variance of at most 0.25, so k is 1: a lucky click makes f of its arm 1 all around, far
    above what any arm pays. The linear part is fitted to r - f, which is -1 wherever the
    click does not come again: it pushes the very arm that is right below zero. With
    ``target="reward"`` the linear part stays sound, though f is the same; ``hybandit
    reproduce sparse`` shows both. Use `StackedHybrid` there, which learns how far single
    neighbours can be trusted, or `LinUCB`.

    References
    ----------
    "LNUCB-TA: Linear-nonlinear Hybrid Bandit Learning with Temporal Attention", its
    Algorithms 1 (the policy), 2 (`AdaptiveKNN`) and 3 (`TemporalAttention`).

    Examples
    --------
    >>> policy = LNUCBTA(n_arms=3, n_features=2, seed=0)
    >>> context = [0.6, 0.8]
    >>> arm = policy.choose(context)
    >>> policy.learn(context, arm, reward=1.0)
    """

    name = "lnucb-ta"

    alpha: float = setting(default=1.0, rule=at_least(0), doc="exploration before attention")
    kappa: float = settings.kappa()
    reg: float = settings.ridge("ridge of the linear part")
    k_min: int = settings.k_min()
    k_max: int = settings.k_max()
    weights: str = settings.weights()
    rounding: str = settings.rounding()
    target: str = setting(
        default="residual",
        rule=one_of("residual", "reward"),
        doc="what the linear part fits: r - f, or r",
    )
    gamma: float = setting(
        default=0.0, rule=at_least(0), doc="growth of the ridge by squared neighbour distance"
    )
    memory: str | None = settings.memory()
    forget: float | None = settings.forget()
    scale: str = settings.scale("off")

    def _least_numbers(self) -> int:
        return self.n_arms * self.n_features**2

    def _parts(self) -> tuple[Estimate, TemporalAttention]:
        linear = Ridge(
            self._n_live, self.n_features, reg=self.reg, gamma=self.gamma, forget=self.forget
        )
        local = adaptive_neighbours(self, forget=self.forget)
        hybrid = Hybrid(linear, local, target=self.target)
        rate = TemporalAttention(self.alpha, self.kappa)
        return scaled(hybrid, self.scale), rate
