"""`python -m benchmarks.live`, from the root of the clone: nine worlds as a loop meets them.

Every player meets the same visitors, offers and luck, and is judged by the probability of a reward
of what it showed. Runs are kept and not played again, so the command may be stopped and continued.
"before" is the loop's policy at an earlier commit, played by its code in a process of its own:
`git worktree add ../before 103e710`, then `--against ../before`.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from pathlib import Path
from typing import Any

import numpy as np
from rich.progress import MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from benchmarks.live import alone, players, report, worlds
from benchmarks.live.worlds import LiveWorld
from benchmarks.peers.venvs import PEERS, python_of
from hybandit.state import Floats, Integers

DELAYS = (0, 300)
# Of how many visitors the mean is taken to see when the level of before a change is back.
SPAN = 500


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.live", description=__doc__)
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--first-seed", type=int, default=0)
    parser.add_argument("--visitors", type=int, default=12_000)
    parser.add_argument("--delays", type=int, nargs="+", default=DELAYS)
    parser.add_argument("--worlds", nargs="+", default=worlds.WORLDS, choices=worlds.WORLDS)
    parser.add_argument("--players", nargs="+", default=players.EVERYONE, choices=players.EVERYONE)
    parser.add_argument("--against", type=Path, help='the older clone whose loop is "before"')
    parser.add_argument("--minutes", type=float, default=float("inf"), help="then stop playing")
    parser.add_argument("--venvs", type=Path, default=Path.home() / ".cache" / "hybandit-peers")
    parser.add_argument("--runs", type=Path, default=Path("live-runs.jsonl"))
    parser.add_argument("--table", action="store_true", help="only write what was played")
    arguments = parser.parse_args()
    if not arguments.table:
        end = time.monotonic() + 60.0 * arguments.minutes
        for seed in range(arguments.first_seed, arguments.first_seed + arguments.seeds):
            race(arguments, seed, end)
    told = report.written(read(arguments.runs))
    arguments.runs.with_name("live.md").write_text(told)
    print(told)


def race(arguments: argparse.Namespace, seed: int, end: float) -> None:
    """All that is not known yet of a seed, as far as time allows."""
    known = {key(run) for run in read(arguments.runs)}
    wanted = [
        {"seed": seed, "world": world, "delay": delay, "visitors": arguments.visitors,
         "player": player}
        for world in arguments.worlds
        for delay in arguments.delays
        for player in arguments.players
        if player != players.BEFORE or arguments.against
    ]  # fmt: skip
    left = [run for run in wanted if key(run) not in known]
    columns = TextColumn("{task.description}"), MofNCompleteColumn(), TimeRemainingColumn()
    with Progress(*columns) as progress, arguments.runs.open("a") as runs:
        bar = progress.add_task("", total=len(left) * arguments.visitors)
        for run in left:
            if time.monotonic() > end:
                break
            told = f"{run['world']}, delay {run['delay']}, seed {run['seed']}: {run['player']}"
            progress.update(bar, description=told)
            runs.write(json.dumps(run | played(run, arguments, progress, bar)) + "\n")
            runs.flush()


def played(
    run: dict[str, Any], arguments: argparse.Namespace, progress: Progress, bar: Any
) -> dict[str, Any]:
    world = worlds.make(run["world"], run["visitors"], run["seed"])
    started, name = sum(os.times()[:4]), run["player"]
    if name == players.FIXED:
        progress.advance(bar, len(world))
        return {"mean": world.best_fixed}
    if name == players.BEFORE:
        chosen = players.play_before(world, run["delay"], arguments.against)
        progress.advance(bar, len(world))
    elif name in players.VOWPAL_WABBIT:
        python = python_of("vowpalwabbit", arguments.venvs, PEERS["vowpalwabbit"])
        chosen = players.play_vowpal_wabbit(name, world, run["delay"], run["seed"], python)
        progress.advance(bar, len(world))
    else:
        numbers = progress.track(range(len(world)), task_id=bar, update_period=1.0)
        chosen = alone.play(players.made(name, world), world, run["delay"], numbers)
    return measured(world, chosen) | {"seconds": sum(os.times()[:4]) - started}


def measured(world: LiveWorld, chosen: Integers) -> dict[str, Any]:
    """The mean; newcomers' shares of their first 300 visitors; visitors until recovery."""
    places = chosen[:, None]
    earned = np.take_along_axis(world.chances, places, axis=1)[:, 0]
    shown = np.take_along_axis(world.offers, places, axis=1)[:, 0]
    found: dict[str, Any] = {"mean": earned.mean()}
    if world.arrival is not None:
        first = shown[world.arrival : world.arrival + max(DELAYS)]
        found["newcomers"] = [float((first == name).mean()) for name in world.newcomers]
    if world.turn is not None:
        there = np.where(world.offers != worlds.NOBODY, world.chances, 0.0)
        found["recovery"] = recovery(earned, there.max(axis=1), world.turn)
    return found


def recovery(earned: Floats, possible: Floats, turn: int) -> int | None:
    """Visitors after the change until 95 % of the level before it; None if it never came.

    A level is what was earned by what was possible.
    """
    level = earned[turn - 2 * SPAN : turn].sum() / possible[turn - 2 * SPAN : turn].sum()
    ahead = np.append(0.0, (earned - 0.95 * level * possible)[turn:].cumsum())
    back = np.flatnonzero(ahead[SPAN:] >= ahead[:-SPAN])
    return int(back[0]) + SPAN if len(back) else None


def read(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def key(run: dict[str, Any]) -> tuple[Any, ...]:
    return tuple(run[name] for name in ("seed", "world", "delay", "visitors", "player"))


if __name__ == "__main__":
    main()
