"""The policy of a loop: read from text, checked, and made in the loop's sizes."""

from __future__ import annotations

import json
from typing import Any, ClassVar

import numpy as np

from hybandit.errors import InvalidInput, ModelFileError
from hybandit.policies import (
    ArmPolicy,
    ItemPolicy,
    Policy,
    find_policy,
    make_policy,
    named_settings,
    named_text,
)
from hybandit.policies.base.registry import is_importable, reference_of
from hybandit.state import Array, Stateful, packed_list, unpacked_list
from hybandit.validation.settings import settings_of

# Names without features are arms of the first, all other actions items of the second.
DEFAULT = "default"
DEFAULT_POLICIES = ("stacked-hybrid", "item-hybrid")
# Where new items come for ever, a model grows by some KB with each: the tally of a loop counts no
# more names either.
MOST_ITEMS = 10_000


class LoopPolicy:
    """A policy by its text, such as ``"item-lin-ucb:alpha=0.3"`` or ``"module:Class"``.

    `settings` are those of the loop: its widths are the policy's sizes, and `forget` and, to arms,
    `memory` are passed on, if the policy has them and the text does not say otherwise. A policy of
    items remembers the 10,000 that were learned last, or as many as the text says (`max_items`).

    Examples
    --------
    >>> loop = {"context_width": 4, "action_width": 3, "memory": "window(500)", "forget": None}
    >>> LoopPolicy("item-lin-ucb:alpha=0.3", loop).made()
    ItemLinUCB(n_context=4, n_item=3, seed=0, max_items=10000, alpha=0.3)
    """

    def __init__(self, text: str, settings: dict[str, Any]) -> None:
        name, given = named_settings(text, "policy")
        self.kind = find_policy(name)
        self._name = name if ":" in name else reference_of(self.kind)
        if ":" in self._name and not is_importable(self.kind):
            rule = "a class of a module, which other processes can import: put it into a file"
            raise InvalidInput("policy", rule, self._name)
        self.text = named_text(self._name, dict(sorted(given.items())))
        self.is_for_items = issubclass(self.kind, ItemPolicy)
        self._widths = settings["context_width"], settings["action_width"]
        declared = {entry.name: entry for entry in settings_of(self.kind)}
        for key in given:
            if key == "arms" or (key in declared and not declared[key].kw_only):
                raise InvalidInput("policy", f"without {key!r}, which the loop sets", text)
        if not issubclass(self.kind, (ArmPolicy, ItemPolicy)):
            raise InvalidInput("policy", "a policy of arms or of items", text)
        if settings["forget"] is not None and "forget" not in declared:
            raise InvalidInput("policy", "one with the setting 'forget', as the loop has it", text)
        # The memory of a loop is one of arms; what a policy of items calls so is another.
        shared = ("forget",) if self.is_for_items else ("forget", "memory")
        passed_on = {key: settings[key] for key in shared if key in declared}
        if self.is_for_items:
            passed_on["max_items"] = MOST_ITEMS
        self._given = {"seed": 0, **passed_on, **given}

    def made(self, n_arms: int = 1) -> Any:
        """A new policy; one of items has no `n_arms`."""
        context, action = self._widths
        sizes = (context, action) if self.is_for_items else (n_arms, context)
        return make_policy(self._name, *sizes, **self._given)


class HeldPolicy(Stateful):
    """A policy whose state includes its generator, so that learning goes on bit for bit."""

    _children: ClassVar[tuple[str, ...]] = ("policy",)

    policy: Policy

    def taken(self, reward: float) -> float:
        """The reward as the policy takes it: the nearest within its limits."""
        limits = self.policy.rewards.limits
        return reward if limits is None else float(np.clip(reward, *limits))

    def state(self) -> dict[str, Array]:
        drawn = json.dumps(self.policy.generator_state)
        return {**super().state(), "generator": packed_list([drawn])}

    def restore(self, arrays: dict[str, Array]) -> None:
        super().restore(arrays)
        drawn = unpacked_list("generator", arrays, (str,))
        try:
            self.policy.generator_state = json.loads(drawn[0])
        except (ValueError, TypeError, KeyError, IndexError) as error:
            raise ModelFileError(f"the generator of the model file is damaged: {error}") from error
