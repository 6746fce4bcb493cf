"""Plays runs, one JSON line each from standard input, with whatever hybandit it finds.

Started by `benchmarks.noise`, for today's code and for an older checkout alike.
"""

from __future__ import annotations

import hashlib
import json
import resource
import sys
import time

import numpy as np
from worlds import world

import hybandit
from hybandit.datasets import find_dataset
from hybandit.environments import Replay, play
from hybandit.features import unit_rows


def without(parts):
    """Let StackedHybrid's stack lack some of ``mean``, ``intercept`` and ``stiff``."""
    from hybandit.estimators import stack
    from hybandit.kernels.stack import MEAN, STIFF
    from hybandit.policies import stacked_hybrid

    columns = [MEAN] * ("mean" in parts) + [STIFF, STIFF + 1] * ("stiff" in parts)
    stack.INTERCEPT = 0.0 if "intercept" in parts else 0.5

    class Less(stack.Stack):
        def _view(self, contexts):
            view = super()._view(contexts)
            view.features[:, columns] = 0.0
            return view

    stacked_hybrid.Stack = Less if columns else stack.Stack


def made(task, n_arms, n_features):
    settings = {"seed": task["seed"], **task["settings"]}
    return hybandit.make_policy(task["policy"], n_arms, n_features, **settings)


def played(task):
    contexts, rewards, means = world(task["world"], task["seed"])
    n_arms, n_features = rewards.shape[1], contexts.shape[1]
    if task.get("constant"):
        contexts = np.c_[contexts, np.ones(len(contexts))]
        n_features += 1
    policy = made(task, n_arms, n_features)
    arms = np.empty(len(contexts), np.int64)
    start = time.process_time()
    for number, (context, row) in enumerate(zip(contexts, rewards, strict=True)):
        arms[number] = arm = policy.choose(context)
        policy.learn(context, arm, row[arm])
    seconds = time.process_time() - start
    earned = means[np.arange(len(arms)), arms]
    return {
        "regret": float((means.max(axis=1) - earned).sum()),
        "share": float(earned.mean() / means.mean(axis=0).max()),
        "oracle": float(means.max(axis=1).mean() / means.mean(axis=0).max()),
        "seconds": seconds,
        "rounds": len(arms),
        "choices": hashlib.sha256(arms.tobytes()).hexdigest(),
        "bytes": int(sum(array.nbytes for array in policy.state().values())),
        "peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024,
    }


def replayed(task):
    """The news log, by replay: ``news shared``, of unit length, or ``news raw``, a row each arm."""
    log = find_dataset("news").load()
    features, contexts = log.features, "arm"
    if task["world"] == "news shared":
        flat = unit_rows(features.reshape(len(features), -1))
        features, contexts = flat.reshape(features.shape), "shared"
    environment = Replay(log.arms, log.rewards, features, contexts=contexts, matches=800)
    outcome = play(made(task, environment.n_arms, environment.n_features), environment)
    return {"regret": 800 - outcome.reward, "seconds": outcome.seconds, "rounds": 800}


def main():
    for line in sys.stdin:
        task = json.loads(line)
        if "without" in task:
            without(task["without"])
        found = replayed(task) if task["world"].startswith("news") else played(task)
        print(json.dumps(found), flush=True)


if __name__ == "__main__":
    main()
