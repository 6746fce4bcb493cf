"""What a user writes, and both type checkers must accept."""

from pathlib import Path

import numpy as np

import hybandit
from hybandit import LNUCBTA, UCB, InvalidInput, ItemHybrid, LinUCB, StackedHybrid
from hybandit.policies import Decision, ItemDecision

positional = LNUCBTA(3, 4)
by_name = StackedHybrid(n_arms=3, n_features=4, memory=hybandit.window(500), forget=0.998)
without_contexts: UCB = UCB(3, rho=1.5, ties="first", seed=1)
numpy_sizes = LinUCB(int(np.int64(3)), 4, alpha=0.5, explore=0.05)
named = LinUCB(arms=["a", "b"], n_features=4)
named_without_contexts = UCB(arms=("a", "b"))
among_items = ItemHybrid(4, 2, explore="gap", max_items=1000)


def serve(policy: hybandit.ArmPolicy, context: list[float]) -> tuple[int, float]:
    decision: Decision = policy.decide(context, eligible=[True, True, False])
    policy.learn(context, decision.arm, reward=1.0)
    return decision.arm, decision.probability


def serve_by_name(context: list[float]) -> str | None:
    decision = named.decide(context, eligible={"a", "b"})
    named.learn(context, "a", 1.0)
    named.learn_many([context], ["a"], [1.0])
    named.retire_arm("a" if named.add_arm("c") == 2 else 0)
    return decision.name


def serve_items(context: list[float], items: list[list[float]]) -> dict[str, object]:
    decision: ItemDecision = among_items.decide(context, items, ids=["a", 2])
    among_items.learn(context, items[decision.index], 1.0, id="a")
    return decision.to_dict()


def keep(policy: hybandit.Policy, path: Path) -> hybandit.Policy:
    policy.save(path)
    try:
        kept: hybandit.Policy = hybandit.load(path)
    except hybandit.ModelFileError:
        kept = hybandit.make_policy("lin-ucb", 3, 4, alpha=2.0)
    return kept


def rooms() -> list[object]:
    return [hybandit.datasets.DATASETS, hybandit.estimators.Ridge, hybandit.policies.policy_names()]


class Curious(hybandit.ContextualPolicy):
    """A class of one's own takes the sizes and the shared settings."""


def refused() -> InvalidInput | None:
    try:
        Curious(2, n_features=3, seed=0)
    except InvalidInput as error:
        return error
    return None
