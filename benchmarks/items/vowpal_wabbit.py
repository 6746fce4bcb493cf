"""Vowpal Wabbit's ADF at one stream: a script for its own environment.

python vowpal_wabbit.py SETTING STREAM.npz SEED

Prints the index chosen in every round, and the CPU seconds, as one line of JSON. It answers with
probabilities, of which the caller draws.
"""

from __future__ import annotations

import json
import random
import sys
import time
from collections import defaultdict

import numpy as np
from vowpalwabbit import Workspace

EXPLORE = {
    "squarecb": "--squarecb",
    "squarecb, gamma 50": "--squarecb --gamma_scale 50",
    "first 200": "--first 200",
}
# Context (c), item (v) and id (i), and all products of context and item.
CROSSES = {"ids": "-q cv -q ci", "no ids": "-q cv"}
SETTINGS = {
    f"{explore}, {crosses}": f"--cb_explore_adf {EXPLORE[explore]} {CROSSES[crosses]}"
    for crosses in CROSSES
    for explore in EXPLORE
}
# Of benchmarks/live alone.
SETTINGS |= {"epsilon 0.05, ids": f"--cb_explore_adf --epsilon 0.05 {CROSSES['ids']}"}
# The id where an offer is shorter than others.
NOBODY = -1


def text(space, row):
    values = " ".join(f"{number}:{value:.6g}" for number, value in enumerate(row))
    return f"|{space} {values}"


class Player:
    def __init__(self, setting, seed):
        self.workspace = Workspace(f"{SETTINGS[setting]} --random_seed {seed} --quiet")
        self.named = not setting.endswith("no ids")
        self.uniform = random.Random(seed).random

    def prepare(self, context, items, ids):
        there = [(text("v", item), name) for item, name in zip(items, ids, strict=True)
                 if name != NOBODY]  # fmt: skip
        lines = [f"{line} |i id{name}" if self.named else line for line, name in there]
        return ["shared " + text("c", context), *lines]

    def choose(self, lines):
        chances = self.workspace.predict(lines)
        left = self.uniform()
        for index, chance in enumerate(chances):  # noqa: B007
            left -= chance
            if left < 0:
                break
        return index, chance

    def learn(self, lines, index, chance, reward):
        labelled = list(lines)
        labelled[index + 1] = f"0:{-reward:.7g}:{chance:.7g} {lines[index + 1]}"
        self.workspace.learn(labelled)


def play(player, stream):
    """A reward that comes late is learned before the first choice after it, as in `play_items`."""
    chosen, waiting = [], defaultdict(list)
    for number, (context, items, ids) in enumerate(
        zip(stream["contexts"], stream["items"], stream["ids"], strict=True)
    ):
        for lesson in waiting.pop(number, ()):
            player.learn(*lesson)
        lines = player.prepare(context, items, ids)
        index, chance = player.choose(lines)
        lesson = (lines, index, chance, stream["rewards"][number, index])
        delay = int(stream["delays"][number])
        if delay:
            waiting[number + 1 + delay].append(lesson)
        else:
            player.learn(*lesson)
        chosen.append(index)
    return chosen


def main():
    setting, path, seed = sys.argv[1:]
    with np.load(path) as arrays:
        stream = {name: arrays[name] for name in arrays.files}
    start = time.process_time()
    chosen = play(Player(setting, int(seed)), stream)
    print(json.dumps({"chosen": chosen, "seconds": time.process_time() - start}))


if __name__ == "__main__":
    main()
