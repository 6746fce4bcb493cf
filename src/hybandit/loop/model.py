"""What a loop learns with: encoders for contexts and actions, and `ItemHybrid` behind them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from hybandit.features import HashingEncoder
from hybandit.loop.storage import Entry
from hybandit.policies.item_hybrid import ItemHybrid
from hybandit.state import Floats, Stateful


class Learner(Stateful):
    """The fold's state: what has been learned from the journal up to a position.

    What it says depends on what it has learned and on its arguments alone.
    """

    _children: ClassVar[tuple[str, ...]] = ("contexts", "actions", "policy")

    def __init__(self, settings: dict[str, Any]) -> None:
        self.contexts = HashingEncoder(settings["context_width"])
        self.actions = HashingEncoder(settings["action_width"])
        self.policy = ItemHybrid(settings["context_width"], settings["action_width"], seed=0)

    def probabilities(self, context: str, names: Sequence[str], features: Sequence[str]) -> Floats:
        """How likely the policy would choose each action, given as JSON."""
        read = [self.actions.read(text, name) for text, name in zip(features, names, strict=True)]
        row = self.contexts.encode([self.contexts.read(context)])[0]
        return self.policy.decide(row, self.actions.encode(read), ids=names).probabilities

    def learn(self, entry: Entry) -> None:
        """Take in a closed event: first its columns and scales, then the reward."""
        context = self.contexts.learn(entry.context)
        action = self.actions.learn(entry.features, entry.name)
        rows = self.contexts.encode([context])[0], self.actions.encode([action])[0]
        self.policy.learn(*rows, entry.reward, id=entry.name)
