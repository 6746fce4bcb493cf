"""(Lin+k-NN)-UCB: the paper's ablation c."""

from __future__ import annotations

from hybandit.estimators import Hybrid, Ridge
from hybandit.exploration import Constant
from hybandit.policies.base.hybrid_policy import HybridPolicy
from hybandit.validation.settings import at_least, between, setting


class LinKNNUCB(HybridPolicy):
    """The linear estimate plus nearest neighbours, explored at a constant rate.

    ``score_a = x'mu_a + f_a + alpha * sqrt(x' S_a^-1 x)``, with mu fitted to the rewards.

    Examples
    --------
    >>> policy = LinKNNUCB(n_arms=3, n_features=2, alpha=0.1, seed=0)
    >>> arm = policy.choose([0.6, 0.8])
    """

    name = "lin-knn-ucb"

    alpha: float = setting(default=1.0, rule=at_least(0), doc="exploration rate")
    reg: float = setting(default=1.0, rule=between(1e-12, 1e12), doc="ridge of the linear part")

    def _parts(self) -> tuple[Hybrid, Constant]:
        linear = Ridge(self._n_live, self.n_features, reg=self.reg, forget=self.forget)
        local = self._neighbours(forget=self.forget)
        return Hybrid(linear, local, target="reward"), Constant(self.alpha)
