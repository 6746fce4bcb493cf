"""Linear Thompson sampling with neighbours and attention."""

from __future__ import annotations

from hybandit.estimators import Hybrid, Ridge
from hybandit.exploration import NormalDraws, SoftmaxAttention
from hybandit.policies.base import settings
from hybandit.policies.base.linear_thompson import LinearThompson
from hybandit.policies.base.neighbours import adaptive_neighbours
from hybandit.validation.settings import at_least, setting


class EnhancedLinTS(LinearThompson):
    """LinTS plus nearest neighbours; its spread falls with experience.

    ``score_a = x'mu_a + f_a + v * n_arms * attention_a * width_a * z``, f the adaptive
    neighbours. The paper's appendix gives only the attention score; this formula is ours.

    Examples
    --------
    >>> policy = EnhancedLinTS(n_arms=2, n_features=1, seed=0)
    >>> policy.learn([1.0], arm=0, reward=1.0)
    >>> policy.decide([1.0]).probabilities.round(2)
    array([0.89, 0.11])
    """

    name = "enhanced-lin-ts"

    v: float = setting(
        default=1.0,
        rule=at_least(0),
        doc="standard deviation of the draws, in widths, before attention",
    )
    reg: float = settings.ridge("ridge of the linear part")
    gamma: float = settings.attention()
    k_min: int = settings.k_min()
    k_max: int = settings.k_max()
    weights: str = settings.weights()
    rounding: str = settings.rounding()
    memory: str | None = settings.memory()

    def _parts(self) -> tuple[Hybrid, NormalDraws]:
        linear = Ridge(self._n_live, self.n_features, reg=self.reg)
        attention = SoftmaxAttention(gamma=self.gamma)
        draws = NormalDraws(self._generator, v=self.v, attention=attention)
        return Hybrid(linear, adaptive_neighbours(self), target="reward"), draws
