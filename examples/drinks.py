"""A log of a coin that offered tea or beer: which policy would have sold more.

    python examples/drinks.py [--events N]

Judges policies by the log, lets the best one learn it, saves it with the encoder of its
columns, and decides for new people. Takes less than a minute.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd

import hybandit
from hybandit.datasets import open_log
from hybandit.experiments.tasks import parse_policy
from hybandit.experiments.trained import TrainedModel

POLICIES = ["lin-ucb:alpha=0.1", "stacked-hybrid", "ucb"]


def made_log(events):
    """Who was there, what a coin offered, whether they bought; the old like tea."""
    generator = np.random.default_rng(0)
    age = generator.integers(18, 90, events)
    town = generator.choice(["Ulm", "Bonn", "Kiel"], events)
    offered = generator.choice(["tea", "beer"], events)
    chance = np.where((age > 50) == (offered == "tea"), 0.5, 0.15)
    bought = (generator.random(events) < chance).astype(int)
    return pd.DataFrame({"age": age, "town": town, "offered": offered, "bought": bought, "p": 0.5})


def main():
    parser = argparse.ArgumentParser(description="From a log to decisions.")
    parser.add_argument("--events", type=int, default=2000)
    log = made_log(parser.parse_args().events)
    print(f"the coin sold {log['bought'].mean():.0%}")
    found = hybandit.evaluate(
        log, POLICIES, arm="offered", reward="bought", propensity="p", estimators="snips"
    )
    table = found.table.sort_values("value", ascending=False)
    for row in table.itertuples():
        print(f"{row.policy:18} would have sold {row.value:.0%} [{row.low:.0%}, {row.high:.0%}]")
    best = table["policy"].iloc[0]
    events = open_log(log, "offered", "bought", drop=["p"])
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "drinks.npz"
        TrainedModel.learned(parse_policy(best), events).save(file)
        model = TrainedModel.load(file)
    people = pd.DataFrame({"age": [22, 80], "town": ["Ulm", "Kiel"]})
    for person, decision in zip(people.to_dict("records"), model.decide(people), strict=True):
        print(f"{person}: {decision.name}")


if __name__ == "__main__":
    main()
