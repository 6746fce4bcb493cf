"""An option beyond the paper for LNUCB-TA and (Lin+k-NN)-UCB: contexts are scaled first."""

from __future__ import annotations

from typing import ClassVar

from hybandit.estimators import Hybrid
from hybandit.estimators.context_scale import ContextScale
from hybandit.state import Flags, Floats, Part, row_of


def scaled(hybrid: Hybrid, scale: str) -> Hybrid | ScaledHybrid:
    """The estimate itself, or one that scales contexts if the setting asks for it."""
    return hybrid if scale == "off" else ScaledHybrid(hybrid)


class ScaledHybrid(Part):
    """A hybrid estimate of contexts as `ContextScale` makes them."""

    _children: ClassVar = ("hybrid", "scale")

    def __init__(self, hybrid: Hybrid) -> None:
        self.hybrid = hybrid
        self.scale = ContextScale(len(hybrid.linear.prior))

    def upper(self, contexts: Floats, rates: Floats, allowed: Flags, exact: bool = True) -> Floats:
        return self.hybrid.upper(self.scale.scaled(contexts), rates, allowed, exact)

    def values_and_widths(self, contexts: Floats) -> tuple[Floats, Floats]:
        """Both for many shared contexts, (n, d) -> two (n, n_arms)."""
        return self.hybrid.values_and_widths(self.scale.scaled(contexts))

    def learn(self, contexts: Floats, arm: int, reward: float) -> None:
        self.hybrid.learn(self.scale.scaled(contexts), arm, reward)
        moved = self.scale.observe(row_of(contexts, arm))
        if moved is not None:
            self.hybrid.move(moved)
