"""The result of a task."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from hybandit.environments import Outcome

CURVE_POINTS = 200


@dataclass(frozen=True)
class Run:
    """The totals and curves of one run.

    `rewards` and `regrets` are cumulative, at the rounds listed in `at`; `regrets` is
    empty if they are unknown. `extra` holds what only some environments measure.
    """

    rounds: int
    reward: float
    regret: float | None
    seconds: float
    at: list[int] = field(default_factory=list)
    rewards: list[float] = field(default_factory=list)
    regrets: list[float] = field(default_factory=list)
    extra: dict[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, outcome: Outcome, **extra: Any) -> Run:
        """Totals, and cumulative curves at up to CURVE_POINTS rounds."""
        rounds = len(outcome.rewards)
        at = np.unique(np.linspace(1, rounds, min(CURVE_POINTS, rounds)).round().astype(int))
        known = len(outcome.regrets) > 0
        return cls(
            rounds=rounds,
            reward=outcome.reward,
            regret=outcome.regret if known else None,
            seconds=outcome.seconds,
            at=at.tolist(),
            rewards=outcome.rewards.cumsum()[at - 1].tolist(),
            regrets=outcome.regrets.cumsum()[at - 1].tolist() if known else [],
            extra=extra,
        )

    def measured(self, measure: str) -> float:
        """One number: regret, reward, mean reward or seconds."""
        if measure == "mean reward":
            return self.reward / self.rounds
        value = getattr(self, measure)
        return float("nan") if value is None else float(value)
