"""What moved a decision: how much each feature adds to the model's value of what was shown."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from hybandit.features.records import canonical
from hybandit.loop.storage.contract import Event
from hybandit.notebook import card
from hybandit.state import Floats

# Of the context and of the action, so many features are left out in turn.
MOST = 40
CONTEXT, ACTION = "context", "action"
# The values that a model gives to actions: a context, names, and their features, all as JSON.
Values = Callable[[str, Sequence[str], Sequence[str]], Floats]


@dataclass(frozen=True)
class Part:
    """A feature of the context or of the action: its value, and by how much it moves the model's.

    `effect` is the model's value of the action less the one that it would have without the feature.
    """

    part: str
    feature: str
    value: Any
    effect: float


@dataclass(frozen=True)
class Candidate:
    """An action that could be shown: its features, its chance then, and the model's value now."""

    action: str
    features: dict[str, Any]
    probability: float
    value: float


@dataclass(frozen=True, repr=False)
class Parts:
    """What the model of this process makes of a decision, which another version may have made.

    Values are expected rewards, with some policies plus a bonus for what is little known.

    Attributes
    ----------
    action
        What was shown, with the `value` that the model gives to it.
    decided, version
        The version that decided, and the one that is asked here.
    parts
        The features, the one that moves most first.
    candidates
        All actions that were offered, the one with the largest value first.
    preferred, baseline
        What the model thought best when it decided, and what would be shown without a loop.
    """

    action: str
    value: float
    decided: int
    version: int
    parts: tuple[Part, ...]
    candidates: tuple[Candidate, ...]
    preferred: str
    baseline: str

    def __repr__(self) -> str:
        told = "".join(f", {each.feature} {each.effect:+.4g}" for each in self.parts[:1])
        return f"Parts({self.action!r}, value={self.value:.4g}{told}; version={self.version})"

    def _repr_html_(self) -> str:
        rows = [(each.feature, each.part, each.value, f"{each.effect:+.4g}") for each in self.parts]
        told = f"Its value is {self.value:.4g}, by version {self.version:,} of the model."
        told += " Without a feature it would be lower by the effect of that feature."
        heads = ["feature", "of the", "here", "effect"]
        return card(f"What moved {self.action}", told=[told], heads=heads, rows=rows)

    @classmethod
    def of(cls, event: Event, values: Values, version: int) -> Parts:
        """The parts of a decision, by a model's `values`."""
        context, features = json.loads(event.context), list(map(json.loads, event.features))
        found = values(event.context, event.names, event.features).tolist()
        name, own, value = event.names[event.choice], features[event.choice], found[event.choice]

        def without(part: str, feature: str) -> float:
            known = context if part == CONTEXT else own
            left = canonical(part, {key: each for key, each in known.items() if key != feature})
            whole = event.context, event.features[event.choice]
            asked = (left, whole[1]) if part == CONTEXT else (whole[0], left)
            return float(values(asked[0], [name], [asked[1]])[0])

        parts = [
            Part(part, feature, known[feature], value - without(part, feature))
            for part, known in ((CONTEXT, context), (ACTION, own))
            for feature in list(known)[:MOST]
        ]
        candidates = map(Candidate, event.names, features, event.probabilities, found)
        return cls(
            name, value, event.version, version,
            tuple(sorted(parts, key=lambda each: -abs(each.effect))),
            tuple(sorted(candidates, key=lambda each: -each.value)),
            event.names[event.preferred], event.names[event.baseline],
        )  # fmt: skip
