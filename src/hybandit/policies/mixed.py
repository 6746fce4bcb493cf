"""Now and then a uniform arm, whatever the scores say."""

from __future__ import annotations

import numpy as np

from hybandit.policies.base import Policy
from hybandit.state import Flags, Floats


class MixedWithUniform(Policy):
    """Plays a uniform arm with probability `_explore`, else the largest score."""

    def _explore(self, scores: Floats, allowed: Flags) -> float:
        """How likely a uniform arm is now."""
        raise NotImplementedError

    def _pick(self, scores: Floats, allowed: Flags) -> int:
        if self._generator.random() < self._explore(scores, allowed):
            return int(self._generator.choice(np.flatnonzero(allowed)))
        return super()._pick(scores, allowed)

    def _probabilities(self, contexts: Floats, scores: Floats, allowed: Flags) -> Floats:
        explore = self._explore(scores, allowed)
        greedy = super()._probabilities(contexts, scores, allowed)
        mixed: Floats = (1.0 - explore) * greedy + explore * allowed / allowed.sum()
        return mixed
