"""What `decide` gives among items."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hybandit.state import Floats, Integers


@dataclass(frozen=True)
class ItemDecision:
    """One choice among candidates, with what is needed to judge it later.

    Attributes
    ----------
    index
        The place of the candidate chosen.
    probabilities
        How likely each candidate was to be chosen, truly.
    scores
        What the candidates were ranked by.
    order
        All places, the chosen one first, the others by falling score.
    """

    index: int
    probabilities: Floats
    scores: Floats
    order: Integers

    @property
    def probability(self) -> float:
        """How likely the chosen candidate was."""
        return float(self.probabilities[self.index])

    def to_dict(self) -> dict[str, Any]:
        """As plain numbers and lists, ready for JSON."""
        return {
            "index": self.index,
            "probability": self.probability,
            "probabilities": self.probabilities.tolist(),
            "scores": self.scores.tolist(),
            "order": self.order.tolist(),
        }
