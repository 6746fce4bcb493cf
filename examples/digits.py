"""Handwritten digits as a bandit: guess, hear whether it was right, and learn from that alone.

    python examples/digits.py [--rounds N]

Three policies see the same images in the same order. The one without contexts shows what
guessing costs. Takes less than half a minute.
"""

from __future__ import annotations

import argparse

import hybandit
from hybandit.datasets import find_dataset
from hybandit.environments import Classification

POLICIES = {
    "UCB, blind": lambda arms, pixels: hybandit.UCB(arms, seed=0),
    "LinUCB": lambda arms, pixels: hybandit.LinUCB(arms, pixels, seed=0),
    "StackedHybrid": lambda arms, pixels: hybandit.StackedHybrid(arms, pixels, seed=0),
}


def wrong_guesses(make, rounds):
    """How often a policy was wrong, in each tenth of the rounds."""
    table = find_dataset("digits").load()
    world = Classification(table.encoded("unit"), table.labels, seed=0, rounds=rounds)
    policy = make(world.n_arms, world.n_features)
    wrong = [0] * 10
    for number, turn in enumerate(world):
        context = None if isinstance(policy, hybandit.UCB) else turn.context
        arm = policy.choose(context)
        reward = turn.reward(arm)
        policy.learn(context, arm, reward)
        wrong[10 * number // rounds] += reward == 0.0
    return wrong


def main():
    parser = argparse.ArgumentParser(description="Handwritten digits as a bandit.")
    parser.add_argument("--rounds", type=int, default=1797)
    rounds = parser.parse_args().rounds
    print(f"wrong guesses in each tenth of {rounds} rounds")
    for name, make in POLICIES.items():
        wrong = wrong_guesses(make, rounds)
        print(f"{name:14}", *(f"{count:4}" for count in wrong), f"  sum {sum(wrong)}")


if __name__ == "__main__":
    main()
