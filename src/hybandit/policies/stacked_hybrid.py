"""StackedHybrid: our own default."""

from __future__ import annotations

from typing import ClassVar

from hybandit.estimators import Stack
from hybandit.estimators.cosines import COSINES
from hybandit.exploration import ErrorScaled
from hybandit.policies.forget_settings import ForgetSettings
from hybandit.policies.memory_settings import MemorySettings
from hybandit.policies.settings import at_least, boolean, setting
from hybandit.state import Flags, Floats


class StackedHybrid(MemorySettings, ForgetSettings):
    """LNUCB-TA's idea with every weight learned: the data decide what to trust.

    A global linear view, a smooth curved view and several neighbourhoods speak for each
    arm; one ridge for all arms learns how to weigh them (`Stack`). Exploration is scaled
    by the model's own recent error s and fades with use:

    ``score_a = p_a + alpha * 2 s / sqrt(N_a + 1) * width_a``, play the argmax.

    With ``centre=True`` all rewards are taken relative to the mean of the first ten.
    Contexts should be about unit length, which the random features expect.

    Examples
    --------
    >>> policy = StackedHybrid(n_arms=3, n_features=2, seed=0)
    >>> context = [0.6, 0.8]
    >>> arm = policy.choose(context)
    >>> policy.learn(context, arm, reward=1.0)
    """

    name = "stacked-hybrid"

    alpha: float = setting(
        default=0.3, rule=at_least(0), doc="exploration, in units of the model's error"
    )
    centre: bool = setting(
        default=True, rule=boolean(), doc="make choices independent of a shift of the rewards"
    )

    _children: ClassVar[tuple[str, ...]] = ("statistics", "_stack", "_rate")

    def _least_numbers(self) -> int:
        return (self.n_arms + COSINES) * self.n_features

    def _start(self) -> None:
        self._stack = Stack(
            self.n_arms,
            self.n_features,
            self._generator,
            centred=self.centre,
            limit=self._memory_limit(),
            forget=self.forget,
        )
        self._rate = ErrorScaled(self.n_arms, self.alpha, forget=self.forget)

    def _scores(self, contexts: Floats, allowed: Flags, exact: bool) -> Floats:
        statistics = self.statistics
        rates = self._rate.rates(statistics.counts, statistics.means, self._active)
        return self._stack.upper(contexts, rates, self._active, allowed, exact)

    def _learn(self, contexts: Floats, arm: int, reward: float) -> None:
        error = self._stack.learn(contexts, arm, reward, self._active)
        self._rate.learn(arm, error)

    def _add_arm(self) -> None:
        self._stack.add_arm()
        self._rate.add_arm()
