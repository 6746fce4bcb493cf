"""What centring the rewards gives StackedHybrid on digits: shifted and noisy rewards.

python benchmarks/centre.py [--runs N]
"""

from __future__ import annotations

import argparse

import numpy as np
from rich.console import Console
from rich.progress import track

import hybandit
from hybandit.datasets import find_dataset
from hybandit.environments import Classification
from hybandit.reports.spread import Spread
from hybandit.reports.tables import TableView

CASES = {"0 / 1": (0.0, 0.0), "-1 / 0": (-1.0, 0.0), "0 / 1, noise sd 0.3": (0.0, 0.3),
         "0 / 1, noise sd 1": (0.0, 1.0)}  # fmt: skip


def regret(table, seed, centre, shift, noise):
    generator = np.random.default_rng([seed, 1])
    policy = hybandit.StackedHybrid(10, 64, centre=centre, seed=seed)
    missed = 0.0
    for turn in Classification(table.encoded("unit"), table.labels, seed=seed):
        arm = policy.choose(turn.context)
        missed += 1.0 - turn.reward(arm)
        policy.learn(turn.context, arm, turn.reward(arm) + shift + noise * generator.normal())
    return missed


def main():
    parser = argparse.ArgumentParser(description="StackedHybrid with and without centring.")
    parser.add_argument("--runs", type=int, default=10)
    runs = parser.parse_args().runs
    table = find_dataset("digits").load()
    rows = []
    for label, (shift, noise) in CASES.items():
        line = [label]
        for centre in (False, True):
            seeds = track(range(runs), f"{label}, centre={centre}", transient=True)
            line.append(
                str(Spread.of([regret(table, seed, centre, shift, noise) for seed in seeds]))
            )
        rows.append(line)
    title = f"StackedHybrid's regret on digits, {runs} runs"
    columns = ["rewards, wrong / right", "centre=False", "centre=True"]
    Console().print(TableView("centre", title, columns, rows).rich())


if __name__ == "__main__":
    main()
