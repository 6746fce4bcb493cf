"""The results of `decide`."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from hybandit.notebook import card
from hybandit.state import Floats, Integers


class _BaseDecision:
    """What decisions of arms and of items have in common."""

    probabilities: Floats
    scores: Floats
    # The attribute that holds the choice.
    _chosen: ClassVar[str]

    @property
    def probability(self) -> float:
        """How likely this choice was."""
        return float(self.probabilities[getattr(self, self._chosen)])

    def _repr_html_(self) -> str:
        chosen = getattr(self, self._chosen)
        order = sorted(range(len(self.scores)), key=lambda place: place != chosen)
        rows = [
            (self._label(place), f"{self.scores[place]:.4g}", f"{self.probabilities[place]:.4f}")
            for place in order
        ]
        return card(repr(self), heads=[self._chosen, "score", "probability"], rows=rows)

    def _label(self, place: int) -> object:
        """What people call a choice."""
        return place

    def to_dict(self) -> dict[str, Any]:
        """Plain numbers and lists, ready for JSON; an infinite score becomes None."""
        scores = [score if math.isfinite(score) else None for score in self.scores.tolist()]
        return {
            "probability": self.probability,
            "probabilities": self.probabilities.tolist(),
            "scores": scores,
        }


@dataclass(frozen=True, repr=False)
class Decision(_BaseDecision):
    """A choice of an arm, with what off-policy evaluation needs later.

    Attributes
    ----------
    arm
        The arm chosen.
    probabilities
        The exact probability with which each arm was chosen; 0 for arms that are not eligible.
    scores
        The scores of the arms; -inf for retired arms.
    names
        The names of all arms, None if they have none.

    Examples
    --------
    >>> import hybandit
    >>> decision = hybandit.UCB(arms=["tea", "beer"], ties="first").decide()
    >>> decision.name, decision.probability
    ('tea', 1.0)
    """

    _chosen: ClassVar = "arm"

    arm: int
    probabilities: Floats
    scores: Floats
    names: Sequence[str] | None = None

    @property
    def name(self) -> str | None:
        """The name of the arm chosen, None if the arms have none."""
        return None if self.names is None else self.names[self.arm]

    def _label(self, place: int) -> object:
        return place if self.names is None else self.names[place]

    def __repr__(self) -> str:
        named = "" if self.name is None else f"name={self.name!r}, "
        return f"Decision(arm={self.arm}, {named}probability={self.probability:.4g})"

    def to_dict(self) -> dict[str, Any]:
        """Plain numbers and lists, ready for JSON; an infinite score becomes None."""
        return {"arm": self.arm, "name": self.name, **super().to_dict()}


@dataclass(frozen=True, repr=False)
class ItemDecision(_BaseDecision):
    """A choice among candidates, with what off-policy evaluation needs later.

    Attributes
    ----------
    index
        The place of the candidate chosen.
    probabilities
        The exact probability with which each candidate was chosen.
    scores
        The scores of the candidates.
    order
        All places, the chosen one first, the others by falling score.

    Examples
    --------
    >>> import hybandit
    >>> policy = hybandit.ItemLinUCB(1, 1, ties="first", seed=0)
    >>> policy.decide([1.0], [[1.0], [3.0], [2.0]]).order
    array([1, 2, 0])
    """

    _chosen: ClassVar = "index"

    index: int
    probabilities: Floats
    scores: Floats
    order: Integers

    def __repr__(self) -> str:
        count, chance = len(self.scores), self.probability
        return f"ItemDecision(index={self.index} of {count}, probability={chance:.4g})"

    def to_dict(self) -> dict[str, Any]:
        """Plain numbers and lists, ready for JSON; an infinite score becomes None."""
        return {"index": self.index, **super().to_dict(), "order": self.order.tolist()}
