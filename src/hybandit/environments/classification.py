"""Classification as a bandit: arms are classes, and the right one pays 1."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

import numpy as np

from hybandit.environments.rounds import FullRound
from hybandit.errors import InvalidInput
from hybandit.features import OnlineRows
from hybandit.state import Floats, Integers


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

    Examples
    --------
    >>> environment = Classification(np.eye(3), np.arange(3), seed=0)
    >>> sum(turn.reward(0) for turn in environment)
    1.0
    """

    # Raised when its rounds change: stored runs of another version are not used.
    results_version: ClassVar[int] = 1

    def __init__(
        self,
        contexts: Floats | OnlineRows,
        labels: Integers,
        *,
        seed: int,
        rounds: int | None = None,
        rewards: tuple[float, float] = (0.0, 1.0),
    ) -> None:
        if len(contexts) != len(labels):
            raise InvalidInput("labels", f"as many as the {len(contexts)} contexts", len(labels))
        if labels.min(initial=0) < 0:
            raise InvalidInput("labels", "classes numbered from 0", int(labels.min()))
        if rounds is not None and rounds < 1:
            raise InvalidInput("rounds", "at least 1", rounds)
        self.contexts = contexts
        self.labels = labels
        self.seed = seed
        self.rewards = rewards
        self.n_arms = int(labels.max()) + 1
        self.n_features = contexts.shape[1]
        self._rounds = rounds or len(labels)

    def __len__(self) -> int:
        return self._rounds

    def __iter__(self) -> Iterator[FullRound]:
        generator = np.random.default_rng(self.seed)
        wrong, right = self.rewards
        order = np.empty(0, np.int64)
        rows = self.contexts
        if isinstance(rows, OnlineRows):
            rows = rows.restarted()
        for number in range(self._rounds):
            place = number % len(self.labels)
            if place == 0:
                order = generator.permutation(len(self.labels))
            row = order[place]
            rewards = np.full(self.n_arms, wrong)
            rewards[self.labels[row]] = right
            yield FullRound(rows[row], rewards)
