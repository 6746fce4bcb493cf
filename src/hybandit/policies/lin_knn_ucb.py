"""(Lin+k-NN)-UCB: the paper's ablation c."""

from __future__ import annotations

from hybandit.estimators import Hybrid, Ridge
from hybandit.exploration import Constant
from hybandit.policies.base import settings
from hybandit.policies.base.neighbours import adaptive_neighbours
from hybandit.policies.base.scaled_hybrid import scaled
from hybandit.policies.base.upper_confidence import Estimate, UpperConfidencePolicy
from hybandit.validation.settings import at_least, setting


class LinKNNUCB(UpperConfidencePolicy):
    """The linear estimate plus nearest neighbours, explored at a constant rate.

    ``score_a = x'mu_a + f_a + alpha * sqrt(x' S_a^-1 x)``, with mu fitted to the rewards.

    Examples
    --------
    >>> policy = LinKNNUCB(n_arms=3, n_features=2, alpha=0.1, seed=0)
    >>> arm = policy.choose([0.6, 0.8])
    """

    name = "lin-knn-ucb"

    alpha: float = setting(default=1.0, rule=at_least(0), doc="exploration rate")
    reg: float = settings.ridge("ridge of the linear part")
    k_min: int = settings.k_min()
    k_max: int = settings.k_max()
    weights: str = settings.weights()
    rounding: str = settings.rounding()
    memory: str | None = settings.memory()
    forget: float | None = settings.forget()
    scale: str = settings.scale("off")

    def _parts(self) -> tuple[Estimate, Constant]:
        linear = Ridge(self._n_live, self.n_features, reg=self.reg, forget=self.forget)
        local = adaptive_neighbours(self, forget=self.forget)
        hybrid = Hybrid(linear, local, target="reward")
        return scaled(hybrid, self.scale), Constant(self.alpha)
