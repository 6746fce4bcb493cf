"""`python -m benchmarks.live.changes`: how well a loop tells that tastes have changed.

Loops of 50,000 visitors whose tastes stay, looked at after each of them: how often is a change told
that was none? In the shops tastes then change: how many visitors later is it told? Runs are kept
and not played again.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.live import alone, worlds
from benchmarks.live.__main__ import read
from benchmarks.live.report import table
from hybandit.estimators.weighing import SURE

# Visitors after a change, and how often the lead is kept.
AFTER, STEP = 4000, 50


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--first-seed", type=int, default=100)
    parser.add_argument("--visitors", type=int, default=50_000)
    parser.add_argument("--runs", type=Path, default=Path("changes-runs.jsonl"))
    arguments = parser.parse_args()
    seeds = range(arguments.first_seed, arguments.first_seed + arguments.seeds)
    known = read(arguments.runs)
    with arguments.runs.open("a") as file:
        for seed, world in product(seeds, worlds.WITH_FEATURES):
            run = {"world": world, "seed": seed, "visitors": arguments.visitors}
            if not any(run.items() <= each.items() for each in known):
                known.append(run | watched(**run))
                file.write(json.dumps(known[-1]) + "\n")
                file.flush()
    print(written(known))


def watched(world: str, visitors: int, seed: int) -> dict[str, Any]:
    """The largest lead of the recent view while tastes stay, and so far after they changed."""
    turns = world in worlds.SHOPS
    made = worlds.make(world, 3 * visitors // 2 if turns else visitors, seed)
    player = alone.LoopPlayer(made)
    leads = np.zeros(visitors + turns * min(AFTER, visitors // 2))

    def looked() -> Iterator[int]:
        for number in range(len(leads)):
            yield number
            leads[number] = player.lead

    alone.play(player, made, 0, looked())
    later = np.maximum.accumulate(leads[visitors:])[STEP - 1 :: STEP]
    return {"steady": leads[:visitors].max(), "later": later.tolist()}


def written(runs: list[dict[str, Any]], sure: float = SURE) -> str:
    """A table in Markdown, at the lead from which on a change is told."""
    rows = []
    for world in (*worlds.WITH_FEATURES, "all"):
        those = [run for run in runs if world in (run["world"], "all")]
        if not those:
            continue
        steady, later = [run["steady"] for run in those], [run["later"] for run in those]
        wrong, soon = sum(np.array(steady) > sure), [told(each, sure) for each in later if each]
        middle = f"{np.median(soon):,.0f}" if soon else ""
        never = f"{np.isinf(soon).sum()} of {len(soon)}" if soon else ""
        rows.append([world, f"{wrong} of {len(those)}", f"{max(steady):.1f}", middle, never])
    until = f"visitors until a change is told, median, within {STEP}"
    heads = ["world", "told though nothing changed", "largest lead then", until, "not at all"]
    return table(heads, rows)


def told(leads: list[float], sure: float) -> float:
    """After how many visitors the lead was large enough; never: infinity."""
    found = np.flatnonzero(np.array(leads) > sure)
    return float(STEP * (found[0] + 1)) if len(found) else np.inf


if __name__ == "__main__":
    main()
