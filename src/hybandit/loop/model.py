"""What a loop learns with: an encoder for contexts, and a model for each kind of action."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from hybandit.features import HashingEncoder
from hybandit.loop.plain import PlainActions
from hybandit.loop.storage import Entry
from hybandit.policies.item_hybrid import ItemHybrid
from hybandit.state import COUNTS, Floats, Stateful

NO_FEATURES = "{}"


class Learner(Stateful):
    """The fold's state: what has been learned from the journal up to a position.

    Offers of names alone are `PlainActions`' to value, as long as it has arms for all of them,
    all others `ItemHybrid`'s, to which a name is one more feature. `ItemHybrid` learns every
    event, but that it leaves names to `PlainActions` until it has something else to learn.

    What it says depends on what it has learned and on its arguments alone.
    """

    _arrays: ClassVar[tuple[str, ...]] = ("items_learned",)
    _ranges: ClassVar = {"items_learned": COUNTS}
    _children: ClassVar[tuple[str, ...]] = ("contexts", "actions", "items", "plain")

    def __init__(self, settings: dict[str, Any]) -> None:
        self.contexts = HashingEncoder(settings["context_width"])
        self.actions = HashingEncoder(settings["action_width"])
        self.items = ItemHybrid(settings["context_width"], settings["action_width"], seed=0)
        self.plain = PlainActions(settings["context_width"])
        self.items_learned = np.zeros(1, np.int64)

    def probabilities(self, context: str, names: Sequence[str], features: Sequence[str]) -> Floats:
        """How likely the model would choose each action, given as JSON."""
        row = self.contexts.encode([self.contexts.read(context)])[0]
        offer = list(zip(features, names, strict=True))
        if all(self._is_plain(*action) for action in offer):
            scores = self.plain.scores(row, names)
            best = scores == scores.max()
            chances: Floats = best / best.sum()
            return chances
        items = self.actions.encode([self.actions.read(*action) for action in offer])
        return self.items.decide(row, items, ids=names).probabilities

    def prepare(self) -> None:
        """Do what learning a few entries more may need and takes long."""
        self.plain.prepare()

    def learn(self, entry: Entry) -> None:
        """Take in a closed event: first its columns and scales, then the reward."""
        row = self.contexts.encode([self.contexts.learn(entry.context)])[0]
        is_plain = self._is_plain(entry.features, entry.name)
        if is_plain:
            self.plain.learn(row, entry.name, entry.reward)
        if is_plain and not self.items_learned[0]:
            return
        action = self.actions.encode([self.actions.learn(entry.features, entry.name)])[0]
        self.items.learn(row, action, entry.reward, id=entry.name)
        self.items_learned += 1

    def _is_plain(self, features: str, name: str) -> bool:
        return features == NO_FEATURES and self.plain.takes(name)
