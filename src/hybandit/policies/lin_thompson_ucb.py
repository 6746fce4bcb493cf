"""Thompson sampling with an upper confidence bonus."""

from __future__ import annotations

from hybandit.estimators import Ridge
from hybandit.exploration import NormalDraws
from hybandit.policies.base import settings
from hybandit.policies.base.linear_thompson import LinearThompson
from hybandit.validation.settings import at_least, setting


class LinThompsonUCB(LinearThompson):
    """LinTS and LinUCB at once: a drawn linear estimate plus a bonus.

    Plays the largest ``x'mu~_a + alpha * width_a`` with mu~ drawn as in `LinTS`.

    The paper names this model and no formula or code for it is public; this definition
    is ours.

    Examples
    --------
    >>> policy = LinThompsonUCB(n_arms=2, n_features=1, v=0.5, alpha=1.0, seed=0)
    >>> arm = policy.choose([1.0])
    """

    name = "lin-thompson-ucb"

    v: float = setting(
        default=1.0, rule=at_least(0), doc="standard deviation of the draws, in widths"
    )
    alpha: float = setting(
        default=1.0, rule=at_least(0), doc="exploration rate on top of the draws"
    )
    reg: float = settings.ridge()
    forget: float | None = settings.forget()

    def _parts(self) -> tuple[Ridge, NormalDraws]:
        ridge = Ridge(self._n_live, self.n_features, reg=self.reg, forget=self.forget)
        return ridge, NormalDraws(self._generator, v=self.v, bonus=self.alpha)
