"""Policies with an estimate and a deviation for each arm: they add both, or draw."""

from __future__ import annotations

from hybandit.policies.base import probability
from hybandit.policies.base.contextual import ContextualPolicy
from hybandit.state import Flags, Floats


class NormalScores(ContextualPolicy):
    """Plays the largest estimate plus deviation."""

    def _normal(self, contexts: Floats) -> tuple[Floats, Floats]:
        """Every arm's estimate and its deviation."""
        raise NotImplementedError

    def _scores(self, contexts: Floats, allowed: Flags, exact: bool) -> Floats:
        estimates, deviations = self._normal(contexts)
        return estimates + deviations


class DrawnScores(NormalScores):
    """Plays the largest of independent draws from ``N(estimate, deviation^2)``."""

    def _scores(self, contexts: Floats, allowed: Flags, exact: bool) -> Floats:
        estimates, deviations = self._normal(contexts)
        return estimates + deviations * self._generator.standard_normal(self._n_live)

    def _probabilities(self, contexts: Floats, scores: Floats, allowed: Flags) -> Floats:
        return probability.of_largest_normal(*self._normal(contexts), allowed, self.ties)
