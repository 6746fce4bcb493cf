"""Models of the rewards, for the direct method and doubly robust estimators."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from hybandit.estimators import Ridge
from hybandit.state import Floats


class RewardModel(Protocol):
    """Predicts the reward of every arm, and learns event by event.

    `contexts` is (1, d) for all arms or (n_arms, d), one row each.
    """

    def values(self, contexts: Floats, /) -> Floats: ...
    def learn(self, contexts: Floats, arm: int, reward: float, /) -> None: ...


class LinearModel:
    """A ridge for each arm, with a constant.

    Examples
    --------
    >>> model = LinearModel(n_arms=2, n_features=1)
    >>> model.learn(np.array([[0.0]]), 1, 1.0)
    >>> model.values(np.array([[0.0]]))
    array([0. , 0.5])
    """

    def __init__(self, n_arms: int, n_features: int, *, reg: float = 1.0) -> None:
        self._ridge = Ridge(n_arms, n_features + 1, reg=reg)
        self._shared = np.ones((1, n_features + 1))
        self._own = np.ones((n_arms, n_features + 1))

    def values(self, contexts: Floats) -> Floats:
        return self._ridge.values(self._with_constant(contexts))

    def learn(self, contexts: Floats, arm: int, reward: float) -> None:
        self._ridge.learn(self._with_constant(contexts), arm, reward)

    def _with_constant(self, contexts: Floats) -> Floats:
        longer = self._shared if len(contexts) == 1 else self._own
        longer[:, :-1] = contexts
        return longer
