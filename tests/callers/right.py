"""What a user writes, and both type checkers must accept."""

from pathlib import Path

import numpy as np

import hybandit
from hybandit import LNUCBTA, UCB, InvalidInput, LinUCB, StackedHybrid
from hybandit.policies import Decision

positional = LNUCBTA(3, 4)
by_name = StackedHybrid(n_arms=3, n_features=4, memory=hybandit.window(500), forget=0.998)
without_contexts: UCB = UCB(3, rho=1.5, ties="first", seed=1)
numpy_sizes = LinUCB(int(np.int64(3)), 4, alpha=0.5)


def serve(policy: hybandit.Policy, context: list[float]) -> tuple[int, float]:
    decision: Decision = policy.decide(context, eligible=[True, True, False])
    policy.learn(context, decision.arm, reward=1.0)
    return decision.arm, decision.probability


def keep(policy: hybandit.Policy, path: Path) -> hybandit.Policy:
    policy.save(path)
    try:
        return hybandit.load(path)
    except hybandit.ModelFileError:
        return hybandit.make_policy("lin-ucb", 3, 4, alpha=2.0)


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
