"""Models of the rewards, for the direct method and doubly robust estimators."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

from hybandit.estimators import Ridge
from hybandit.estimators.item_stack import ItemStack
from hybandit.evaluation.item_log import Offer
from hybandit.state import Floats

# More items than this are not remembered one by one, as in `ItemHybrid`.
MOST_ITEMS = 100_000


class RewardModel(Protocol):
    """Predicts the reward of every arm, and learns event by event.

    `contexts` is one of the `features` of a log: (d,) for all arms, (n_arms, d) with a row for
    each, or the `Offer` of a log of items, where an arm is a place.
    """

    def values(self, contexts: Any, /) -> Floats: ...
    def learn(self, contexts: Any, arm: int, reward: float, /) -> None: ...


class LinearModel:
    """A ridge for each arm, with a constant.

    Examples
    --------
    >>> model = LinearModel(n_arms=2, n_features=1)
    >>> model.learn(np.array([0.0]), 1, 1.0)
    >>> model.values(np.array([0.0]))
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
        longer = self._shared if contexts.ndim == 1 else self._own
        longer[:, :-1] = contexts
        return longer


class ItemModel:
    """What items pay, by their features, the context and their own past (`ItemStack`).

    Examples
    --------
    >>> model = ItemModel(n_context=1, n_item=1)
    >>> offer = Offer(np.ones(1), np.array([[1.0], [-1.0]]), ("tea", "beer"))
    >>> for place in (0, 1) * 20:
    ...     model.learn(offer, place, float(place))
    >>> model.values(offer).round(1)
    array([0., 1.])
    """

    def __init__(self, n_context: int, n_item: int) -> None:
        generator = np.random.default_rng(0)
        self._stack = ItemStack(n_context, n_item, generator, max_items=MOST_ITEMS)

    def values(self, offer: Offer) -> Floats:
        return self._stack.values(*offer)

    def learn(self, offer: Offer, place: int, reward: float) -> None:
        self._stack.learn(offer.context, offer.items[place], offer.names[place], reward)
