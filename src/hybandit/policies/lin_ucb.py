"""LinUCB, disjoint: one ridge for each arm."""

from __future__ import annotations

from hybandit.estimators import Ridge
from hybandit.exploration import Constant, TemporalAttention
from hybandit.policies.base import settings
from hybandit.policies.base.upper_confidence import Rate, UpperConfidencePolicy
from hybandit.validation.settings import at_least, one_of, setting


class LinUCB(UpperConfidencePolicy):
    """A linear estimate for each arm, plus a bonus for arms it is unsure about.

    Plays the largest ``x'mu_a + rate_a * sqrt(x' S_a^-1 x)``.

    With ``rate="constant"`` this is LinUCB (the paper's ablation a), with
    ``rate="attention"`` the paper's ablation b.

    References
    ----------
    Li, Chu, Langford, Schapire (2010). A contextual-bandit approach to personalized news
    article recommendation. WWW.

    Examples
    --------
    >>> policy = LinUCB(n_arms=3, n_features=2, alpha=0.1, seed=0)
    >>> policy.learn([1.0, 0.0], arm=2, reward=1.0)
    >>> policy.choose([1.0, 0.0])
    2
    """

    name = "lin-ucb"

    alpha: float = setting(
        default=1.0, rule=at_least(0), doc="exploration rate, before attention if that is on"
    )
    reg: float = settings.ridge()
    rate: str = setting(
        default="constant", rule=one_of("constant", "attention"), doc="how the rate is set"
    )
    kappa: float = settings.kappa()
    forget: float | None = settings.forget()

    def _parts(self) -> tuple[Ridge, Rate]:
        attention = TemporalAttention(self.alpha, self.kappa)
        rate = Constant(self.alpha) if self.rate == "constant" else attention
        ridge = Ridge(self._n_live, self.n_features, reg=self.reg, forget=self.forget)
        return ridge, rate
