"""The base of LNUCB-TA and (Lin+k-NN)-UCB: the hybrid estimate, and options beyond the paper."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field
from typing import ClassVar

import numpy as np

from hybandit.estimators import Hybrid
from hybandit.exploration import Aspiration
from hybandit.policies.forget_settings import ForgetSettings
from hybandit.policies.neighbour_settings import NeighbourSettings
from hybandit.policies.scale_settings import ScaleSettings
from hybandit.policies.settings import boolean, setting
from hybandit.policies.upper_confidence import Rate, UpperConfidencePolicy
from hybandit.state import Flags, Floats

# How many of the nearest past contexts aspiration looks at.
NEARBY = 15


class HybridPolicy(ScaleSettings, UpperConfidencePolicy, NeighbourSettings, ForgetSettings):
    """Linear plus neighbours. With `aspiration` and `scale` off it is as published."""

    aspiration: bool = setting(
        default=False, rule=boolean(), doc="explore where less is expected than play earns"
    )

    _children: ClassVar[tuple[str, ...]] = ("statistics", "_estimate", "_scale", "_aspiration")

    _estimate: Hybrid = field(init=False, repr=False)

    def _parts(self) -> tuple[Hybrid, Rate]:
        raise NotImplementedError

    def _start(self) -> None:
        super()._start()
        self._aspiration = Aspiration() if self.aspiration else None

    def _scores(self, contexts: Floats, allowed: Flags, exact: bool) -> Floats:
        scores = super()._scores(contexts, allowed, exact)
        if self._aspiration is None:
            return scores
        best = float(scores[allowed].max())
        if best >= self._aspiration.recent:
            return scores
        means, counts = self._estimate.local.nearby(self._scaled(contexts), NEARBY)
        gap = self._aspiration.gap(best, means)
        if not gap:
            return scores
        # An arm that could not win may do so when raised.
        scores = super()._scores(contexts, allowed, exact=True)
        raised: Floats = scores + gap / np.sqrt(1.0 + counts)
        return raised

    def _at_once(self, rows: Sequence[Floats] | Floats) -> bool:
        return self._aspiration is None and super()._at_once(rows)

    def _learn(self, contexts: Floats, arm: int, reward: float) -> None:
        super()._learn(contexts, arm, reward)
        if self._aspiration is not None:
            self._aspiration.learn(reward)
        self._observe(contexts, arm)

    def _move(self, moved: Callable[[Floats], Floats]) -> None:
        self._estimate.move(moved, self._parts()[0])
