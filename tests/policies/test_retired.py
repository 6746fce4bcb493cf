"""What is left of arms that were retired."""

import numpy as np
import pytest

import hybandit

# Whose decisions draw nothing but ties, and depend on the arms that are left alone.
PLAIN = {
    "ucb": {},
    "kl-ucb": {},
    "lin-ucb": {},
    "lin-ucb fading": {"forget": 0.9},
    "lnucb-ta": {"k_max": 50},
    "lin-knn-ucb": {"memory": "window(3)"},
    "kernel-ucb": {},
}


def made(name, n_arms, **settings):
    return hybandit.make_policy(name.split()[0], n_arms, 3, **{"seed": 0, **settings})


def size(policy):
    return sum(array.nbytes for array in policy.state().values())


@pytest.mark.parametrize("name", [name for name in PLAIN if "fading" not in name])
def test_a_policy_is_as_if_it_had_never_had_the_arm(name):
    generator = np.random.default_rng(1)
    whole, fresh = made(name, 5, **PLAIN[name]), made(name, 4, **PLAIN[name])
    for number, x in enumerate(generator.normal(size=(60, 3))):
        arm, reward = number % 5, float(generator.random() < 0.2 * (number % 5))
        whole.learn(x, arm, reward)
        if arm != 2:
            fresh.learn(x, arm - (arm > 2), reward)
    whole.retire_arm(2)
    others = np.delete(np.arange(5), 2)
    for x in generator.normal(size=(10, 3)):
        np.testing.assert_array_equal(whole.decide(x).scores[others], fresh.decide(x).scores)
        arm = whole.choose(x)
        assert arm == others[fresh.choose(x)]
        whole.learn(x, arm, 1.0)
        fresh.learn(x, int(np.flatnonzero(others == arm)[0]), 1.0)


@pytest.mark.parametrize("name", ["ucb", "lin-ucb", "knn-ucb"])
def test_two_thousand_arms_come_and_go_among_twenty(name, tmp_path):
    policy = made(name, 20)
    file = tmp_path / "policy.npz"
    for number in range(2000):
        policy.learn([0.1, 0.2, 0.3], policy.add_arm(), 1.0)
        policy.retire_arm(number)
        if number == 20:
            policy.save(file)
            early = size(policy), file.stat().st_size
    policy.save(file)
    assert size(policy) == early[0]
    assert file.stat().st_size <= early[1] + 256
    assert policy.active.sum() == 20
    assert hybandit.load(file).choose([1.0, 0.0, 0.0]) >= 2000


def test_contexts_of_each_arm_and_masks_go_by_number():
    policy = made("lin-ucb", 4, ties="first")
    rows = np.eye(3)[[0, 1, 2, 0]]
    policy.learn(rows, 3, 1.0)
    policy.retire_arm(1)
    assert policy.choose(rows) == 3
    decision = policy.decide(rows)
    assert decision.arm == 3
    assert decision.scores[1] == -np.inf
    assert policy.choose(rows, eligible=[True, True, True, False]) == 0
    assert policy.choose_many([rows, rows]).tolist() == [3, 3]
    np.testing.assert_array_equal(policy.score_many([rows])[0], decision.scores)
    policy.learn(rows, 3, 1.0)
    assert policy.decide(rows).scores[3] != decision.scores[3]


def test_a_context_of_a_retired_arm_is_not_looked_at():
    policy = made("lin-ucb", 2)
    policy.retire_arm(0)
    rows = np.array([[np.nan] * 3, [1.0] * 3])
    assert policy.choose(rows) == 1
    assert policy.choose_many(rows[None]).tolist() == [1]
    for wrong in (rows[::-1].copy(), rows[::-1].tolist()):
        with pytest.raises(hybandit.InvalidInput, match="finite numbers"):
            policy.choose(wrong)


def test_the_state_of_a_policy_with_retired_arms_suits_a_new_one():
    policy, fresh = made("lnucb-ta", 4), made("lnucb-ta", 4)
    for arm in range(4):
        policy.learn([1.0, 0.0, 0.5], arm, float(arm))
    policy.retire_arm(2)
    fresh.restore(policy.state())
    assert fresh.active.tolist() == [True, True, False, True]
    x = [0.3, 0.2, 0.1]
    np.testing.assert_array_equal(fresh.decide(x).scores, policy.decide(x).scores)
