"""`python -m benchmarks.items`, from the root of the clone."""

from __future__ import annotations

import argparse
import json
import tempfile
from pathlib import Path

from benchmarks.items import players
from benchmarks.items.table import printed
from benchmarks.peers.venvs import PEERS, python_of
from hybandit.environments import ItemWorld
from hybandit.environments.items import ITEM_WORLDS

VW = "VW: "


def main() -> None:
    everyone = [*players.OURS, *(VW + setting for setting in players.VOWPAL_WABBIT)]
    parser = argparse.ArgumentParser(prog="python -m benchmarks.items", description=__doc__)
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--first-seed", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=10_000)
    parser.add_argument("--worlds", nargs="+", default=list(ITEM_WORLDS), choices=ITEM_WORLDS)
    parser.add_argument("--players", nargs="+", default=everyone, choices=everyone)
    parser.add_argument("--venvs", type=Path, default=Path.home() / ".cache" / "hybandit-peers")
    parser.add_argument("--runs", type=Path, default=Path("items-runs.jsonl"))
    parser.add_argument("--table", action="store_true", help="only print what was played")
    arguments = parser.parse_args()
    if not arguments.table:
        race(arguments)
    print(printed(read(arguments.runs)))


def race(arguments: argparse.Namespace) -> None:
    played = {key(run) for run in read(arguments.runs)}
    with tempfile.TemporaryDirectory() as folder, arguments.runs.open("a") as runs:
        for seed in range(arguments.first_seed, arguments.first_seed + arguments.seeds):
            for kind in arguments.worlds:
                world = ItemWorld(kind, rounds=arguments.rounds, seed=seed)
                for player in arguments.players:
                    run = {"world": kind, "player": player, "seed": seed, "rounds": len(world)}
                    if key(run) in played:
                        continue
                    run |= result(player, world, Path(folder), arguments.venvs)
                    runs.write(json.dumps(run) + "\n")
                    runs.flush()


def result(player: str, world: ItemWorld, folder: Path, venvs: Path) -> dict[str, float]:
    if player.startswith(VW):
        python = python_of("vowpalwabbit", venvs, PEERS["vowpalwabbit"])
        setting = player.removeprefix(VW)
        means, seconds = players.play_vowpal_wabbit(setting, world, world.seed, python, folder)
    else:
        means, seconds = players.play(player, world, world.seed)
    half = len(means) // 2
    return {"mean": means.mean(), "late": means[half:].mean(), "seconds": seconds}


def read(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def key(run: dict[str, object]) -> tuple[object, ...]:
    return run["world"], run["player"], run["seed"], run["rounds"]


if __name__ == "__main__":
    main()
