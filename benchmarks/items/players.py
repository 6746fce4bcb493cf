"""What plays: hybandit's policies in this process, Vowpal Wabbit in its own environment."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.items import streams
from benchmarks.peers.cells import THREADS
from hybandit.environments import ItemWorld, play_items
from hybandit.experiments import EnvironmentSpec, PolicySpec, Task
from hybandit.experiments.environments import make_environment
from hybandit.experiments.item_environments import Watched
from hybandit.experiments.players import find_player
from hybandit.state import Floats

SCRIPT = Path(__file__).parent / "vowpal_wabbit.py"
# The names of the script's settings; it cannot be imported here, where its package is not.
VOWPAL_WABBIT = [
    f"{explore}, {crosses}"
    for crosses in ("ids", "no ids")
    for explore in ("squarecb", "squarecb, gamma 50", "first 200")
]
OURS = {
    "ItemHybrid": PolicySpec("item-hybrid"),
    "ItemHybrid, explore 0.05": PolicySpec("item-hybrid", {"explore": 0.05}),
    "ItemHybrid, explore gap": PolicySpec("item-hybrid", {"explore": "gap"}),
    "ItemLinUCB, alpha 0.1": PolicySpec("item-lin-ucb", {"alpha": 0.1}),
    "ItemLNUCBTA": PolicySpec("item-lnucb-ta"),
    "StackedHybrid, slots": PolicySpec("stacked-hybrid"),
}
ARTICLES = EnvironmentSpec("items-replay")
ARMS = EnvironmentSpec("replay", {"contexts": "shared", "scale": "unit"})
# The run of a seed, on the one log there is.
NEWS = {
    "ItemHybrid": partial(Task, ARTICLES, OURS["ItemHybrid"]),
    "ItemLinUCB, alpha 0.1": partial(Task, ARTICLES, OURS["ItemLinUCB, alpha 0.1"]),
    "ItemLNUCBTA": partial(Task, ARTICLES, OURS["ItemLNUCBTA"]),
    "StackedHybrid, an arm for each article": partial(Task, ARMS, PolicySpec("stacked-hybrid")),
}


def version(spec: PolicySpec) -> int:
    return find_player(spec.name).results_version


def play(name: str, world: ItemWorld) -> dict[str, Any]:
    """What was shown is worth on average, and what new items were; and the CPU seconds."""
    spec = OURS[name]
    start = time.process_time()
    made = find_player(spec.name).on_items(world.n_context, world.n_item, world.seed, spec.settings)
    watched = Watched(made)
    outcome = play_items(watched, world)  # type: ignore[arg-type]
    seconds = time.process_time() - start
    means = np.array([turn.best for turn in world]) - outcome.regrets
    new = watched.new_rewards(means)
    return summed(means, seconds) | {"new": float(np.mean(new)) if new else None}


def play_news(name: str, seed: int) -> dict[str, Any]:
    start = time.process_time()
    task = NEWS[name](seed)
    run = make_environment(task.environment).run(task.policy, seed)
    return {"clicks": run.reward, "matches": run.rounds, "seconds": time.process_time() - start}


def play_vowpal_wabbit(name: str, world: ItemWorld, python: Path, folder: Path) -> dict[str, Any]:
    stream = folder / f"{world.kind}-{world.seed}.npz"
    if not stream.exists():
        for old in folder.glob("*.npz"):
            old.unlink()
        streams.save(world, stream)
    done = subprocess.run(
        [str(python), "-W", "ignore", str(SCRIPT), name, str(stream), str(world.seed)],
        capture_output=True, text=True, check=False, env={**os.environ, **THREADS},
    )  # fmt: skip
    if done.returncode:
        sys.exit(done.stderr)
    found = json.loads(done.stdout.splitlines()[-1])
    with np.load(stream) as arrays:
        means = arrays["means"]
    return summed(means[np.arange(len(means)), found["chosen"]], found["seconds"])


def summed(means: Floats, seconds: float) -> dict[str, Any]:
    half = len(means) // 2
    return {"mean": means.mean(), "late": means[half:].mean(), "seconds": seconds}
