"""The base of the enhanced policies: added neighbours, and attention on exploration."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from hybandit.exploration import SoftmaxAttention
from hybandit.policies.base.neighbour_settings import NeighbourSettings
from hybandit.state import Floats
from hybandit.validation.settings import at_least, setting


class EnhancedPolicy(NeighbourSettings):
    """A policy without contexts, plus the adaptive neighbours' estimate f."""

    gamma: float = setting(
        default=0.1, rule=at_least(0), doc="how fast attention leaves played arms"
    )

    _children: ClassVar[tuple[str, ...]] = ("statistics", "_local")

    def _start(self) -> None:
        self._local = self._neighbours()
        self._attention = SoftmaxAttention(gamma=self.gamma)

    def _relative_attention(self) -> Floats:
        """Attention times the number of arms: 1 for all while they are equally played."""
        statistics = self.statistics
        shares = self._attention.rates(statistics.counts, statistics.means)
        scaled: Floats = len(shares) * shares
        return scaled

    def _kept_rewards(self) -> Iterator[Floats]:
        yield from super()._kept_rewards()
        yield self._local.statistics.means
        yield self._local.memory.rewards()

    def _learn(self, contexts: Floats, arm: int, reward: float) -> None:
        self._local.learn(contexts, arm, reward)

    def _add_arm(self) -> None:
        self._local.add_arm()

    def _drop_arm(self, arm: int) -> None:
        self._local.drop_arm(arm)
