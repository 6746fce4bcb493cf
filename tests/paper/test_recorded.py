"""Short runs of every kind of task, against a golden file: stored runs rest on them.

After a change that is meant, which raises a results version once one is released,
``PYTHONPATH=src:tests python tests/paper/test_recorded.py`` writes the file anew.
"""

from pathlib import Path
from unittest.mock import patch

import numpy as np
from recordings import block, read, write

from hybandit.datasets import EventLog, Graph
from hybandit.experiments import EnvironmentSpec, environments, item_environments
from hybandit.experiments.environments import make_environment
from hybandit.experiments.tasks import Task, parse_policy
from hybandit.paper import network_exploration

GOLDEN = Path(__file__).parent / "recorded.txt"
DIGITS = {"data": "digits", "rounds": 60}
THEORY = {"check": "simulation", "rounds": 80, "n_arms": 3}
ITEMS = {"rounds": 120, "n_items": 40, "candidates": 4, "n_context": 3, "n_item": 2}
MADE_UP = {"replay", "items-replay", "overheard-replay", "network"}
PROBERS = ("highest-degree", "random-node", "lin-ucb", "knn-epsilon-greedy",
           "attention-knn-epsilon-greedy", "probing-knn-ucb", "lnucb-ta")  # fmt: skip
RUNS = [
    ("classification", DIGITS, "lin-ucb"),
    ("classification", {**DIGITS, "encoding": "online"}, "lnucb-ta"),
    ("classification", {**DIGITS, "rewards": [-1, 3], "probabilities": [0.2, 0.7]}, "lin-ts:v=0.1"),
    ("classification", {**DIGITS, "rounds": 1900}, "ucb"),
    ("classification", DIGITS, "reference-lnucb-ta"),
    ("synthetic", {"kind": "abrupt", "rounds": 80}, "reference-lnucb-ta:neighbours=false"),
    ("synthetic", {"kind": "slow", "rounds": 80, "n_arms": 3, "noise": 0.4}, "lin-ucb"),
    ("theory", {"check": "attention"}, "lnucb-ta"),
    ("theory", THEORY, "lnucb-ta"),
    ("theory", {**THEORY, "rewards": "paper"}, "lnucb-ta"),
    ("theory", {**THEORY, "gamma": 1.0}, "lnucb-ta:gamma=1.0"),
    ("theory", THEORY, "lin-ucb:rate=constant,alpha=2.0"),
    ("theory", THEORY, "lin-ucb:rate=attention"),
    ("items", {"kind": "bilinear", **ITEMS}, "item-lin-ucb"),
    ("items", {"kind": "clusters", **ITEMS}, "item-hybrid"),
    ("items", {"kind": "bilinear", **ITEMS}, "lin-ucb"),
    ("replay", {"matches": 30}, "lin-ucb"),
    ("replay", {"matches": 30, "contexts": "shared", "scale": "standard"}, "epsilon-greedy"),
    ("items-replay", {"matches": 30}, "item-lin-ucb"),
    ("overheard-replay", {"matches": 30}, "reference-lnucb-ta"),
    *(("network", {"budget": 25}, name) for name in PROBERS),
    ("network", {"budget": 25, "scale": 100.0}, "knn-epsilon-greedy"),
]


def made_up_log():
    generator = np.random.default_rng(2)
    features = generator.integers(1, 9, size=(500, 10, 10)).astype(float)
    arms = generator.integers(10, size=500)
    clicks = (features[np.arange(500), arms, 0] > 4).astype(float)
    return EventLog(arms, clicks, features, np.full(500, 0.1))


def made_up_graph():
    edges = [[i, j] for i in range(120) for j in range(i) if (i * j) % 61 == 1 or i == j + 1]
    edges += [[i, i % 7] for i in range(7, 120)]
    return Graph(120, np.unique(np.array(edges), axis=0))


class Files:
    """In the place of data sets that do not come with the package."""

    def __init__(self, name):
        self.load = made_up_graph if name == "ca-astroph" else made_up_log


def flat(value):
    if isinstance(value, dict):
        return [each for key in sorted(value) for each in flat(value[key])]
    if isinstance(value, (list, tuple)):
        return [each for entry in value for each in flat(entry)]
    return [value]


def shown(value):
    """Five digits; what rounding leaves of nothing is nothing."""
    if not isinstance(value, float):
        return str(value)
    return f"{value:.5g}" if abs(value) > 1e-5 else "0"


def text_of(environment, settings, policy):
    task = Task(EnvironmentSpec(environment, settings), parse_policy(policy), seed=4)
    run = make_environment(task.environment).run(task.policy, task.seed)
    lines = [" ".join(map(shown, (run.rounds, run.reward, run.regret, *run.at[-3:])))]
    for key in sorted(run.extra):
        lines.append(" ".join([key, *map(shown, flat(run.extra[key]))]))
    return block(" ".join([environment, str(settings), policy]), lines)


def texts():
    """Of all runs, on made-up files where the real ones do not come with the package."""
    for cached in (network_exploration.astroph, environments.news_log):
        cached.cache_clear()
    found = [text_of(*run) for run in RUNS if run[0] not in MADE_UP]
    with (
        patch.object(environments, "find_dataset", Files),
        patch.object(item_environments, "find_dataset", Files),
        patch.object(network_exploration, "find_dataset", Files),
    ):
        found += [text_of(*run) for run in RUNS if run[0] in MADE_UP]
    for cached in (network_exploration.astroph, environments.news_log):
        cached.cache_clear()
    return found


def test_runs_are_what_they_were():
    assert {text.partition("\n")[0]: text for text in texts()} == read(GOLDEN)


if __name__ == "__main__":
    write(GOLDEN, texts())
