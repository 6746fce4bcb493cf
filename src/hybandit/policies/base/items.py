"""Policies that choose among items, which come and go and have features."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from hybandit.errors import InvalidInput, PolicyError, Unquoted
from hybandit.estimators.item_table import ItemId, ItemTable
from hybandit.exploration.inverse_gap import InverseGap
from hybandit.policies.base import settings
from hybandit.policies.base.decision import ItemDecision
from hybandit.policies.base.policy import Policy
from hybandit.state import Flags, Floats, Integers
from hybandit.validation import checks
from hybandit.validation.settings import (
    ABSENT,
    between,
    either,
    is_finite,
    one_of,
    setting,
    size,
)

GAP_STRENGTH = 50.0
NO_FEATURES = np.empty(0)
Offer = tuple[Floats, Floats, list[ItemId] | None]


class ItemPolicy(Policy):
    """Chooses one of any number of items, different ones each time, and learns from the reward.

    An item has features and, optionally, an id, by which its own past is recognised.
    A subclass values the candidates in `_values`, learns in `_learn` and drops an item in
    `_forget`.
    """

    ties: str = settings.ties()
    seed: int | None = settings.seed()
    n_context: int = setting(
        default=ABSENT, kw_only=False, rule=size(0), doc="length of a context; 0 for none"
    )
    n_item: int = setting(
        default=ABSENT, kw_only=False, rule=size(0), doc="how many features an item has"
    )
    explore: float | str = setting(
        default=0.0,
        rule=either(between(0, 1), one_of("gap")),
        doc="how often to play a uniform item; 'gap' tries those most that are little behind",
    )
    max_items: int = setting(
        default=100_000, rule=size(1), doc="items remembered; beyond, the least recent leaves"
    )

    _scoring: ClassVar[tuple[str, str]] = ("_values", "candidate")
    _children: ClassVar[tuple[str, ...]] = ("_gap", "_seen")

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
        with self._lock:
            return self._drawn(*self._scored(self._checked_offer(context, items, ids)))

    def decide(
        self,
        context: npt.ArrayLike,
        items: npt.ArrayLike,
        *,
        ids: Iterable[ItemId] | None = None,
    ) -> ItemDecision:
        """As `choose`, with the scores, the order and the exact probability of every candidate."""
        with self._lock:
            scores, everyone = self._scored(self._checked_offer(context, items, ids))
            # Drawn first, since that refuses faulty scores.
            index = self._drawn(scores, everyone)
            probabilities = self._probabilities(scores)
            return ItemDecision(index, probabilities, scores, _order(scores, index))

    def probabilities(
        self,
        context: npt.ArrayLike,
        items: npt.ArrayLike,
        *,
        ids: Iterable[ItemId] | None = None,
    ) -> Floats:
        """The exact probability of every candidate, as in `decide`, without a choice.

        Nothing changes: what is drawn on the way is drawn again by the next choice.
        """
        return self.unchecked_chances(*self._checked_offer(context, items, ids))[0]

    def unchecked_chances(
        self, context: Floats, items: Floats, ids: list[ItemId] | None
    ) -> tuple[Floats, Flags]:
        """As `probabilities`, and which candidates have the largest expected reward.

        None has, if the policy cannot tell. For callers that made the vectors themselves: nothing
        is checked.
        """
        with self._lock:
            before = self.generator_state
            try:
                expected, scores = self._expected_and_scores(context, items, ids)
                self._check_scores(scores, len(items))
                chances = self._probabilities(scores)
            finally:
                self.generator_state = before
            best = np.zeros(len(items), bool) if expected is None else expected == expected.max()
            return chances, best

    def unchecked_values(self, context: Floats, items: Floats, ids: list[ItemId] | None) -> Floats:
        """The expected reward of every candidate, or its score, if the policy tells no more."""
        with self._lock:
            before = self.generator_state
            try:
                expected, scores = self._expected_and_scores(context, items, ids)
                return scores if expected is None else expected
            finally:
                self.generator_state = before

    def rank(
        self,
        context: npt.ArrayLike,
        items: npt.ArrayLike,
        *,
        ids: Iterable[ItemId] | None = None,
    ) -> Integers:
        """All candidates: the one that `choose` would return, then the others by falling score."""
        with self._lock:
            scores, everyone = self._scored(self._checked_offer(context, items, ids))
            return _order(scores, self._drawn(scores, everyone))

    def learn(
        self,
        context: npt.ArrayLike,
        item: npt.ArrayLike,
        reward: float,
        *,
        id: ItemId | None = None,
    ) -> None:
        """Learn the reward of an item that was shown on this context."""
        with self._lock:
            row = checks.rows("context", context, (self.n_context,))
            features = checks.rows("item", item, (self.n_item,))
            value = checks.reward(reward, self.rewards)
            name = None if id is None else checks.item_id(id)
            self._learn_checked(row, features, name, value)

    def choose_many(
        self,
        contexts: Iterable[npt.ArrayLike],
        items: Iterable[npt.ArrayLike],
        *,
        ids: Iterable[Iterable[ItemId]] | None = None,
    ) -> Integers:
        """The choice in each of many rounds; nothing is learned in between."""
        with self._lock:
            offers = self._checked_offers(contexts, items, ids)
            return np.array([self._drawn(*self._scored(offer)) for offer in offers], np.int64)

    def score_many(
        self,
        contexts: Iterable[npt.ArrayLike],
        items: Iterable[npt.ArrayLike],
        *,
        ids: Iterable[Iterable[ItemId]] | None = None,
    ) -> list[Floats]:
        """The scores in each of many rounds."""
        with self._lock:
            scored = [self._scored(offer) for offer in self._checked_offers(contexts, items, ids)]
            for scores, everyone in scored:
                self._check_scores(scores, len(everyone))
            return [scores for scores, _ in scored]

    def learn_many(
        self,
        contexts: npt.ArrayLike,
        items: npt.ArrayLike,
        rewards: npt.ArrayLike,
        *,
        ids: Iterable[ItemId] | None = None,
    ) -> None:
        """As `learn` one by one, but if any is refused, none is learned."""
        with self._lock:
            values = [
                checks.reward(each, self.rewards) for each in checks.sequence("rewards", rewards)
            ]
            count = len(values)
            rows = checks.rows("contexts", contexts, (count, self.n_context))
            features = checks.rows("items", items, (count, self.n_item))
            names = [None] * count if ids is None else checks.item_ids(ids)
            checks.as_many("ids", names, count, "rewards")
            for row, item, name, value in zip(rows, features, names, values, strict=True):
                self._learn_checked(row, item, name, value)

    def known(self, ids: Iterable[ItemId]) -> Flags:
        """Of which items, by their ids, a reward is remembered."""
        return self.unchecked_known(checks.item_ids(ids))

    def unchecked_known(self, ids: list[ItemId]) -> Flags:
        """The same for callers that made the ids themselves: nothing is checked."""
        with self._lock:
            return self._table().knows(ids)

    @property
    def remembered(self) -> int:
        """The number of items of which rewards are remembered."""
        with self._lock:
            return len(self._table())

    def forget_item(self, id: ItemId) -> None:
        """Remove what is remembered of one item; what the shared model learned from it stays.

        An unknown id is not an error: the item may have been removed before.
        """
        with self._lock:
            name = checks.item_id(id)
            self._forget(name)
            self._table().forget(name)

    # What a policy is made of

    def _prepare(self) -> None:
        self._gap = InverseGap(GAP_STRENGTH)
        # A policy with a table of its own does not need this list of what it learned.
        has_table = type(self)._table is not ItemPolicy._table
        self._seen = None if has_table else ItemTable(0, self.max_items)

    def _least_numbers(self) -> int:
        return self.n_context + self.n_item

    def _values(self, context: Floats, items: Floats, ids: list[ItemId] | None) -> Floats:
        """The scores of the candidates."""
        raise self._lacking("_values", "returns an array with the score of each candidate")

    def _expected_and_scores(
        self, context: Floats, items: Floats, ids: list[ItemId] | None
    ) -> tuple[Floats | None, Floats]:
        """The expected rewards, None if they are not told, and the scores, more by exploration."""
        return None, self._values(context, items, ids)

    def _learn(self, context: Floats, item: Floats, name: ItemId | None, reward: float) -> float:
        """Learn a reward; returns by how much it exceeded the expected one."""
        raise self._lacking(
            "_learn", "learns and returns by how much the reward exceeded the expected one"
        )

    def _forget(self, name: ItemId) -> None:
        """Remove what is remembered of one item, beside the table."""

    def _table(self) -> ItemTable:
        """What is remembered of items; here only which were learned, `max_items` at most."""
        assert self._seen is not None
        return self._seen

    def _learn_checked(
        self, context: Floats, item: Floats, name: ItemId | None, reward: float
    ) -> None:
        error = self._learn(context, item, name, reward)
        if not is_finite(error):
            rule = "a finite number, by how much the reward exceeded the expected one"
            raise PolicyError(f"{type(self).__name__}._learn must return {rule}; got {error!r}")
        self._gap.learn(error)
        if self._seen is not None:
            self._seen.learn(name, NO_FEATURES, reward)

    def _scored(self, offer: Offer) -> tuple[Floats, Flags]:
        """The scores of the candidates, and a mask of all of them."""
        return self._values(*offer), np.ones(len(offer[1]), bool)

    def _drawn(self, scores: Floats, everyone: Flags) -> int:
        if self.explore == "gap":
            self._check_scores(scores, len(everyone))
            chances = self._gap.probabilities(scores).cumsum()
            place = int(chances.searchsorted(self._generator.random() * chances[-1], side="right"))
            return min(place, len(scores) - 1)
        return self._pick(scores, everyone)

    def _probabilities(self, scores: Floats) -> Floats:
        if self.explore == "gap":
            return self._gap.probabilities(scores)
        everyone = np.ones(len(scores), bool)
        return self._mixture(self._of_largest(scores, everyone), scores, everyone)

    # Checks

    def _checked_offer(
        self, context: npt.ArrayLike, items: npt.ArrayLike, ids: Iterable[ItemId] | None
    ) -> Offer:
        row = checks.rows("context", context, (self.n_context,))
        candidates = checks.rows("items", items, (None, self.n_item))
        if not len(candidates):
            raise InvalidInput("items", "at least one candidate", Unquoted("none"))
        if ids is None:
            return row, candidates, None
        names = checks.item_ids(ids)
        checks.as_many("ids", names, len(candidates), "items")
        if len(set(names)) < len(names):
            twice = next(name for name in names if names.count(name) > 1)
            raise InvalidInput("ids", "all different", Unquoted(f"{twice!r} twice"))
        return row, candidates, names

    def _checked_offers(
        self,
        contexts: Iterable[npt.ArrayLike],
        items: Iterable[npt.ArrayLike],
        ids: Iterable[Iterable[ItemId]] | None,
    ) -> list[Offer]:
        rows = checks.sequence("contexts", contexts)
        offers = checks.sequence("items", items)
        names = [None] * len(rows) if ids is None else checks.sequence("ids", ids)
        checks.as_many("items", offers, len(rows), "contexts")
        checks.as_many("ids", names, len(rows), "contexts")
        return [self._checked_offer(*each) for each in zip(rows, offers, names, strict=True)]


def _order(scores: Floats, index: int) -> Integers:
    by_score = np.argsort(-scores, kind="stable")
    return np.concatenate([[index], by_score[by_score != index]])
