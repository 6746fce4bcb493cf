"""How far it is from a call to its answer: bases of the policies, and functions called on the way.

    python -m benchmarks.walks [--calls]

Printed: how many bases every policy has besides `object`, and how many functions of hybandit,
kernels and generators included, one `choose`, one `learn` and one `Loop.rank` of items call
(`sys.setprofile`). `--calls` prints their names too.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np

import hybandit
from hybandit.policies import find_policy, policy_names

HOME = str(Path(hybandit.__file__).parent)
ROUNDS, ARMS, FEATURES = 300, 5, 8
# In seconds: more than the age that a loop's counts may have.
PAUSE = 0.5


def walked(call):
    """The functions of hybandit that a call runs, in order."""
    calls = []

    def note(frame, event, _):
        place = frame.f_code.co_filename
        if event == "call" and place.startswith(HOME):
            calls.append(f"{Path(place).stem}.{frame.f_code.co_name}")

    sys.setprofile(note)
    try:
        call()
    finally:
        sys.setprofile(None)
    return calls


def of_policy(name):
    generator = np.random.default_rng(0)
    policy = hybandit.make_policy(name, ARMS, FEATURES, seed=0)
    for _ in range(ROUNDS):
        context = generator.normal(size=FEATURES) / np.sqrt(FEATURES)
        policy.learn(context, policy.choose(context), float(generator.random() < 0.5))
    context = generator.normal(size=FEATURES) / np.sqrt(FEATURES)
    yield f"{name}.choose", walked(lambda: policy.choose(context))
    yield f"{name}.learn", walked(lambda: policy.learn(context, 0, 1.0))


def through_the_tree():
    """A choice of StackedHybrid that a tree of its past answers."""
    generator = np.random.default_rng(0)
    groups = generator.normal(size=(10, FEATURES))
    policy = hybandit.StackedHybrid(10, FEATURES, seed=0)
    for number in range(6_000):
        context = groups[number % 10] + 0.1 * generator.normal(size=FEATURES)
        arm = (number + (number // 10) % 2) % 10
        policy.learn(context, arm, float(arm == number % 10))
    index = policy._stack.memory.index
    index._back_off.rest = 0
    assert index.by_tree
    yield "stacked-hybrid.choose, by a tree", walked(lambda: policy.choose(groups[-1]))


def of_loop():
    """The example at the top of docs/loop.md, and the same with an action that nobody has seen."""
    context = {"age": 34, "town": "Ulm"}
    articles = {"cup-final": {"topic": "sport"}, "budget": {}}
    with (
        tempfile.TemporaryDirectory() as folder,
        hybandit.Loop(f"{folder}/loop.db", wait=None) as loop,
    ):
        # The one with features first: what is learned before is learned by names alone.
        for other in ("budget", "cup-final"):
            decision = loop.rank(context, articles, exclude=[other])
            loop.reward(decision.event, 1.0)
        loop.wait_for()
        time.sleep(PAUSE)
        # Now and then the clock or a new version of the model adds a few calls.
        # In a thread: for the main thread, which signals interrupt, another one does the work.
        for title, offer in (("", articles), (", an action is new", {**articles, "derby": {}})):
            with ThreadPoolExecutor(1) as thread:
                ranks = [
                    thread.submit(walked, lambda offer=offer: loop.rank(context, offer))
                    for _ in range(9)
                ]
            yield f"Loop.rank{title}", min((rank.result() for rank in ranks), key=len)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--calls", action="store_true", help="also print what is called")
    options = parser.parse_args()
    bases = {name: len(find_policy(name).__mro__) - 2 for name in policy_names()}
    for name in sorted(bases, key=lambda name: (-bases[name], name)):
        print(f"{bases[name]:4} bases   {name}")
    for walks in (
        of_policy("lnucb-ta"),
        of_policy("stacked-hybrid"),
        through_the_tree(),
        of_loop(),
    ):
        for name, calls in walks:
            print(f"{len(calls):4} calls   {name}")
            if options.calls:
                print(*(f"           {each}" for each in calls), sep="\n")


if __name__ == "__main__":
    main()
