"""A problem no line can solve: points on a circle, opposite quarters pay for the same arm."""

import numpy as np
import pytest

from hybandit import make_policy

CAPABLE = {
    "kernel-ucb": 400,
    "kernel-ts": 600,
    "neural-ucb": 800,
    "neural-ts": 800,
    "neural-epsilon-greedy": 800,
    "bootstrap-nn": 600,
    "neural-linear": 600,
    "npr": 800,
    "neural-bandit": 4000,
}


def share_of_right_choices(name, rounds, last=200):
    policy = make_policy(name, 2, 2, seed=0)
    right = []
    for angle in np.random.default_rng(0).uniform(0.0, 2.0 * np.pi, rounds):
        x = np.array([np.cos(angle), np.sin(angle)])
        arm = policy.choose(x)
        right.append(arm == int(x[0] * x[1] > 0))
        policy.learn(x, arm, float(right[-1]))
    return np.mean(right[-last:])


@pytest.mark.parametrize(("name", "rounds"), CAPABLE.items())
def test_it_is_solved(name, rounds):
    assert share_of_right_choices(name, rounds) > 0.9


def test_a_linear_policy_fails_at_it():
    assert share_of_right_choices("lin-ucb", 800) < 0.6
