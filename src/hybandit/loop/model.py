"""What a loop learns with: an encoder for contexts, and a model for each kind of action."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from hybandit.features import HashingEncoder
from hybandit.loop.plain import PlainActions
from hybandit.loop.storage import Entry
from hybandit.policies.item_hybrid import ItemHybrid
from hybandit.state import Floats, Stateful

NO_FEATURES = "{}"


class Learner(Stateful):
    """The fold's state: what has been learned from the journal up to a position.

    `ItemHybrid` learns actions with features, `PlainActions` those that are only names, as long
    as it has arms for them; more names are items whose features are their names. Both value
    actions in the unit of the rewards, so that they can be offered together.

    What it says depends on what it has learned and on its arguments alone.
    """

    _children: ClassVar[tuple[str, ...]] = ("contexts", "actions", "items", "plain")

    def __init__(self, settings: dict[str, Any]) -> None:
        self.contexts = HashingEncoder(settings["context_width"])
        self.actions = HashingEncoder(settings["action_width"])
        self.items = ItemHybrid(settings["context_width"], settings["action_width"], seed=0)
        self.plain = PlainActions(settings["context_width"])

    def probabilities(self, context: str, names: Sequence[str], features: Sequence[str]) -> Floats:
        """How likely the model would choose each action, given as JSON."""
        row = self.contexts.encode([self.contexts.read(context)])[0]
        scores = np.empty(len(names))
        plain, items = self._sorted(names, features)
        if plain:
            scores[plain] = self.plain.scores(row, [names[place] for place in plain])
        if items:
            read = [self.actions.read(features[place], names[place]) for place in items]
            ids = [names[place] for place in items]
            scores[items] = self.items.decide(row, self.actions.encode(read), ids=ids).scores
        best = scores == scores.max()
        chances: Floats = best / best.sum()
        return chances

    def prepare(self) -> None:
        """Do what learning a few entries more may need and takes long."""
        self.plain.prepare()

    def learn(self, entry: Entry) -> None:
        """Take in a closed event: first its columns and scales, then the reward."""
        row = self.contexts.encode([self.contexts.learn(entry.context)])[0]
        if self._is_plain(entry.name, entry.features):
            self.plain.learn(row, entry.name, entry.reward)
            return
        action = self.actions.encode([self.actions.learn(entry.features, entry.name)])[0]
        self.items.learn(row, action, entry.reward, id=entry.name)

    def _sorted(self, names: Sequence[str], features: Sequence[str]) -> tuple[list[int], list[int]]:
        """Places of those that are valued as names, and of those that are valued as items."""
        plain: list[int] = []
        items: list[int] = []
        for place, each in enumerate(zip(names, features, strict=True)):
            (plain if self._is_plain(*each) else items).append(place)
        return plain, items

    def _is_plain(self, name: str, features: str) -> bool:
        return features == NO_FEATURES and self.plain.takes(name)
