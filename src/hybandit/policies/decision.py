"""What `decide` gives."""

from __future__ import annotations

from dataclasses import dataclass

from hybandit.state import Floats


@dataclass(frozen=True)
class Decision:
    """One choice, with what is needed to judge it later.

    Attributes
    ----------
    arm
        The arm chosen.
    probabilities
        How likely each arm was to be chosen, truly: 0 for arms not eligible.
    scores
        What the arms were ranked by; -inf for retired arms.
    """

    arm: int
    probabilities: Floats
    scores: Floats

    @property
    def probability(self) -> float:
        """How likely the chosen arm was."""
        return float(self.probabilities[self.arm])
