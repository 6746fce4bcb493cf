"""What every policy makes of the same rounds, against a golden file.

After a change of decisions that is meant, which the changelog tells,
``PYTHONPATH=src:tests python tests/policies/test_recorded.py`` writes the file anew: look at what
changed in it. ``python -m tools.reference`` only adds runs that are new, and takes out those of
policies that are gone. `benchmarks/recorded.py` does the same at length, on real data.
"""

import sys
import tempfile
from pathlib import Path

import numpy as np
import pytest
from recordings import block, read, write

from hybandit import load, make_policy
from hybandit.policies import find_policy, policy_names

GOLDEN = Path(__file__).parent / "recorded.txt"
ROUNDS, SAVED, ARMS, FEATURES = 90, 70, 3, 4
UNEVEN = np.array([1.0, 30.0, 1.0, 0.1])
MORE = {
    "beta-thompson": [{"a": 2.0, "b": 3.0}],
    "epsilon-greedy": [{"epsilon": 0.3, "explore": 0.1}],
    "item-hybrid": [{"explore": "gap"}, {"forget": 0.97}],
    "kernel-ucb": [{"max_points": 20}, {"max_points": 20, "beyond": "ignore"}, {"lam": 1.0}],
    "knn-ucb": [{"among": "arm", "max_k": 5}, {"phi": "log"}, {"unit": "raw", "theta": 0.1}],
    "knn-kl-ucb": [{"among": "arm", "phi": 0.0}],
    "lin-knn-ucb": [{"scale": "auto"}, {"k_max": 20}],
    "lin-ucb": [{"rate": "attention", "kappa": 0.2}, {"forget": 0.97, "reg": 0.5}],
    "lin-ts": [{"forget": 0.97}],
    "lnucb-ta": [
        {"weights": "distance", "k_max": 40}, {"rounding": "ceil", "target": "reward"},
        {"gamma": 0.3, "rounding": "nearest", "k_max": 30}, {"memory": "window(15)"},
        {"memory": "reservoir(15)"}, {"forget": 0.97}, {"scale": "auto", "alpha": 10.0},
    ],
    "stacked-hybrid": [
        {"centre": False}, {"scale": "off"}, {"forget": 0.97},
        {"memory": "window(20)"}, {"alpha": 3.0, "explore": 0.2},
    ],
}  # fmt: skip
# Single precision rounds differently on another make of processor, and long training with
# momentum makes much of it: networks are recorded after few and short steps.
BRIEFLY = {"steps": 2, "learning_rate": 0.01, "momentum": 0.0}
NETWORKS = {
    "bootstrap-nn", "neural-bandit", "neural-epsilon-greedy", "neural-linear", "neural-ts",
    "neural-ucb", "npr",
}  # fmt: skip
# Not those of other tests, which register policies too.
OURS = [name for name in policy_names() if find_policy(name).__module__.startswith("hybandit.")]
RUNS = [(name, settings) for name in OURS for settings in ({}, *MORE.get(name, []))]


def label(name, settings):
    return " ".join([name, *(f"{key}={value}" for key, value in settings.items())])


def written(values, digits):
    return " ".join(f"{value + 0.0:.{digits}}" for value in values)


def told(decision, name):
    rough = name in NETWORKS
    scores = written(decision.scores, "2g" if rough else "6g")
    return f"{scores} | {written(decision.probabilities, '1f' if rough else '4f')}"


def reward(context, arm, luck):
    """From 0 to 1, curved, and another for each arm."""
    return float(np.clip(0.5 + 0.4 * np.sin(context @ np.arange(1, 5) + 2 * arm) + luck, 0.0, 1.0))


def saved(policy):
    """The policy as its file has it."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "policy.npz"
        policy.save(path)
        return load(path)


def arms_played(name, settings):
    """Learns of arms drawn at random; an arm comes halfway, another goes; a file in between."""
    brief = BRIEFLY if name in NETWORKS - {"neural-bandit"} else {}
    policy = make_policy(name, ARMS, FEATURES, seed=7, **brief, **settings)
    generator = np.random.default_rng(3)
    units = UNEVEN if "scale" in settings else np.ones(FEATURES)
    for number in range(ROUNDS):
        if number == ROUNDS // 2:
            policy.add_arm()
            policy.retire_arm(1)
        if number == SAVED:
            policy = saved(policy)
        context = generator.normal(size=FEATURES)
        arm = (0, 2, 3)[generator.integers(3)] if number >= ROUNDS // 2 else number % ARMS
        policy.learn(units * context, arm, reward(context, arm, 0.1 * generator.normal()))
    near, far = units * generator.normal(size=(2, FEATURES))
    yield told(policy.decide(near), name)
    yield told(policy.decide(0.2 * far, eligible=[True, False, False, True]), name)
    yield told(policy.decide(units * generator.normal(size=(ARMS + 1, FEATURES))), name)


def items_played(name, settings):
    """Five of twelve items a round, each known by an id."""
    policy = make_policy(name, n_context=FEATURES, n_item=2, seed=7, **settings)
    generator = np.random.default_rng(3)
    shown = generator.normal(size=(12, 2))
    for number in range(ROUNDS):
        if number == SAVED:
            policy = saved(policy)
        context = generator.normal(size=FEATURES)
        ids = generator.choice(12 if number > 30 else 8, size=5, replace=False)
        place = int(generator.integers(5))
        earned = reward(context, int(ids[place]) % 3, 0.1 * shown[ids[place], 0])
        policy.learn(context, shown[ids[place]], earned, id=int(ids[place]))
    for _ in range(3):
        ids = [0, 5, 9, 11, 99]
        items = np.vstack([shown[ids[:-1]], generator.normal(size=2)])
        yield told(policy.decide(generator.normal(size=FEATURES), items, ids=ids), name)


def text_of(name, settings):
    played = items_played if name.startswith("item-") else arms_played
    return block(label(name, settings), played(name, settings))


@pytest.mark.filterwarnings("ignore::hybandit.errors.ScaleWarning")
@pytest.mark.parametrize(("name", "settings"), RUNS, ids=str)
def test_a_policy_makes_of_rounds_what_it_made(name, settings):
    kept = read(GOLDEN).get(label(name, settings), "run: python -m tools.reference")
    assert text_of(name, settings) == kept


if __name__ == "__main__":
    kept = read(GOLDEN) if "--new" in sys.argv else {}
    write(GOLDEN, [kept.get(label(*run)) or text_of(*run) for run in RUNS])
