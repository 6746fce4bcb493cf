"""The model of a loop: encoders, and a model for each kind of action."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from hybandit.estimators.limits import Limit
from hybandit.features import HashingEncoder
from hybandit.loop.plain import PlainActions
from hybandit.loop.storage import Entry
from hybandit.policies.item_hybrid import ItemHybrid
from hybandit.state import COUNTS, Floats, Stateful

NO_FEATURES = "{}"


class LoopModel(Stateful):
    """The model after learning the journal up to a position.

    If all offered actions are names without features, and `PlainActions` has arms for them,
    it scores them; otherwise `ItemHybrid` does, with the name as one more feature. `ItemHybrid`
    learns every event, except that it starts only when an action with features is learned.

    The answers depend only on the journal and the arguments.
    """

    _arrays: ClassVar[tuple[str, ...]] = ("items_learned",)
    _ranges: ClassVar = {"items_learned": COUNTS}
    _children: ClassVar[tuple[str, ...]] = ("contexts", "actions", "items", "plain")

    def __init__(self, settings: dict[str, Any]) -> None:
        self.contexts = HashingEncoder(settings["context_width"])
        self.actions = HashingEncoder(settings["action_width"])
        forget = settings["forget"]
        self.items = ItemHybrid(
            settings["context_width"], settings["action_width"], forget=forget, seed=0
        )
        self.plain = PlainActions(
            settings["context_width"], limit=Limit.read(settings["memory"]), forget=forget
        )
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
        """Do slow preparations for learning a few more entries."""
        self.plain.prepare()

    def learn(self, entry: Entry) -> None:
        """Learn a closed event: first its columns and scales, then the reward."""
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
