"""ItemHybrid: the hybrid for items with features."""

from __future__ import annotations

import numbers
from collections.abc import Iterable, Sequence
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from hybandit.errors import InvalidInput, Unquoted
from hybandit.estimators.item_stack import ItemStack
from hybandit.estimators.item_table import ItemId
from hybandit.exploration.inverse_gap import InverseGap
from hybandit.kernels import selection
from hybandit.policies import probability
from hybandit.policies.item_decision import ItemDecision
from hybandit.state import Array, Floats, Integers, Stateful

LARGEST_INPUT = 1e100
GAP_STRENGTH = 50.0
LARGEST_ID = 2**63


class ItemHybrid(Stateful):
    """One model for all items: the trend of all, and each item's own past.

    Examples
    --------
    >>> policy = ItemHybrid(n_context=2, n_item=1, seed=0)
    >>> context, items, ids = [0.6, 0.8], [[1.0], [0.5], [-1.0]], ["a", "b", "c"]
    >>> decision = policy.decide(context, items, ids=ids)
    >>> chosen = decision.index
    >>> policy.learn(context, items[chosen], 1.0, id=ids[chosen])
    >>> policy.rank(context, items, ids=ids)[0] == chosen
    np.True_
    """

    _children: ClassVar = ("_stack", "_gap")

    def __init__(
        self,
        n_context: int,
        n_item: int,
        *,
        explore: float | str = 0.0,
        max_items: int = 100_000,
        seed: int | None = None,
    ) -> None:
        self.n_context = n_context
        self.n_item = n_item
        self.explore = explore
        self.max_items = max_items
        self.seed = seed
        self._generator = np.random.default_rng(seed)
        self._stack = ItemStack(n_context, n_item, self._generator, max_items=max_items)
        self._gap = InverseGap(GAP_STRENGTH)

    # The verbs

    def choose(
        self,
        context: npt.ArrayLike,
        items: npt.ArrayLike,
        *,
        ids: Iterable[ItemId] | None = None,
    ) -> int:
        """The place of the candidate to show.

        Parameters
        ----------
        context
            ``(n_context,)``.
        items
            ``(n, n_item)``: the features of any number of candidates.
        ids
            Their ids, each a str or an int, no two alike. Default: they have none.
        """
        return self._pick(self._scores(*self._checked(context, items, ids)))

    def decide(
        self,
        context: npt.ArrayLike,
        items: npt.ArrayLike,
        *,
        ids: Iterable[ItemId] | None = None,
    ) -> ItemDecision:
        """As `choose`, with the scores, the order and the true probability of every candidate."""
        scores = self._scores(*self._checked(context, items, ids))
        probabilities = self._probabilities(scores)
        index = self._pick(scores)
        return ItemDecision(index, probabilities, scores, _order(scores, index))

    def rank(
        self,
        context: npt.ArrayLike,
        items: npt.ArrayLike,
        *,
        ids: Iterable[ItemId] | None = None,
    ) -> Integers:
        """All candidates: the one that `choose` gives, then the others by falling score."""
        scores = self._scores(*self._checked(context, items, ids))
        return _order(scores, self._pick(scores))

    def learn(
        self,
        context: npt.ArrayLike,
        item: npt.ArrayLike,
        reward: float,
        *,
        id: ItemId | None = None,
    ) -> None:
        """Take in the reward of an item that was shown on this context."""
        row = _rows("context", context, (self.n_context,))
        features = _rows("item", item, (self.n_item,))
        self._learn(row, features, _checked_reward(reward), None if id is None else _checked_id(id))

    def choose_many(
        self,
        contexts: Iterable[npt.ArrayLike],
        items: Iterable[npt.ArrayLike],
        *,
        ids: Iterable[Iterable[ItemId]] | None = None,
    ) -> Integers:
        """The choice in each of many rounds, none of them learned in between."""
        rounds = self._checked_rounds(contexts, items, ids)
        return np.array([self._pick(self._scores(*each)) for each in rounds], np.int64)

    def score_many(
        self,
        contexts: Iterable[npt.ArrayLike],
        items: Iterable[npt.ArrayLike],
        *,
        ids: Iterable[Iterable[ItemId]] | None = None,
    ) -> list[Floats]:
        """The scores in each of many rounds."""
        return [self._scores(*each) for each in self._checked_rounds(contexts, items, ids)]

    def learn_many(
        self,
        contexts: npt.ArrayLike,
        items: npt.ArrayLike,
        rewards: Sequence[float] | Floats,
        *,
        ids: Iterable[ItemId] | None = None,
    ) -> None:
        """As `learn` one by one; if any is refused, none is learned."""
        values = [_checked_reward(reward) for reward in rewards]
        rows = _rows("contexts", contexts, (len(values), self.n_context))
        features = _rows("items", items, (len(values), self.n_item))
        names: Sequence[ItemId | None] = [None] * len(values)
        if ids is not None:
            names = _checked_ids(ids)
            if len(names) != len(values):
                raise InvalidInput("ids", f"as many as the {len(values)} rewards", len(names))
        for lesson in zip(rows, features, values, names, strict=True):
            self._learn(*lesson)

    def forget_item(self, id: ItemId) -> None:
        """Drop what is remembered of one item; what all learned from it stays.

        An item that is not known is no error: it may have left by itself.
        """
        self._stack.table.forget(_checked_id(id))

    # What the verbs do

    def _scores(self, context: Floats, items: Floats, ids: list[ItemId] | None) -> Floats:
        return self._stack.values(context, items, ids)

    def _learn(self, context: Floats, item: Floats, reward: float, name: ItemId | None) -> None:
        self._gap.learn(self._stack.learn(context, item, name, reward))

    def _pick(self, scores: Floats) -> int:
        if self.explore == "gap":
            chances = self._gap.probabilities(scores).cumsum()
            place = int(chances.searchsorted(self._generator.random() * chances[-1], side="right"))
            return min(place, len(scores) - 1)
        if self.explore and self._generator.random() < float(self.explore):
            return int(self._generator.integers(len(scores)))
        best, ties = selection.largest(scores, np.ones(len(scores), bool))
        if ties > 1:
            tied = np.flatnonzero(scores == scores[best])
            best = int(tied[self._generator.integers(ties)])
        return best

    def _probabilities(self, scores: Floats) -> Floats:
        if self.explore == "gap":
            return self._gap.probabilities(scores)
        share = float(self.explore)
        largest = probability.of_largest_score(scores, np.ones(len(scores), bool), "random")
        mixture: Floats = share / len(scores) + (1.0 - share) * largest
        return mixture

    # Checks

    def _checked(
        self, context: npt.ArrayLike, items: npt.ArrayLike, ids: Iterable[ItemId] | None
    ) -> tuple[Floats, Floats, list[ItemId] | None]:
        row = _rows("context", context, (self.n_context,))
        candidates = _rows("items", items, (None, self.n_item))
        if not len(candidates):
            raise InvalidInput("items", "at least one candidate", Unquoted("none"))
        if ids is None:
            return row, candidates, None
        names = _checked_ids(ids)
        if len(names) != len(candidates):
            raise InvalidInput("ids", f"as many as the {len(candidates)} items", len(names))
        if len(set(names)) < len(names):
            twice = next(name for name in names if names.count(name) > 1)
            raise InvalidInput("ids", "all different", Unquoted(f"{twice!r} twice"))
        return row, candidates, names

    def _checked_rounds(
        self,
        contexts: Iterable[npt.ArrayLike],
        items: Iterable[npt.ArrayLike],
        ids: Iterable[Iterable[ItemId]] | None,
    ) -> list[tuple[Floats, Floats, list[ItemId] | None]]:
        rows, offers = list(contexts), list(items)
        names = [None] * len(rows) if ids is None else list(ids)
        for parameter, given in (("items", offers), ("ids", names)):
            if len(given) != len(rows):
                raise InvalidInput(parameter, f"as many as the {len(rows)} contexts", len(given))
        return [self._checked(*each) for each in zip(rows, offers, names, strict=True)]


