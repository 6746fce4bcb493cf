"""Linear Thompson sampling with neighbours and attention."""

from __future__ import annotations

from hybandit.estimators import Hybrid, Ridge
from hybandit.exploration import NormalDraws, SoftmaxAttention
from hybandit.policies.base.linear_thompson import LinearThompson
from hybandit.policies.base.neighbour_settings import NeighbourSettings
from hybandit.validation.settings import at_least, between, setting


class EnhancedLinTS(LinearThompson, NeighbourSettings):
    """LinTS plus nearest neighbours; its spread falls with experience.

    `LinTS` plus the adaptive neighbours f, its draws scaled by softmax attention.

    ``score_a = x'mu_a + f_a + v * n_arms * attention_a * width_a * z``. The paper's
    appendix gives only the attention score; this formula is ours.

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
    reg: float = setting(default=1.0, rule=between(1e-12, 1e12), doc="ridge of the linear part")
    gamma: float = setting(
        default=0.1, rule=at_least(0), doc="how fast attention leaves played arms"
    )

    def _parts(self) -> tuple[Hybrid, NormalDraws]:
        linear = Ridge(self._n_live, self.n_features, reg=self.reg)
        attention = SoftmaxAttention(gamma=self.gamma)
        draws = NormalDraws(self._generator, v=self.v, attention=attention)
        return Hybrid(linear, self._neighbours(), target="reward"), draws
