import numpy as np
import pytest

from hybandit import LinUCB, make_policy
from hybandit.policies import ArmPolicy, policy_names

CONTEXTS = np.random.default_rng(0).normal(size=(40, 3))


def taught(name, arms):
    policy = make_policy(name, arms, 3, seed=1)
    for number, context in enumerate(CONTEXTS):
        policy.learn(context, number % arms, float(context[number % 3] > 0.0))
    return policy


@pytest.mark.parametrize("name", ["lin-ts", "lnucb-ta", "stacked-hybrid"])
def test_probabilities_are_those_of_decide_and_leave_no_trace(name):
    policy, twin = taught(name, 3), taught(name, 3)
    for context in CONTEXTS[:3]:
        found = policy.probabilities(context, eligible=[True, False, True])
        decision = policy.decide(context, eligible=[True, False, True])
        assert found.tolist() == decision.probabilities.tolist()
        assert decision.arm == twin.decide(context, eligible=[True, False, True]).arm


@pytest.mark.parametrize("name", policy_names(ArmPolicy))
def test_a_removed_arm_is_as_a_retired_one_without_a_number(name):
    retired, removed = taught(name, 4), taught(name, 4)
    retired.retire_arm(1)
    removed.remove_arm(1)
    assert (removed.n_arms, retired.n_arms) == (3, 4)
    chances = retired.probabilities(CONTEXTS[0])
    assert removed.probabilities(CONTEXTS[0]).tolist() == chances[[0, 2, 3]].tolist()
    removed.learn(CONTEXTS[0], removed.add_arm(), 1.0)
    retired.learn(CONTEXTS[0], retired.add_arm(), 1.0)
    assert removed.n_arms == 4
    chances = retired.probabilities(CONTEXTS[1])
    assert removed.probabilities(CONTEXTS[1]).tolist() == chances[[0, 2, 3, 4]].tolist()


def test_names_and_retired_arms_move_up():
    policy = LinUCB(arms=["a", "b", "c", "d"], n_features=3)
    policy.retire_arm("c")
    policy.remove_arm("b")
    assert policy.arms == ["a", "c", "d"]
    assert policy.active.tolist() == [True, False, True]
    policy.remove_arm("c")
    assert (policy.arms, policy.active.tolist()) == (["a", "d"], [True, True])
    policy.learn(CONTEXTS[0], "d", 1.0)
    assert policy.statistics.counts.tolist() == [0.0, 1.0]
    policy.add_arm("b")
    assert policy.choose(CONTEXTS[0], eligible=["b"]) == 2
