"""Models of the rewards, for the direct method and doubly robust estimators."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

from hybandit.datasets import EventLog
from hybandit.datasets.log import ArmLog
from hybandit.estimators import Ridge
from hybandit.estimators.item_stack import ItemStack
from hybandit.evaluation.folds import FITTED, FOLDS, folds_of
from hybandit.evaluation.item_log import ItemLog, Offer
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


class FittedModel:
    """As `LinearModel`, fitted on up to 25,000 events of the log before it is asked.

    Cross-fitted: events are dealt into five folds, and one is predicted by a fit on the others.

    Examples
    --------
    >>> rows = np.linspace(0.0, 1.0, 100)[:, None]
    >>> log = EventLog(np.arange(100) % 2, rows[:, 0], rows)
    >>> FittedModel(log).predictions(log, first=0)[50].round(2)
    array([0.5, 0.5])
    """

    def __init__(self, log: ArmLog, *, reg: float = 1.0) -> None:
        n_arms, width = log.sizes[0], log.sizes[1] + 1
        sample, places = log.sample(FITTED)
        folds, contexts = folds_of(places), _with_constant(sample.features)
        grams = np.zeros((FOLDS, n_arms, width, width))
        moments = np.zeros((FOLDS, n_arms, width))
        for fold, arm in np.ndindex(FOLDS, n_arms):
            here = np.flatnonzero((folds == fold) & (sample.arms == arm))
            rows = contexts[here] if contexts.ndim == 2 else contexts[here, arm]
            grams[fold, arm] = rows.T @ rows
            moments[fold, arm] = rows.T @ sample.rewards[here]
        grams = grams.sum(axis=0) - grams + reg * np.eye(width)
        moments = moments.sum(axis=0) - moments
        self._weights = np.linalg.solve(grams, moments[..., None])[..., 0]

    def predictions(self, batch: EventLog, first: int) -> Floats:
        """The value of every arm for each event; the first has this number in the log."""
        contexts, folds = _with_constant(batch.features), folds_of(first + np.arange(len(batch)))
        found = np.empty((len(batch), batch.n_arms))
        for fold, weights in enumerate(self._weights):
            rows = contexts[folds == fold]
            product = rows @ weights.T if rows.ndim == 2 else np.einsum("nad,ad->na", rows, weights)
            found[folds == fold] = product
        return found


def _with_constant(features: Floats) -> Floats:
    return np.concatenate([features, np.ones((*features.shape[:-1], 1))], axis=-1)


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


Model = RewardModel | FittedModel


def predictions(model: Model, batch: EventLog | ItemLog, first: int = 0) -> Any:
    """A model's value of every choice for each event of a batch, the first with this number.

    (events, n_arms), or for items an array for each offer. A model that learns does so after each.
    """
    if isinstance(model, FittedModel):
        assert isinstance(batch, EventLog)
        return model.predictions(batch, first)
    found = []
    for context, arm, reward in zip(
        batch.features, batch.arms.tolist(), batch.rewards.tolist(), strict=True
    ):
        found.append(np.array(model.values(context)))
        model.learn(context, arm, reward)
    return found if isinstance(batch, ItemLog) else np.array(found)
