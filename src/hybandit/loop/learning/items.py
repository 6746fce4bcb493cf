"""Actions with features: items of a policy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from hybandit.estimators.item_table import ItemId
from hybandit.features import HashingEncoder
from hybandit.loop.newcomers import EVERYONE, NEWCOMERS, bounded
from hybandit.loop.policy import HeldPolicy
from hybandit.policies import ItemPolicy
from hybandit.state import COUNTS, Flags, Floats


class EncodedItems(HeldPolicy):
    """A policy of items, and the encoder of their features, which are given as JSON.

    The name is the item's id and, where it has no features, its only one.
    """

    _arrays: ClassVar[tuple[str, ...]] = ("learned",)
    _ranges: ClassVar = {"learned": COUNTS}
    _children: ClassVar[tuple[str, ...]] = ("policy", "encoder")

    policy: ItemPolicy

    def __init__(self, policy: ItemPolicy) -> None:
        self.policy = policy
        self.encoder = HashingEncoder(policy.n_item)
        self.learned = np.zeros(1, np.int64)

    def probabilities(
        self,
        context: Floats,
        names: Sequence[str],
        features: Sequence[str],
        newcomers: float = NEWCOMERS,
        judged: Flags = EVERYONE,
    ) -> Floats:
        """How likely each action is chosen; a newcomer gets at most `newcomers` (`bounded`)."""
        read = self.encoder.read
        items = self.encoder.encode(list(map(read, features, names)))
        return shares(self.policy, context, items, list(names), newcomers, judged)

    def values(self, context: Floats, names: Sequence[str], features: Sequence[str]) -> Floats:
        """What the policy thinks of each action."""
        items = self.encoder.encode(list(map(self.encoder.read, features, names)))
        return self.policy.unchecked_values(context, items, list(names))

    def learn(self, context: Floats, name: str, features: str, reward: float) -> None:
        """Learn a reward: first the columns and scales of the features, then the policy."""
        item = self.encoder.encode([self.encoder.learn(features, name)])[0]
        self.policy.learn(context, item, self.taken(reward), id=name)
        self.learned += 1


def shares(
    policy: ItemPolicy,
    context: Floats,
    items: Floats,
    ids: list[ItemId],
    newcomers: float = NEWCOMERS,
    judged: Flags = EVERYONE,
) -> Floats:
    """How likely a policy chooses each item; unknown ones, and those not `judged`, are `bounded`.

    If features alone make an item the best, it is shown; exploration is what is bounded.
    """

    def among(offered: Flags) -> Floats:
        chances = np.zeros(len(ids))
        some = [name for name, is_offered in zip(ids, offered, strict=True) if is_offered]
        chances[offered], _ = policy.unchecked_chances(context, items[offered], some)
        return chances

    chances, best = policy.unchecked_chances(context, items, ids)
    known = policy.unchecked_known(ids) & judged
    if known.all():
        return chances
    return bounded(chances, among, known, newcomers, remembered=policy.remembered, best=best)
