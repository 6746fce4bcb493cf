"""Options beyond the paper for LNUCB-TA and (Lin+k-NN)-UCB: scaled contexts, and aspiration."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from hybandit.estimators import Hybrid
from hybandit.estimators.context_scale import ContextScale
from hybandit.exploration import Aspiration
from hybandit.state import Flags, Floats, Part, row_of

# How many of the nearest past contexts aspiration looks at.
NEARBY = 15


def extended(hybrid: Hybrid, scale: str, aspiration: bool) -> Hybrid | ExtendedHybrid:
    """The estimate with the options that these settings ask for; by default itself."""
    if scale == "off" and not aspiration:
        return hybrid
    n_features = len(hybrid.linear.prior)
    return ExtendedHybrid(
        hybrid,
        ContextScale(n_features) if scale == "auto" else None,
        Aspiration() if aspiration else None,
    )


class ExtendedHybrid(Part):
    """A hybrid estimate that scales contexts, explores where play falls short, or both."""

    _children: ClassVar = ("hybrid", "scale", "aspiration")

    def __init__(
        self, hybrid: Hybrid, scale: ContextScale | None, aspiration: Aspiration | None
    ) -> None:
        self.hybrid = hybrid
        self.scale = scale
        self.aspiration = aspiration
        self.additive = aspiration is None

    def upper(self, contexts: Floats, rates: Floats, allowed: Flags, exact: bool = True) -> Floats:
        seen = self._scaled(contexts)
        scores = self.hybrid.upper(seen, rates, allowed, exact)
        if self.aspiration is None:
            return scores
        best = float(scores[allowed].max())
        if best >= self.aspiration.recent:
            return scores
        means, counts = self.hybrid.local.nearby(seen, NEARBY)
        gap = self.aspiration.gap(best, means)
        if not gap:
            return scores
        # An arm that could not win may do so when raised.
        scores = self.hybrid.upper(seen, rates, allowed, exact=True)
        raised: Floats = scores + gap / np.sqrt(1.0 + counts)
        return raised

    def values_and_widths(self, contexts: Floats) -> tuple[Floats, Floats]:
        """Both for many shared contexts, (n, d) -> two (n, n_arms)."""
        return self.hybrid.values_and_widths(self._scaled(contexts))

    def learn(self, contexts: Floats, arm: int, reward: float) -> None:
        self.hybrid.learn(self._scaled(contexts), arm, reward)
        if self.aspiration is not None:
            self.aspiration.learn(reward)
        moved = None if self.scale is None else self.scale.observe(row_of(contexts, arm))
        if moved is not None:
            self.hybrid.move(moved)

    def _scaled(self, contexts: Floats) -> Floats:
        return contexts if self.scale is None else self.scale.scaled(contexts)
