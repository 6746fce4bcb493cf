"""The base of the enhanced policies: added neighbours, and attention on exploration."""

from __future__ import annotations

from typing import ClassVar

from hybandit.exploration import SoftmaxAttention
from hybandit.policies.base import settings
from hybandit.policies.base.contextual import ContextualPolicy
from hybandit.policies.base.neighbours import adaptive_neighbours
from hybandit.state import Floats


class EnhancedPolicy(ContextualPolicy):
    """A policy without contexts, plus the adaptive neighbours' estimate f."""

    gamma: float = settings.attention()
    k_min: int = settings.k_min()
    k_max: int = settings.k_max()
    weights: str = settings.weights()
    rounding: str = settings.rounding()
    memory: str | None = settings.memory()

    _children: ClassVar[tuple[str, ...]] = ("_local",)

    def _start(self) -> None:
        self._local = adaptive_neighbours(self)
        self._attention = SoftmaxAttention(gamma=self.gamma)

    def _relative_attention(self) -> Floats:
        """Attention times the number of arms: 1 for all while they are equally played."""
        statistics = self.statistics
        shares = self._attention.rates(statistics.counts, statistics.means)
        scaled: Floats = len(shares) * shares
        return scaled

    def _learn(self, contexts: Floats, arm: int, reward: float) -> None:
        self._local.learn(contexts, arm, reward)
