"""StackedHybrid: our own default."""

from __future__ import annotations

from typing import ClassVar

from hybandit.estimators import Stack
from hybandit.estimators.context_scale import ContextScale
from hybandit.estimators.cosines import COSINES
from hybandit.estimators.limits import Limit
from hybandit.exploration import ArmErrors
from hybandit.policies.base import settings
from hybandit.policies.base.contextual import ContextualPolicy
from hybandit.state import Flags, Floats, row_of
from hybandit.validation.settings import at_least, boolean, setting


class StackedHybrid(ContextualPolicy):
    """Linear, curved and neighbour models, combined by weights that are learned.

    The estimate of an arm combines linear models (with a weak and a strong ridge), a smooth
    nonlinear model, the arm's mean reward and several neighbourhoods; one ridge for all arms
    learns their weights (`Stack`). Beside it stands a plain model, the arm's mean reward and a
    share of its linear estimate (`hybandit.estimators.plain.Plain`); the better predictor so far
    has the larger weight in the value v. Exploration is scaled by the error s_a of the arm's own
    predictions (`ArmErrors`):

    ``score_a = v_a + 2.5 alpha s_a sqrt(log(10 + t / k_a)) (1 / sqrt(k_a) + trust * width_a / 2)``

    with ``k_a = N_a + 5`` of t rewards in all, the width of the linear ridge, and the trust in
    linear estimates that the plain model has learned. Play the argmax.

    Neither rewards nor contexts need scaling. Rewards are measured from the mean of the
    first ten (``centre=True``), in units close to the largest; a reward far beyond that is
    clipped (`RewardScale`). Contexts of about unit length stay as they are; others are
    standardised by the first 1,024 contexts (``scale="auto"``, `ContextScale`).

    Examples
    --------
    >>> policy = StackedHybrid(n_arms=3, n_features=2, seed=0)
    >>> context = [0.6, 0.8]
    >>> arm = policy.choose(context)
    >>> policy.learn(context, arm, reward=1.0)
    """

    name = "stacked-hybrid"
    results_version = 3

    alpha: float = setting(
        default=0.3, rule=at_least(0), doc="exploration, in units of the model's error"
    )
    centre: bool = setting(
        default=True, rule=boolean(), doc="make choices independent of a shift of the rewards"
    )
    scale: str = settings.scale("auto")
    memory: str | None = settings.memory()
    forget: float | None = settings.forget()

    _children: ClassVar[tuple[str, ...]] = ("_stack", "_rate", "_scale")

    def _least_numbers(self) -> int:
        return (self.n_arms + COSINES) * self.n_features

    def _start(self) -> None:
        self._stack = Stack(
            self._n_live,
            self.n_features,
            self._generator,
            centred=self.centre,
            limit=Limit.of(self.memory),
            forget=self.forget,
        )
        self._rate = ArmErrors(self._n_live, self.alpha, forget=self.forget)
        self._scale = ContextScale(self.n_features) if self.scale == "auto" else None

    def _scores(self, contexts: Floats, allowed: Flags, exact: bool) -> Floats:
        stack = self._stack
        statistics, unit = stack.statistics, stack.rewards.unit
        seen = contexts if self._scale is None else self._scale.scaled(contexts)
        plain = stack.weight == 1.0
        rates = self._rate.rates(statistics.counts, statistics.squares, unit, plain=plain)
        return stack.upper(seen, rates, allowed, exact)

    def _learn(self, contexts: Floats, arm: int, reward: float) -> None:
        stack, scale = self._stack, self._scale
        seen = contexts if scale is None else scale.scaled(contexts)
        self._rate.learn(arm, stack.learn(seen, arm, reward))
        moved = None if scale is None else scale.observe(row_of(contexts, arm))
        if moved is not None:
            stack.move(moved)
