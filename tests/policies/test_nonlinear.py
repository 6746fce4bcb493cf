"""A problem no line can solve: which of two arms pays depends on whether two signs agree."""

import numpy as np
import pytest

from hybandit import make_policy

CAPABLE = {
    "kernel-ucb": 400,
    "kernel-ts": 400,
    "neural-ucb": 600,
    "neural-ts": 600,
    "neural-epsilon-greedy": 600,
    "bootstrap-nn": 600,
    "neural-linear": 600,
    "npr": 600,
    "neural-bandit": 3000,
}


def share_of_right_choices(name, rounds, last=200):
    generator = np.random.default_rng(0)
    policy = make_policy(name, 2, 2, seed=0)
    right = []
    for x in generator.choice([-1.0, 1.0], (rounds, 2)) / np.sqrt(2.0):
        arm = policy.choose(x)
        right.append(arm == int(x[0] == x[1]))
        policy.learn(x, arm, float(right[-1]))
    return np.mean(right[-last:])


@pytest.mark.parametrize(("name", "rounds"), CAPABLE.items())
def test_it_is_solved(name, rounds):
    assert share_of_right_choices(name, rounds) > 0.9


def test_a_linear_policy_fails_at_it():
    assert share_of_right_choices("lin-ucb", 600) < 0.7
