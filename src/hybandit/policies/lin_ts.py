"""Linear Thompson sampling."""

from __future__ import annotations

from hybandit.estimators import Ridge
from hybandit.exploration import NormalDraws
from hybandit.policies.base import settings
from hybandit.policies.base.linear_thompson import LinearThompson
from hybandit.validation.settings import at_least, setting


class LinTS(LinearThompson):
    """Thompson sampling: a linear estimate for each arm, drawn at random.

    Draws ``mu~_a ~ N(mu_a, v^2 S_a^-1)`` and plays the largest ``x'mu~_a``.

    The score alone is drawn, ``x'mu + v * width * z``, which has the same distribution.

    References
    ----------
    Agrawal, Goyal (2013). Thompson sampling for contextual bandits with linear payoffs. ICML.

    Examples
    --------
    >>> policy = LinTS(n_arms=2, n_features=1, v=1.0, seed=0)
    >>> policy.decide([1.0]).probabilities
    array([0.5, 0.5])
    """

    name = "lin-ts"

    v: float = setting(
        default=1.0, rule=at_least(0), doc="standard deviation of the draws, in widths"
    )
    reg: float = settings.ridge()
    forget: float | None = settings.forget()

    def _parts(self) -> tuple[Ridge, NormalDraws]:
        ridge = Ridge(self._n_live, self.n_features, reg=self.reg, forget=self.forget)
        return ridge, NormalDraws(self._generator, v=self.v)
