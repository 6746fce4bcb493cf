"""What a loop learns with: encoders for contexts and actions, and the model behind them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from hybandit.features import HashingEncoder
from hybandit.loop.storage import Entry
from hybandit.state import Array, Floats


class Model(Protocol):
    """Weighs actions given as vectors, and learns from one reward at a time.

    What it says must depend on what it has learned and on its arguments alone.
    """

    def probabilities(self, context: Floats, actions: Floats, names: Sequence[str]) -> Floats:
        """How likely it would choose each action, one row of `actions` each."""

    def learn(self, context: Floats, action: Floats, reward: float, name: str) -> None:
        """Take in the reward of an action."""

    def state(self) -> dict[str, Array]:
        """All that it has learned, as arrays. Not copies."""

    def restore(self, arrays: dict[str, Array]) -> None:
        """Take over what `state` of an equal model gave."""


class ItemModel:
    """`ItemHybrid` as a loop's model."""

    def __init__(self, settings: dict[str, Any]) -> None:
        from hybandit.policies.item_hybrid import ItemHybrid

        self._policy = ItemHybrid(settings["context_width"], settings["action_width"], seed=0)

    def probabilities(self, context: Floats, actions: Floats, names: Sequence[str]) -> Floats:
        chances: Floats = self._policy.decide(context, actions, ids=names).probabilities
        return chances

    def learn(self, context: Floats, action: Floats, reward: float, name: str) -> None:
        self._policy.learn(context, action, reward, id=name)

    def state(self) -> dict[str, Array]:
        arrays: dict[str, Array] = self._policy.state()
        return arrays

    def restore(self, arrays: dict[str, Array]) -> None:
        self._policy.restore(arrays)


class Learner:
    """The fold's state: what has been learned from the journal up to a position."""

    def __init__(self, settings: dict[str, Any], model: Model) -> None:
        self.contexts = HashingEncoder(settings["context_width"])
        self.actions = HashingEncoder(settings["action_width"])
        self.model = model

    def probabilities(self, context: str, names: Sequence[str], features: Sequence[str]) -> Floats:
        """How likely the model would choose each action, given as JSON."""
        read = [self.actions.read(text, name) for text, name in zip(features, names, strict=True)]
        row = self.contexts.encode([self.contexts.read(context)])[0]
        return self.model.probabilities(row, self.actions.encode(read), names)

    def learn(self, entry: Entry) -> None:
        """Take in a closed event: first the scales of its numbers, then the reward."""
        context = self.contexts.read(entry.context)
        action = self.actions.read(entry.features, entry.name)
        self.contexts.learn(context)
        self.actions.learn(action)
        rows = self.contexts.encode([context])[0], self.actions.encode([action])[0]
        self.model.learn(*rows, entry.reward, entry.name)

    def state(self) -> dict[str, Array]:
        """Every array by its path. Not copies."""
        return {
            f"{name}/{path}": array
            for name, part in self._parts().items()
            for path, array in part.state().items()
        }

    def restore(self, arrays: dict[str, Array]) -> None:
        """Take over what `state` of an equal learner gave."""
        for name, part in self._parts().items():
            own = {path: array for path, array in arrays.items() if path.startswith(f"{name}/")}
            part.restore({path.removeprefix(f"{name}/"): array for path, array in own.items()})

    def _parts(self) -> dict[str, HashingEncoder | Model]:
        return {"contexts": self.contexts, "actions": self.actions, "model": self.model}
