"""Forty recorded runs over all experiments, and whether today's code still plays them alike.

    HYBANDIT_DATA=... python -m benchmarks.recorded            # play them again and compare
    HYBANDIT_DATA=... python -m benchmarks.recorded --record   # write benchmarks/recorded.npz

Every choice and every reward must be equal; the scores of the last contexts, after the last
round, to 1e-9 relative. A change that is meant to alter the decisions of a policy records its
runs anew, and says so in its commit. Runs are kept short: what the experiments play, not how
long. Built on policies, environments and data sets only, so that experiments may change shape.

Networks compute in single precision, which rounds differently on another make of processor: there
their runs may differ though the code is the same. So may those of neighbours on Mushroom, whose
rows are often equally far apart but for rounding. The recording knows its processor; on another
one, record the code before a change with `--file`, and compare the code after it. `--record` with
`--policies` keeps the processor that the other runs were recorded on.
"""

from __future__ import annotations

import argparse
import sys
from functools import lru_cache
from multiprocessing import get_context
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.progress import track

import hybandit
from benchmarks.peers.report import processor
from hybandit.datasets import find_dataset
from hybandit.environments import Classification, Replay, Synthetic, play
from hybandit.features import encode, unit_rows
from hybandit.paper.network_exploration import NetworkExploration

FILE = Path(__file__).with_name("recorded.npz")
LAST = 20
# What is played, the policy, its settings and the seed; the comment names the experiment.
RUNS = [
    # regret
    ("adult ordinal 3000", "lin-ucb", {"alpha": 1.0}, 0),
    ("adult standard 3000", "stacked-hybrid", {}, 1),
    ("magic ordinal 3000", "lin-ts", {"v": 1.0}, 2),
    ("magic standard 4000", "lnucb-ta", {"k_max": 50}, 3),
    ("magic standard 4000", "stacked-hybrid", {}, 4),
    ("magic standard 1500", "kernel-ucb", {"nu": 0.1}, 5),
    ("magic standard 1000", "kernel-ts", {"nu": 0.1}, 6),
    ("mushroom standard 3000", "lin-knn-ucb", {"alpha": 0.1}, 7),
    ("mushroom standard 3000", "lnucb-ta", {}, 8),
    ("mushroom ordinal 800", "bootstrap-nn", {}, 9),
    ("mushroom standard 1000", "neural-ucb", {}, 10),
    ("magic standard 1000", "neural-ts", {}, 11),
    ("adult ordinal 1000", "neural-linear", {}, 12),
    ("adult standard 800", "npr", {}, 13),
    ("magic ordinal 1500", "neural-bandit", {}, 14),
    ("mnist standard 2500", "lnucb-ta", {}, 15),
    ("mnist standard 2500", "stacked-hybrid", {}, 16),
    # tuning and schedules
    ("mushroom ordinal 1000", "neural-epsilon-greedy", {"epsilon": 0.01}, 100_000),
    ("magic ordinal 300", "neural-ucb", {"schedule": "published"}, 0),
    # news
    ("news arm raw", "lin-ucb", {"alpha": 0.1, "ties": "first"}, 0),
    ("news arm raw", "knn-ucb", {"theta": 0.1, "max_k": 5}, 1),
    ("news shared unit", "lnucb-ta", {"alpha": 10.0}, 2),
    ("news shared unit", "stacked-hybrid", {}, 3),
    ("news shared standard", "lin-knn-ucb", {"alpha": 1.0, "ties": "first"}, 0),
    # parameters and enhanced
    ("news arm raw", "knn-kl-ucb", {"theta": 5.0, "max_k": 5}, 0),
    ("news arm raw", "beta-thompson", {"a": 2, "b": 2}, 0),
    ("news arm raw", "kl-ucb", {"c": 0.5}, 0),
    ("news arm raw", "epsilon-greedy", {"epsilon": 0.1}, 0),
    ("news arm raw", "enhanced-beta-thompson", {}, 0),
    ("news arm raw", "enhanced-epsilon-greedy", {}, 0),
    ("news arm raw", "enhanced-lin-ts", {}, 0),
    # ablation and stability
    ("news shared unit", "lin-ucb", {"rate": "attention", "alpha": 0.5}, 1),
    ("news shared unit", "lnucb-ta", {"k_min": 5, "k_max": 20, "kappa": 0.25}, 0),
    # scalability
    ("digits standard 5000", "lin-knn-ucb", {"k_max": 20}, 0),
    ("digits standard 3000", "knn-ucb", {"theta": 0.1}, 0),
    # drift
    ("abrupt 3000", "stacked-hybrid", {"forget": 0.998}, 0),
    ("slow 3000", "lnucb-ta", {"forget": 0.998}, 0),
    ("hybrid 6000", "stacked-hybrid", {"memory": "window(500)"}, 0),
    # theory
    ("linear 3000", "lin-thompson-ucb", {}, 0),
    # network
    ("network 300", "lnucb-ta", {}, 0),
]  # fmt: skip


