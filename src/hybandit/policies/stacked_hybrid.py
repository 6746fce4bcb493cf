"""StackedHybrid: our own default."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

import numpy as np

from hybandit.estimators import Stack
from hybandit.estimators.cosines import COSINES
from hybandit.exploration import ArmErrors, Aspiration
from hybandit.policies.forget_settings import ForgetSettings
from hybandit.policies.memory_settings import MemorySettings
from hybandit.policies.scale_settings import ScaleSettings
from hybandit.policies.settings import at_least, boolean, one_of, setting
from hybandit.state import Flags, Floats


class StackedHybrid(MemorySettings, ForgetSettings, ScaleSettings):
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

    Where less is expected than was earned recently, and the nearest contexts earned little,
    the scores of arms with a large width are raised (``aspiration=True``, `Aspiration`), which
    finds arms that would otherwise never be tried again.

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
    scale: str = setting(
        default="auto",
        rule=one_of("auto", "off"),
        doc="contexts standardised unless about unit length, or as they come",
    )
    aspiration: bool = setting(
        default=True, rule=boolean(), doc="explore where less is expected than play earns"
    )

    _children: ClassVar[tuple[str, ...]] = (
        "statistics", "_stack", "_rate", "_scale", "_aspiration",
    )  # fmt: skip

    def _least_numbers(self) -> int:
        return (self.n_arms + COSINES) * self.n_features

    def _start(self) -> None:
        super()._start()
        self._stack = Stack(
            self._n_live,
            self.n_features,
            self._generator,
            centred=self.centre,
            limit=self._memory_limit(),
            forget=self.forget,
        )
        self._rate = ArmErrors(self._n_live, self.alpha, forget=self.forget)
        self._aspiration = Aspiration() if self.aspiration else None

    def _scores(self, contexts: Floats, allowed: Flags, exact: bool) -> Floats:
        stack = self._stack
        seen = contexts if self._scale is None else self._scale.scaled(contexts)
        rates = self._rate.rates(stack.statistics.counts, stack.rewards.unit)
        scores = stack.upper(seen, rates, allowed, exact)
        if self._aspiration is None:
            return scores
        best = float(np.maximum.reduce(scores[allowed])) - stack.rewards.centre
        if best >= self._aspiration.recent:
            return scores
        gap = self._aspiration.gap(best, stack.nearby(seen))
        if not gap:
            return scores
        # An arm that could not win may do so when raised.
        raised: Floats = stack.upper(seen, rates, allowed) + gap * stack.novelty(seen)
        return raised

    def _learn(self, contexts: Floats, arm: int, reward: float) -> None:
        stack = self._stack
        taken, error = stack.learn(self._scaled(contexts), arm, reward)
        self._rate.learn(arm, error)
        if self._aspiration is not None:
            self._aspiration.learn(taken - stack.rewards.centre)
        self._observe(contexts, arm)

    def _move(self, moved: Callable[[Floats], Floats]) -> None:
        self._stack.move(moved)

    def _add_arm(self) -> None:
        self._stack.add_arm()
        self._rate.add_arm()

    def _drop_arm(self, arm: int) -> None:
        self._stack.drop_arm(arm)
        self._rate.drop_arm(arm)
