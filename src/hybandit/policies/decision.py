"""What `decide` gives."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from hybandit.state import Floats, Integers


class _Told:
    """What is needed to judge a choice later, whatever was chosen from."""

    probabilities: Floats
    scores: Floats

    def _chosen(self) -> int:
        raise NotImplementedError

    @property
    def probability(self) -> float:
        """How likely what was chosen was."""
        return float(self.probabilities[self._chosen()])

    def to_dict(self) -> dict[str, Any]:
        """As plain numbers and lists, ready for JSON, which has no infinity: None stands for it."""
        scores = [score if math.isfinite(score) else None for score in self.scores.tolist()]
        return {
            "probability": self.probability,
            "probabilities": self.probabilities.tolist(),
            "scores": scores,
        }


@dataclass(frozen=True)
class Decision(_Told):
    """One choice of an arm, with what is needed to judge it later.

    Attributes
    ----------
    arm
        The arm chosen.
    probabilities
        How likely each arm was to be chosen, truly: 0 for arms not eligible.
    scores
        What the arms were ranked by; -inf for retired arms.
    name
        The arm's name, None if the arms have none.
    """

    arm: int
    probabilities: Floats
    scores: Floats
    name: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """As plain numbers and lists, ready for JSON, which has no infinity: None stands for it."""
        return {"arm": self.arm, "name": self.name, **super().to_dict()}

    def _chosen(self) -> int:
        return self.arm


@dataclass(frozen=True)
class ItemDecision(_Told):
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

    def to_dict(self) -> dict[str, Any]:
        """As plain numbers and lists, ready for JSON, which has no infinity: None stands for it."""
        return {"index": self.index, **super().to_dict(), "order": self.order.tolist()}

    def _chosen(self) -> int:
        return self.index
