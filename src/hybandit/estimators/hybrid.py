"""A linear estimate plus a local one."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from hybandit.estimators.adaptive_knn import AdaptiveKNN
from hybandit.estimators.ridge import Ridge
from hybandit.state import Flags, Floats, Part


class Hybrid(Part):
    """The paper's sum: ``x'mu + f``, widths from the linear part.

    Parameters
    ----------
    target
        The target of the linear part: ``residual``, which is r - f with f as it was before
        this reward (the paper's ridge problem), or ``reward``, which is r (the authors' code,
        which counts the signal twice).

    Examples
    --------
    >>> import numpy as np
    >>> hybrid = Hybrid(Ridge(1, 1), AdaptiveKNN(1, 1), target="residual")
    >>> context = np.array([[1.0]])
    >>> hybrid.learn(context, arm=0, reward=1.0)
    >>> hybrid.values(context)  # 0.5 from the ridge, 1 from the neighbour
    array([1.5])
    """

    _children: ClassVar = ("linear", "local")

    def __init__(self, linear: Ridge, local: AdaptiveKNN, *, target: str = "residual") -> None:
        self.linear = linear
        self.local = local
        self.target = target

    def values(self, contexts: Floats) -> Floats:
        return self.linear.values(contexts) + self.local.values(contexts)

    def widths(self, contexts: Floats) -> Floats:
        return self.linear.widths(contexts)

    def upper(self, contexts: Floats, rates: Floats, allowed: Flags, exact: bool = True) -> Floats:
        values = self.linear.values(contexts) + self.local.values(contexts)
        return self.linear.add_widths(values, contexts, rates, allowed, exact)

    def values_and_widths(self, contexts: Floats) -> tuple[Floats, Floats]:
        """Both for many shared contexts, (n, d) -> two (n, n_arms)."""
        values, widths = self.linear.values_and_widths(contexts)
        return values + self.local.values_of_many(contexts), widths

    def learn(self, contexts: Floats, arm: int, reward: float) -> None:
        expected = self.local.values(contexts)[arm] if self.target == "residual" else 0.0
        spread = self.local.reach(contexts, arm) if self.linear.gamma else 0.0
        self.linear.learn(contexts, arm, reward - expected, spread)
        self.local.learn(contexts, arm, reward)

    def move(self, moved: Callable[[Floats], Floats]) -> None:
        """Rebuild as if every context had been `moved` of it, from what the memory retains."""
        self.local.move(moved)
        memory = self.local.memory
        fresh = Hybrid(self.linear.fresh(), self.local.fresh(), target=self.target)
        for slot in memory.observations.slots():
            context, arm, reward, _ = (column[slot] for column in memory.entries)
            fresh.learn(context[None], int(arm), float(reward))
        self.linear = fresh.linear
