"""How the conformance suite plays the two kinds of policies: of arms, and of items."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from hybandit.policies import ArmPolicy, ContextualPolicy, ItemPolicy, Policy
from hybandit.state import Floats

ARMS, FEATURES = 4, 5
CONTEXT, ITEM = 3, 2
WRONG_REWARDS: list[Any] = [
    np.nan, np.inf, -np.inf, "1", None, 1e300, np.timedelta64(1, "s"), np.ma.masked,
]  # fmt: skip
Call = Callable[[], object]
Question = dict[str, Any]


class ArmDriver:
    """Policies of arms."""

    def new(self, kind: type[Policy], seed: int, settings: dict[str, Any]) -> Any:
        sizes: dict[str, Any] = {"n_arms": ARMS}
        if issubclass(kind, ContextualPolicy):
            sizes["n_features"] = FEATURES
        if "arms" in settings:
            del sizes["n_arms"]
        return kind(**sizes, **{"seed": seed, **settings})

    def questions(self, count: int, seed: int = 0) -> list[Question]:
        """Arguments of `choose`, the same each time."""
        return [{"context": row} for row in random_contexts(count, FEATURES, seed)]

    def lesson(self, question: Question, chosen: int) -> Question:
        """Arguments of `learn`, all but the reward."""
        return {"context": question["context"], "arm": chosen}

    def together(self, questions: list[Question]) -> Question:
        """Arguments of `choose_many`."""
        return {"contexts": np.array([question["context"] for question in questions])}

    def lessons(self, lessons: list[Question]) -> Question:
        """Arguments of `learn_many`, all but the rewards."""
        return {
            "contexts": [lesson["context"] for lesson in lessons],
            "arms": [lesson["arm"] for lesson in lessons],
        }

    def chosen(self, decision: Any) -> int:
        arm: int = decision.arm
        return arm

    def candidates(self, question: Question) -> int:
        """How many may be chosen from."""
        return ARMS

    def extreme(self, size: float, generator: np.random.Generator) -> Question:
        """A question with numbers of this size."""
        return {"context": generator.choice([-size, 0.0, size], FEATURES)}

    def bad_calls(self, policy: ArmPolicy) -> list[Call]:
        """Calls that must be refused; may first change the policy."""
        policy.retire_arm(ARMS - 1)
        x = random_contexts(1, FEATURES)[0]
        contextual = isinstance(policy, ContextualPolicy)
        good: Any = x if contextual else None
        wrong_arms: list[Any] = [
            -1, ARMS, 1.5, "0", None, True, np.array(0), np.timedelta64(0, "s"),
        ]  # fmt: skip
        wrong_masks: list[Any] = [
            [False] * ARMS, [False] * (ARMS - 1) + [True], [True], [1, 0, 2, 1], "name", ["name"],
            np.ma.masked_array([True] * ARMS, [True] + [False] * (ARMS - 1)),
        ]  # fmt: skip
        calls: list[Call] = [
            *[partial(policy.learn, good, arm, 1.0) for arm in wrong_arms],
            *[partial(policy.learn, good, 0, reward) for reward in WRONG_REWARDS],
            *[partial(policy.choose, good, eligible=mask) for mask in wrong_masks],
            lambda: policy.learn_many([good, good], [0, 9], [1.0, 1.0]),
            lambda: policy.learn_many([good, good], [0, 1], [1.0]),
            lambda: policy.retire_arm(ARMS - 1),
            lambda: policy.retire_arm(ARMS),
            lambda: policy.add_arm(*([] if policy.arms else ["name"])),
        ]
        return [*calls, *self._bad_contexts(policy, x)] if contextual else calls

    def _bad_contexts(self, policy: ArmPolicy, x: Floats) -> list[Call]:
        poisoned = _poisoned(x)
        masked = np.ma.masked_array(x, [True] + [False] * (FEATURES - 1))
        wrong: list[Any] = [
            None, "x", [], x[:-1], [x, x], np.tile(x, (ARMS + 1, 1)), x + 1j, masked,
            [masked] * ARMS, [["a"] * FEATURES] * ARMS, *poisoned,
        ]  # fmt: skip
        calls: list[Call] = [
            lambda: policy.choose_many([x[:-1]]),
            lambda: policy.learn_many(poisoned, [0, 0, 0], [1.0, 1.0, 1.0]),
        ]
        for context in wrong:
            calls += [
                partial(policy.choose, context),
                partial(policy.decide, context),
                partial(policy.learn, context, 0, 1.0),
            ]
        return calls

    def disturb(self, policy: ArmPolicy) -> None:
        """Do something that only this kind of policy can do."""
        policy.retire_arm(policy.add_arm())


class ItemDriver:
    """Policies of items, asked in the same way."""

    def new(self, kind: type[Policy], seed: int, settings: dict[str, Any]) -> Any:
        sizes: dict[str, Any] = {"n_context": CONTEXT, "n_item": ITEM}
        return kind(**sizes, **{"seed": seed, **settings})

    def questions(self, count: int, seed: int = 0) -> list[Question]:
        """Three to five candidates out of 12 each; some with ids that are whole numbers."""
        generator = np.random.default_rng(seed + 100)
        catalogue = generator.normal(size=(12, ITEM))
        contexts = random_contexts(count, CONTEXT, seed)
        found = []
        for context in contexts:
            offered = generator.permutation(12)[: generator.integers(3, 6)]
            ids = [int(each) if each % 2 else f"item {each}" for each in offered]
            found.append({"context": context, "items": catalogue[offered], "ids": ids})
        return found

    def lesson(self, question: Question, chosen: int) -> Question:
        return {
            "context": question["context"],
            "item": question["items"][chosen],
            "id": question["ids"][chosen],
        }

    def together(self, questions: list[Question]) -> Question:
        plural = {"contexts": "context", "items": "items", "ids": "ids"}
        return {many: [each[one] for each in questions] for many, one in plural.items()}

    def lessons(self, lessons: list[Question]) -> Question:
        plural = {"contexts": "context", "items": "item", "ids": "id"}
        return {many: [each[one] for each in lessons] for many, one in plural.items()}

    def chosen(self, decision: Any) -> int:
        index: int = decision.index
        return index

    def candidates(self, question: Question) -> int:
        return len(question["items"])

    def extreme(self, size: float, generator: np.random.Generator) -> Question:
        choices = [-size, 0.0, size]
        return {
            "context": generator.choice(choices, CONTEXT),
            "items": generator.choice(choices, (3, ITEM)),
            "ids": ["a", "b", "c"],
        }

    def bad_calls(self, policy: ItemPolicy) -> list[Call]:
        question = self.questions(1)[0]
        context, items, ids = question["context"], question["items"], question["ids"]
        wrong: list[Question] = [
            *[{"context": bad} for bad in (None, "x", [], context[:-1], [context])],
            *[{"context": bad} for bad in _poisoned(context)],
            *[{"items": bad} for bad in (None, [], items[0], items[:, :1], [[1.0], [1.0, 2.0]])],
            *[
                {"items": bad}
                for bad in (np.empty((0, ITEM)), items + 1j, np.ma.masked_less(items, 9))
            ],
            *[{"ids": bad} for bad in (7, "abc", ids[:-1], [ids[0]] * len(ids))],
            *[{"ids": [bad, *ids[1:]]} for bad in (None, 1.0, True, 2**63, ("a",))],
        ]
        good = self.lesson(question, 0)
        many = {"contexts": [context] * 2, "items": items[:2], "rewards": [1.0, 1.0]}
        return [
            *[partial(policy.choose, **{**question, **bad}) for bad in wrong],
            *[partial(policy.decide, **{**question, **bad}) for bad in wrong],
            *[partial(policy.rank, **{**question, **bad}) for bad in wrong],
            *[partial(policy.learn, **good, reward=reward) for reward in WRONG_REWARDS],
            partial(policy.learn, **{**good, "id": 1.5}, reward=1.0),
            partial(policy.learn, **{**good, "item": items}, reward=1.0),
            partial(policy.learn_many, **{**many, "rewards": [1.0, np.nan]}),
            partial(policy.learn_many, **{**many, "rewards": [1.0]}),
            partial(policy.learn_many, **many, ids=["a"]),
            partial(policy.choose_many, [context] * 2, [items, items[:0]]),
            partial(policy.choose_many, [context] * 2, [items]),
            partial(policy.forget_item, 1.5),  # type: ignore[arg-type]
        ]

    def disturb(self, policy: ItemPolicy) -> None:
        policy.forget_item("item 2")


Driver = ArmDriver | ItemDriver


def driver_of(kind: type[Policy]) -> Driver:
    return ItemDriver() if issubclass(kind, ItemPolicy) else ArmDriver()


def play(policy: Any, rounds: int, start: int = 0) -> list[int]:
    """Choose and learn on a fixed stream, in which the third pays best."""
    driver, chosen = driver_of(type(policy)), []
    rewards = random_rewards(start + rounds)[start:]
    questions = driver.questions(start + rounds)[start:]
    for question, luck in zip(questions, rewards, strict=True):
        place = policy.choose(**question)
        chosen.append(place)
        reward = luck * (1.0 if place == 2 else 0.5)
        policy.learn(**driver.lesson(question, place), reward=reward)
    return chosen


def random_contexts(count: int, size: int, seed: int = 0) -> Floats:
    return np.random.default_rng(seed).normal(size=(count, size))


def random_rewards(count: int, seed: int = 0) -> list[float]:
    draws = np.random.default_rng(seed).random(count)
    rewards: list[float] = np.where(draws < 0.5, np.round(draws * 2.0), draws).tolist()
    return rewards


def _poisoned(x: Floats) -> list[Floats]:
    return [np.where(np.arange(len(x)) == 1, bad, x) for bad in (np.nan, np.inf, 1e300)]
