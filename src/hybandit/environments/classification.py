"""Classification as a bandit: arms are classes, and the right one pays most."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

import numpy as np

from hybandit.environments.rounds import FullRound
from hybandit.errors import InvalidInput
from hybandit.features import OnlineRows
from hybandit.state import Floats, Integers

# Streams of randomness of its own: a policy with the same seed must not share them.
LUCK, ORDER = 1, 2
CERTAIN = (0.0, 1.0)


class Classification:
    """Rows shuffled by the seed; reward 1 for the right class, else 0.

    Parameters
    ----------
    contexts
        One row for each example. Rows are taken one at a time in the order of play, so
        they may be an `OnlineRows` that learns its scales as it goes.
    labels
        Classes 0..n-1.
    rounds
        How many rounds. Default: one for each row. More than that goes through the rows
        again, each time in a new order.
    rewards
        What a wrong and a right choice pay.
    probabilities
        With what probability a wrong and a right choice pay the second of the `rewards`;
        the first otherwise. Regret is then that of the expected rewards. What pays is
        drawn for every arm of a round from a generator of its own, so it depends neither
        on what is chosen nor on the policy's draws, and the rows come in the same order.

    Examples
    --------
    >>> environment = Classification(np.eye(3), np.arange(3), seed=0)
    >>> sum(turn.reward(0) for turn in environment)
    1.0

    Clicks, rare even where the choice is right:

    >>> clicks = Classification(np.eye(3), np.arange(3), seed=0, probabilities=(0.02, 0.1))
    >>> turn = next(iter(clicks))
    >>> sorted(turn.expected(arm) for arm in range(3)), turn.best
    ([0.02, 0.02, 0.1], 0.1)
    """

    results_version: ClassVar[int] = 1

    def __init__(
        self,
        contexts: Floats | OnlineRows,
        labels: Integers,
        *,
        seed: int,
        rounds: int | None = None,
        rewards: tuple[float, float] = (0.0, 1.0),
        probabilities: tuple[float, float] = (0.0, 1.0),
    ) -> None:
        if len(contexts) != len(labels):
            raise InvalidInput("labels", f"as many as the {len(contexts)} contexts", len(labels))
        if labels.min(initial=0) < 0:
            raise InvalidInput("labels", "classes numbered from 0", int(labels.min()))
        if rounds is not None and rounds < 1:
            raise InvalidInput("rounds", "at least 1", rounds)
        if not all(0.0 <= each <= 1.0 for each in probabilities):
            raise InvalidInput("probabilities", "two numbers from 0 to 1", probabilities)
        self.contexts = contexts
        self.labels = labels
        self.seed = seed
        self.rewards = rewards
        self.probabilities = probabilities
        self.n_arms = int(labels.max()) + 1
        self.n_features = contexts.shape[1]
        self._rounds = rounds or len(labels)

    def __len__(self) -> int:
        return self._rounds

    def __iter__(self) -> Iterator[FullRound]:
        luck = np.random.default_rng([self.seed, LUCK])
        rows = self.contexts
        if isinstance(rows, OnlineRows):
            rows = rows.restarted()
        for row in self._order():
            yield self._round(rows[row], int(self.labels[row]), luck)

    def classes(self) -> Integers:
        """The right choice of every round."""
        found: Integers = self.labels[np.fromiter(self._order(), np.int64, self._rounds)]
        return found

    def _order(self) -> Iterator[int]:
        """Which row comes in each round."""
        generator = np.random.default_rng([self.seed, ORDER])
        for start in range(0, self._rounds, len(self.labels)):
            order = generator.permutation(len(self.labels))
            yield from order[: self._rounds - start].tolist()

    def _round(self, context: Floats, label: int, luck: np.random.Generator) -> FullRound:
        low, high = self.rewards
        wrong, right = self.probabilities
        chances = np.full(self.n_arms, wrong)
        chances[label] = right
        if self.probabilities == CERTAIN:
            return FullRound(context, np.where(chances > 0.0, high, low))
        drawn = np.where(luck.random(self.n_arms) < chances, high, low)
        return FullRound(context, drawn, means=low + (high - low) * chances)