class Recorder:
    """Plays a policy and remembers every choice and reward, and the last contexts."""

    def __init__(self, policy):
        self.policy = policy
        self.arms, self.rewards, self.contexts = [], [], []

    def choose(self, context):
        return self.policy.choose(context)

    def learn(self, context, arm, reward):
        self.policy.learn(context, arm, reward)
        self.arms.append(arm)
        self.rewards.append(reward)
        self.contexts = [*self.contexts[1 - LAST :], np.array(context)]

    def recorded(self):
        scores = self.policy.score_many(np.array(self.contexts))
        return np.array(self.arms, np.int16), np.array(self.rewards, np.float32), scores


@lru_cache(maxsize=4)
def loaded(name):
    return find_dataset(name).load()


def environment(text, seed):
    kind, *words = text.split()
    if kind == "news":
        contexts, scale = words
        log = loaded("news")
        width = -1 if contexts == "arm" else 100
        flat = log.features.reshape(-1, 10) if width < 0 else log.features.reshape(-1, width)
        if scale == "unit":
            flat = unit_rows(flat)
        elif scale == "standard":
            import pandas as pd

            flat = encode(pd.DataFrame(flat), "standard-raw")
        features = flat.reshape(log.features.shape)
        return Replay(log.arms, log.rewards, features, contexts=contexts, matches=800)
    if kind in ("linear", "hybrid", "abrupt", "slow"):
        return Synthetic(kind, rounds=int(words[0]), seed=seed)
    table = loaded(kind)
    return Classification(
        table.encoded(words[0]), table.labels, seed=seed, rounds=int(words[1])
    )  # fmt: skip


def explored(name, settings, seed, budget):
    """A policy of one arm whose candidates are nodes of the network."""
    graph = loaded("ca-astroph").giant_component()
    policy = hybandit.make_policy(name, 1, 4, seed=seed, **settings)
    nodes, rewards, turn = [], [], None
    for turn in NetworkExploration(graph, seed=seed, budget=budget):
        node = int(policy.score_many(turn.contexts)[:, 0].argmax())
        nodes.append(node)
        rewards.append(float(turn.probe(node)))
        policy.learn(turn.contexts[node], 0, rewards[-1] / max(1.0, *rewards))
    scores = policy.score_many(turn.contexts[:LAST])
    return np.array(nodes, np.int16), np.array(rewards, np.float32), scores


def played(run):
    text, name, settings, seed = run
    if text.startswith("network"):
        return explored(name, settings, seed, int(text.split()[1]))
    world = environment(text, seed)
    policy = hybandit.make_policy(name, world.n_arms, world.n_features, seed=seed, **settings)
    recorder = Recorder(policy)
    play(recorder, world)
    return recorder.recorded()


def difference(kept, now):
    """What differs between two recordings, in words; empty if nothing does."""
    for what, old, new in zip(("choices", "rewards"), kept, now, strict=False):
        if len(old) != len(new):
            return f"{len(new)} {what} for {len(old)}"
        unequal = np.flatnonzero(old != new)
        if len(unequal):
            return f"{len(unequal)} {what} differ, the first in round {unequal[0]}"
    if np.allclose(kept[2], now[2], rtol=1e-9, atol=1e-12):
        return ""
    return f"scores differ by up to {np.abs(kept[2] - now[2]).max():.2g}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--record", action="store_true", help="write the recording anew")
    parser.add_argument("--file", type=Path, default=FILE, help="the recording")
    parser.add_argument("--policies", help="only runs of these, with commas between")
    options = parser.parse_args()
    console = Console()
    wanted = options.policies.split(",") if options.policies else None
    chosen = [n for n, run in enumerate(RUNS) if wanted is None or run[1] in wanted]
    kept = dict(np.load(options.file)) if options.file.exists() else {}
    failures = 0
    with get_context("spawn").Pool(2) as pool:
        results = pool.imap(played, [RUNS[number] for number in chosen])
        for number in track(chosen, "playing", console=console):
            now = next(results)
            names = [f"{number}-{part}" for part in ("arms", "rewards", "scores")]
            if options.record:
                kept |= dict(zip(names, now, strict=True))
                continue
            found = difference([kept[name] for name in names], now)
            failures += bool(found)
            text, name, settings, seed = RUNS[number]
            console.print(f"{text:24} {name:24} {settings} seed {seed}: {found or 'equal'}")
    here, there = processor(), str(kept.get("processor", "another processor"))
    if options.record:
        of_all = {} if wanted and "processor" in kept else {"processor": np.array(here)}
        np.savez_compressed(options.file, **kept | of_all)
        console.print(f"{len(chosen)} runs written to {options.file}")
        return 0
    console.print(f"{len(chosen) - failures} of {len(chosen)} recorded runs are equal")
    if failures and here != there:
        console.print(f"recorded on {there}, played on {here}: networks may round differently")
    return int(failures > 0)


if __name__ == "__main__":
    sys.exit(main())
