"""The base of the linear Thompson policies: scores drawn from a normal for each arm."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field

from hybandit.estimators import Hybrid, Ridge
from hybandit.exploration import NormalDraws
from hybandit.policies.base import probability
from hybandit.policies.base.upper_confidence import UpperConfidencePolicy
from hybandit.state import Flags, Floats


class LinearThompson(UpperConfidencePolicy):
    """Scores ``value + (bonus + spread * z) * width`` with z standard normal per arm.

    Drawing the score is the same as drawing mu ~ N(mu, spread^2 S^-1) and costs no more
    than an upper bound.
    """

    _estimate: Ridge | Hybrid = field(init=False, repr=False)
    _rate: NormalDraws = field(init=False, repr=False)

    def _at_once(self, rows: Sequence[Floats] | Floats) -> bool:
        """Never: every choice has draws of its own."""
        return False

    def _probabilities(self, contexts: Floats, scores: Floats, allowed: Flags) -> Floats:
        spreads = self._rate.spreads(self.statistics.counts, self.statistics.means)
        widths = self._estimate.widths(contexts)
        means = self._estimate.values(contexts) + self._rate.bonus * widths
        return probability.of_largest_normal(means, spreads * widths, allowed, self.ties)
