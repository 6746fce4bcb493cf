"""Vowpal Wabbit's one-against-all at one stream: a script for its own environment.

python vowpal_wabbit.py SETTING STREAM.npz SEED

Every row is guessed before its class is learned. Prints the number of wrong guesses and the CPU
seconds, as one line of JSON.
"""

from __future__ import annotations

import json
import sys
import time

import numpy as np
from vowpalwabbit import Workspace

SETTINGS = {"plain": "", "with -q ::": "-q ::"}


def main():
    setting, path, seed = sys.argv[1:]
    with np.load(path) as arrays:
        contexts, labels, n_classes = (arrays[name] for name in ("contexts", "labels", "n_classes"))
    workspace = Workspace(
        f"--oaa {int(n_classes)} {SETTINGS[setting]} --random_seed {seed} --quiet"
    )
    start, wrong = time.process_time(), 0
    for row, label in zip(contexts, labels, strict=True):
        values = " ".join(f"{number}:{row[number]:.6g}" for number in np.flatnonzero(row))
        wrong += workspace.predict(f"|x {values}") != label + 1
        workspace.learn(f"{label + 1} |x {values}")
    print(json.dumps({"wrong": int(wrong), "seconds": time.process_time() - start}))


if __name__ == "__main__":
    main()
