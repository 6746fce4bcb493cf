"""What plays: hybandit's policies in this process, Vowpal Wabbit in its own environment."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

import hybandit
from benchmarks.items import streams
from benchmarks.peers.cells import THREADS
from hybandit.environments import ItemWorld, play_items
from hybandit.experiments.item_slots import Slots
from hybandit.policies import ItemHybrid, ItemLinUCB, ItemLNUCBTA, ItemPolicy

SCRIPT = Path(__file__).parent / "vowpal_wabbit.py"
# The names of the script's settings; it cannot be imported here, where its package is not.
VOWPAL_WABBIT = [
    f"{explore}, {crosses}"
    for crosses in ("ids", "no ids")
    for explore in ("squarecb", "squarecb, gamma 50", "first 200")
]


def policy(kind: type[ItemPolicy], **settings: Any) -> Callable[[ItemWorld, int], Any]:
    return lambda world, seed: kind(world.n_context, world.n_item, seed=seed, **settings)


OURS: dict[str, Callable[[ItemWorld, int], Any]] = {
    "ItemHybrid": policy(ItemHybrid),
    "ItemHybrid, explore 0.05": policy(ItemHybrid, explore=0.05),
    "ItemHybrid, explore gap": policy(ItemHybrid, explore="gap"),
    "ItemLinUCB, alpha 0.1": policy(ItemLinUCB, alpha=0.1),
    "ItemLNUCBTA": policy(ItemLNUCBTA),
    "StackedHybrid, slots": lambda world, seed: Slots(partial(hybandit.StackedHybrid, seed=seed)),
}


def play(name: str, world: ItemWorld, seed: int) -> tuple[np.ndarray, float]:
    """The mean reward of what was shown, round by round, and the CPU seconds."""
    start = time.process_time()
    outcome = play_items(OURS[name](world, seed), world)
    best = np.array([turn.best for turn in world])
    return best - outcome.regrets, time.process_time() - start


def play_vowpal_wabbit(
    name: str, world: ItemWorld, seed: int, python: Path, folder: Path
) -> tuple[np.ndarray, float]:
    stream = folder / f"{world.kind}-{world.seed}.npz"
    if not stream.exists():
        for old in folder.glob("*.npz"):
            old.unlink()
        streams.save(world, stream)
    done = subprocess.run(
        [str(python), "-W", "ignore", str(SCRIPT), name, str(stream), str(seed)],
        capture_output=True, text=True, check=False, env={**os.environ, **THREADS},
    )  # fmt: skip
    if done.returncode:
        sys.exit(done.stderr)
    found = json.loads(done.stdout.splitlines()[-1])
    with np.load(stream) as arrays:
        means = arrays["means"]
    return means[np.arange(len(means)), found["chosen"]], found["seconds"]
