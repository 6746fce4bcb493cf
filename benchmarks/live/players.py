"""Who plays the live worlds: the loop's policy, its rivals of this package, Vowpal Wabbit."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.items.players import SCRIPT
from benchmarks.live import alone
from benchmarks.live.worlds import LiveWorld
from benchmarks.peers.cells import THREADS
from hybandit.service.demo.rivals import ByItem, ForAll, Player
from hybandit.state import Integers

LOOP, BEFORE, FIXED = "loop", "before", "best fixed action"
LIN_UCB = {f"LinUCB {alpha}": alpha for alpha in (0.1, 0.3, 1.0)}
ITEM_LIN_UCB = {f"ItemLinUCB {alpha}": alpha for alpha in (0.3, 1.0)}
# By the names that benchmarks/items/vowpal_wabbit.py has for its settings.
VOWPAL_WABBIT = {"VW squarecb": "squarecb, ids", "VW epsilon 0.05": "epsilon 0.05, ids"}
EVERYONE = (LOOP, BEFORE, FIXED, *LIN_UCB, *ITEM_LIN_UCB, *VOWPAL_WABBIT)


def made(name: str, world: LiveWorld) -> Player:
    if name in LIN_UCB:
        return ByItem(world, LIN_UCB[name])
    if name in ITEM_LIN_UCB:
        return ForAll(world, ITEM_LIN_UCB[name])
    return alone.LoopPlayer(world)


def play_before(world: LiveWorld, delay: int, clone: Path) -> Integers:
    """The place that the loop of an older clone chose in each offer, in a process of its own."""
    parts = ("contexts", "items", "offers", "chances", "luck", "draws")
    paths = {"PYTHONPATH": str(clone.resolve() / "src")}
    told = {name: getattr(world, name) for name in parts}
    return _asked([sys.executable, alone.__file__], told, [delay], paths)


def play_vowpal_wabbit(
    name: str, world: LiveWorld, delay: int, seed: int, python: Path
) -> Integers:
    """The same, by the script of benchmarks/items in an environment of its own."""
    told = {
        "contexts": world.contexts,
        "items": world.items[world.offers],
        "ids": world.offers,
        "rewards": (world.luck[:, None] < world.chances).astype(np.float64),
        "delays": np.full(len(world), delay),
    }
    return _asked([str(python), "-W", "ignore", str(SCRIPT), VOWPAL_WABBIT[name]], told, [seed], {})


def _asked(
    command: list[str], world: dict[str, Any], more: list[int], paths: dict[str, str]
) -> Integers:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "world.npz"
        np.savez(file, **world)
        done = subprocess.run(
            [*command, str(file), *map(str, more)],
            env=os.environ | THREADS | paths, capture_output=True, text=True, check=False,
        )  # fmt: skip
    if done.returncode:
        sys.exit(done.stderr)
    return np.array(json.loads(done.stdout.splitlines()[-1])["chosen"])
