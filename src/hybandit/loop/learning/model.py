"""The model of a loop: encoders, and a policy for each kind of action."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from hybandit.errors import InvalidInput, LearningError, ModelFileError, Unquoted, with_line
from hybandit.estimators.index import TreeIndex, tree_from
from hybandit.features import HashingEncoder
from hybandit.loop.learning.items import EncodedItems
from hybandit.loop.learning.names import NamedArms
from hybandit.loop.newcomers import EVERYONE, NEWCOMERS
from hybandit.loop.policy import DEFAULT, DEFAULT_POLICIES, LoopPolicy
from hybandit.loop.storage.contract import LEARN, NO_FEATURES, Entry
from hybandit.state import Flags, Floats, Stateful
from hybandit.validation import checks
from hybandit.validation.settings import Rule

# How many rewards a model from elsewhere must survive.
TRIED = 100


class LoopModel(Stateful):
    """The model after learning the journal up to a position.

    A policy of arms values names, a policy of items all actions. The default has both: if all
    offered actions are names without features, and `NamedArms` has arms for them, it values
    them; otherwise `EncodedItems` does, with the name as one more feature. Its policy learns
    every event, except that it starts only when an action with features is learned.

    The answers depend only on the journal and the arguments.
    """

    _children: ClassVar[tuple[str, ...]] = ("contexts", "names", "items")

    def __init__(self, settings: dict[str, Any], policy: str | None = None) -> None:
        self.policy = settings["policy"] if policy is None else policy
        self.rewards: Rule = checks.ANY_REWARD
        self.contexts = HashingEncoder(settings["context_width"])
        self.names: NamedArms | None = None
        self.items: EncodedItems | None = None
        for text in DEFAULT_POLICIES if self.policy == DEFAULT else (self.policy,):
            part = LoopPolicy(text, settings)
            self.rewards = part.kind.rewards
            if part.is_for_items:
                self.items = EncodedItems(part.made())
            else:
                self.names = NamedArms(part.made)

    def probabilities(
        self,
        context: str,
        names: Sequence[str],
        features: Sequence[str],
        newcomers: float = NEWCOMERS,
        judged: Flags = EVERYONE,
    ) -> Floats:
        """How likely the model would choose each action, given as JSON.

        `newcomers` bounds what is unknown or not `judged` (`hybandit.loop.newcomers`).
        """
        row = self.contexts.encode([self.contexts.read(context)])[0]
        if self.names is not None and all(map(self._is_arm, names, features)):
            return self.names.probabilities(row, names, newcomers, judged)
        if self.items is None:
            raise _no_features(self.policy, features)
        return self.items.probabilities(row, names, features, newcomers, judged)

    def values(self, context: str, names: Sequence[str], features: Sequence[str]) -> Floats:
        """What the model thinks of each action, given as JSON: expected rewards, or scores."""
        row = self.contexts.encode([self.contexts.read(context)])[0]
        if self.names is not None and all(map(self._is_arm, names, features)):
            return self.names.values(row, names)
        if self.items is None:
            raise _no_features(self.policy, features)
        return self.items.values(row, names, features)

    @property
    def changed(self) -> int | None:
        """So many rewards ago what people choose seems to have changed; None: it does not."""
        policy = None if self.items is None else self.items.policy
        changed: int | None = getattr(policy, "changed", None)
        return changed

    def prepare(self) -> None:
        """Compile what a larger memory will need; this is slow, so call it without the lock."""
        names = self.names
        if names is None or not hasattr(names.policy, "memory"):
            return
        if 2 * names.learned >= tree_from(self.contexts.width):
            TreeIndex.compiled()

    def check(self, entry: Entry) -> None:
        """Refuse what the policy cannot learn as it is: features, or rewards beyond its limits."""
        if self.items is None and entry.features != NO_FEATURES:
            raise _no_features(self.policy, [entry.features])
        if not self.rewards.holds(entry.reward):
            rule = (
                f"a policy that takes all rewards so far; {self.policy} takes {self.rewards.text}"
            )
            raise InvalidInput("policy", rule, entry.reward)

    def learn(self, entry: Entry) -> None:
        """Learn a closed event: first its columns and scales, then the reward.

        A policy of arms learns the name alone, and a reward beyond the limits of a policy is
        learned as the nearest within them.
        """
        row = self.contexts.encode([self.contexts.learn(entry.context)])[0]
        is_arm = self._is_arm(entry.name, entry.features)
        if self.names is not None and (is_arm or self.items is None):
            self.names.learn(row, entry.name, entry.reward)
        if self.items is not None and (self.items.learned[0] or not is_arm):
            self.items.learn(row, entry.name, entry.features, entry.reward)

    def try_out(self) -> None:
        """Learn made-up rewards, and raise an error if the model of a file is ruined by them.

        For models from elsewhere: each number of theirs may be allowed and all together not.
        The model is of no use afterwards.
        """
        names = [*(self.names.known() if self.names is not None else ()), "tried"]
        both = self.items is not None
        with np.errstate(all="ignore"):
            for turn in range(TRIED):
                name = names[turn % len(names)]
                features = f'{{"tried":{turn % 5}}}' if both and turn % 2 else NO_FEATURES
                context, reward = f'{{"tried":{turn % 7}}}', float(turn % 3 == 0)
                entry = Entry(turn, LEARN, 0.0, None, context, name, features, reward)
                self._check_trial(entry, last=turn == TRIED - 1)

    def _check_trial(self, entry: Entry, *, last: bool) -> None:
        try:
            self.learn(entry)
            chances = self.probabilities(entry.context, [entry.name, "other"], [entry.features] * 2)
            holds = bool(np.isfinite(chances).all()) and chances.min() >= 0.0 < chances.sum()
            if last:
                floats = [array for array in self.state().values() if array.dtype.kind == "f"]
                holds = holds and all(np.isfinite(array).all() for array in floats)
        except Exception as error:
            raise ModelFileError(f"the model cannot learn: {error}") from error
        if not holds:
            raise ModelFileError("the model holds numbers that ruin it when it learns")

    def explained(
        self, context: str, features: str, name: str
    ) -> list[tuple[str, str, int | None, float]]:
        """Part, feature, column and value for everything in a context and an action."""
        told = [("context", *line) for line in self.contexts.explain(context)]
        if self.items is not None:
            told += [("action", *line) for line in self.items.encoder.explain(features, name)]
        return told

    def _is_arm(self, name: str, features: str) -> bool:
        """Whether an action is valued as an arm; a policy of arms alone values all names so."""
        if self.names is None or features != NO_FEATURES:
            return False
        return self.items is None or self.names.takes(name)


def teach(model: LoopModel, entry: Entry) -> None:
    """Let a model learn an entry of the journal; its policy may be somebody's own, and fail."""
    try:
        model.learn(entry)
    except Exception as error:
        told = f"cannot learn entry {entry.position}: {with_line(error)}"
        if ":" in model.policy:
            told += (
                f"; if {model.policy} was edited since the loop was made, that may be why: mend it "
                "and open the loop again, or switch to another policy"
            )
        raise LearningError(told) from error


def _no_features(policy: str, features: Sequence[str]) -> InvalidInput:
    rule = (
        f"names without features, as the policy {policy} chooses among arms; for features, make "
        "the loop with a policy of items, such as policy='item-hybrid', or switch to one"
    )
    return InvalidInput(
        "actions", rule, Unquoted(next(each for each in features if each != NO_FEATURES))
    )
