"""Actions with features: items of a policy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from hybandit.features import HashingEncoder
from hybandit.loop.policy import HeldPolicy
from hybandit.policies import ItemPolicy
from hybandit.state import COUNTS, Floats


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
        self, context: Floats, names: Sequence[str], features: Sequence[str]
    ) -> Floats:
        """How likely the policy would choose each action."""
        read = self.encoder.read
        items = self.encoder.encode(list(map(read, features, names)))
        return self.policy.unchecked_probabilities(context, items, list(names))

    def learn(self, context: Floats, name: str, features: str, reward: float) -> None:
        """Learn a reward: first the columns and scales of the features, then the policy."""
        item = self.encoder.encode([self.encoder.learn(features, name)])[0]
        self.policy.learn(context, item, self.taken(reward), id=name)
        self.learned += 1
