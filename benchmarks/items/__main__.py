"""`python -m benchmarks.items`, from the root of the clone."""

from __future__ import annotations

import argparse
import json
import tempfile
from pathlib import Path
from typing import Any

from benchmarks.items import players
from benchmarks.items.report import written
from benchmarks.peers.venvs import PEERS, python_of
from hybandit.environments import ItemWorld
from hybandit.environments.items import ITEM_WORLDS

VW = "VW: "
NEWS = "news"


def main() -> None:
    everyone = [*players.OURS, *(VW + setting for setting in players.VOWPAL_WABBIT)]
    worlds = [*ITEM_WORLDS, NEWS]
    parser = argparse.ArgumentParser(prog="python -m benchmarks.items", description=__doc__)
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--first-seed", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=10_000)
    parser.add_argument("--worlds", nargs="+", default=worlds, choices=worlds)
    parser.add_argument("--players", nargs="+", default=everyone, choices=everyone)
    parser.add_argument("--venvs", type=Path, default=Path.home() / ".cache" / "hybandit-peers")
    parser.add_argument("--runs", type=Path, default=Path("items-runs.jsonl"))
    parser.add_argument("--table", action="store_true", help="only write what was played")
    arguments = parser.parse_args()
    if not arguments.table:
        race(arguments)
    report = written([run for run in read(arguments.runs) if is_current(run)])
    arguments.runs.with_name("items.md").write_text(report)
    print(report)


def race(arguments: argparse.Namespace) -> None:
    played = {key(run) for run in read(arguments.runs)}
    with tempfile.TemporaryDirectory() as folder, arguments.runs.open("a") as runs:
        for seed in range(arguments.first_seed, arguments.first_seed + arguments.seeds):
            for world in arguments.worlds:
                for player in players.NEWS if world == NEWS else arguments.players:
                    run = {"world": world, "player": player, "seed": seed,
                           "rounds": arguments.rounds,
                           "versions": versions(world, player)}  # fmt: skip
                    if key(run) in played:
                        continue
                    run |= result(run, Path(folder), arguments.venvs)
                    runs.write(json.dumps(run) + "\n")
                    runs.flush()


def result(run: dict[str, Any], folder: Path, venvs: Path) -> dict[str, Any]:
    player, seed = run["player"], run["seed"]
    if run["world"] == NEWS:
        return players.play_news(player, seed)
    world = ItemWorld(run["world"], rounds=run["rounds"], seed=seed)
    if not player.startswith(VW):
        return players.play(player, world)
    python = python_of("vowpalwabbit", venvs, PEERS["vowpalwabbit"])
    return players.play_vowpal_wabbit(player.removeprefix(VW), world, python, folder)


def versions(world: str, player: str) -> dict[str, int]:
    """The results versions of what answers, ours alone."""
    if world == NEWS:
        return players.NEWS[player](0).versions
    spec = players.OURS.get(player)
    return {"items": ItemWorld.results_version} | (
        {spec.name: players.version(spec)} if spec else {}
    )


def read(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def is_current(run: dict[str, Any]) -> bool:
    return bool(run["versions"] == versions(run["world"], run["player"]))


def key(run: dict[str, Any]) -> str:
    return json.dumps([run[name] for name in ("world", "player", "seed", "rounds", "versions")])


if __name__ == "__main__":
    main()
