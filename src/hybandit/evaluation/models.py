"""Models of the rewards, for the direct method and doubly robust estimators."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

from hybandit.datasets import EventLog
from hybandit.estimators import Ridge
from hybandit.estimators.item_stack import ItemStack
from hybandit.evaluation.item_log import ItemLog, Offer
from hybandit.state import Floats, Integers

# More items than this are not remembered one by one, as in `ItemHybrid`.
MOST_ITEMS = 100_000
# After so many events, and so large a share of all, a model that learns in steps is fitted again.
LEAST_STEP, STEP_SHARE = 1000, 0.01


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


class SteppedModel:
    """As `LinearModel`, for whole batches: it is fitted again from time to time.

    After 1, 2, 4 and so on up to about 1,000 events, then after every 1,000, or 1 % of all so far.
    An event is always predicted by earlier ones alone.

    Examples
    --------
    >>> log = EventLog(np.array([1, 1]), np.ones(2), np.zeros((2, 1)), names=("a", "b"))
    >>> SteppedModel(n_arms=2, n_features=1).predictions(log)
    array([[0. , 0. ],
           [0. , 0.5]])
    """

    def __init__(self, n_arms: int, n_features: int, *, reg: float = 1.0) -> None:
        width = n_features + 1
        self._gram = np.tile(reg * np.eye(width), (n_arms, 1, 1))
        self._moment = np.zeros((n_arms, width))
        self._weights: Floats = np.zeros((n_arms, width))
        self._count, self._next = 0, 1

    def predictions(self, batch: EventLog) -> Floats:
        """The value of every arm for each event, by the events before it; then it learns them."""
        ones = np.ones((*batch.features.shape[:-1], 1))
        contexts = np.concatenate([batch.features, ones], axis=-1)
        found = np.empty((len(batch), len(self._weights)))
        start = 0
        while start < len(batch):
            stop = min(start + self._next - self._count, len(batch))
            part = contexts[start:stop]
            if part.ndim == 2:
                found[start:stop] = part @ self._weights.T
            else:
                found[start:stop] = np.einsum("nad,ad->na", part, self._weights)
            self._learn(part, batch.arms[start:stop], batch.rewards[start:stop])
            start = stop
        return found

    def _learn(self, contexts: Floats, arms: Integers, rewards: Floats) -> None:
        for arm in np.unique(arms).tolist():
            here = arms == arm
            rows = contexts[here] if contexts.ndim == 2 else contexts[here, arm]
            self._gram[arm] += rows.T @ rows
            self._moment[arm] += rows.T @ rewards[here]
        self._count += len(arms)
        if self._count == self._next:
            solved = np.linalg.solve(self._gram, self._moment[..., None])
            self._weights = solved[..., 0].astype(np.float64)
            step = max(LEAST_STEP, int(STEP_SHARE * self._count))
            self._next = self._count + min(self._count, step)


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


def predictions(model: RewardModel | SteppedModel, batch: EventLog | ItemLog) -> Any:
    """A model's value of every choice for each event, before it learned it.

    (events, n_arms), or for items an array for each offer.
    """
    if isinstance(model, SteppedModel):
        assert isinstance(batch, EventLog)
        return model.predictions(batch)
    found = []
    for context, arm, reward in zip(
        batch.features, batch.arms.tolist(), batch.rewards.tolist(), strict=True
    ):
        found.append(np.array(model.values(context)))
        model.learn(context, arm, reward)
    return found if isinstance(batch, ItemLog) else np.array(found)