def _order(scores: Floats, index: int) -> Integers:
    by_score = np.argsort(-scores, kind="stable")
    return np.concatenate([[index], by_score[by_score != index]])


def _checked_id(given: Any) -> ItemId:
    if isinstance(given, str):
        return str(given)
    whole = isinstance(given, numbers.Integral) and not isinstance(given, bool)
    if not whole or not -LARGEST_ID <= given < LARGEST_ID:
        raise InvalidInput("id", "a str, or an int of at most 64 bits", given)
    return int(given)


def _checked_ids(given: Any) -> list[ItemId]:
    # A text is a sequence, of letters: surely not what is meant.
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise InvalidInput("ids", "a sequence of ids", given)
    return [_checked_id(item) for item in given]


def _checked_reward(given: Any) -> float:
    rule = f"a finite number of at most {LARGEST_INPUT:g} in size"
    if not isinstance(given, (float, numbers.Real, np.bool_)):
        raise InvalidInput("reward", rule, given)
    try:
        reward = float(given)
    except OverflowError:
        reward = np.inf
    if not abs(reward) <= LARGEST_INPUT:
        raise InvalidInput("reward", rule, given)
    return reward


def _rows(parameter: str, given: npt.ArrayLike, shape: tuple[int | None, ...]) -> Floats:
    """Numbers of this shape (None: any), none of them NaN, infinite or too large."""
    try:
        array: Array = np.asarray(given)
    except ValueError:
        array = np.empty(0, object)
    if array.dtype.kind not in "fiub" and array.size:
        raise InvalidInput(parameter, "an array of numbers", given)
    fits = array.ndim == len(shape) and all(
        want is None or want == have for want, have in zip(shape, array.shape, strict=True)
    )
    if not fits:
        written = ", ".join("n" if want is None else str(want) for want in shape)
        comma = "," if len(shape) == 1 else ""
        rule = f"of shape ({written}{comma})"
        raise InvalidInput(parameter, rule, Unquoted(f"shape {array.shape}"))
    rows: Floats = np.require(array, np.float64, ["C", "W"])
    if not (np.abs(rows) <= LARGEST_INPUT).all():
        rule = f"finite numbers of at most {LARGEST_INPUT:g} in size"
        raise InvalidInput(parameter, rule, given)
    return rows
