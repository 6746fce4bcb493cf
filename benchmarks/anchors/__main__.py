"""`python -m benchmarks.anchors`, from the root of the clone.

Vowpal Wabbit's one-against-all, which is told the class of every row, beside StackedHybrid, which
is told one reward a row: the same rows in the same order, the share of wrong guesses.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.peers.venvs import PEERS, python_of
from hybandit.environments import Classification
from hybandit.experiments import EnvironmentSpec, PolicySpec
from hybandit.experiments.environments import MOST_ROUNDS, make_environment, read_table
from hybandit.experiments.players import find_player
from hybandit.paper.experiments.fresh import DATA as FRESH
from hybandit.paper.experiments.regret import DATA as REGRET
from hybandit.reports.spread import Spread

SCRIPT = Path(__file__).parent / "vowpal_wabbit.py"
# The names of the script's settings; it cannot be imported here, where its package is not.
VOWPAL_WABBIT = {"Vowpal Wabbit": "plain", "Vowpal Wabbit, -q ::": "with -q ::"}
OURS = "StackedHybrid"
PLAYERS = (*VOWPAL_WABBIT, OURS)
DATA = ("digits", *REGRET.values(), *FRESH.values())
ENCODING = "standard"
POLICY = PolicySpec("stacked-hybrid")
HEAD = """# Anchors from outside

Made by `python -m benchmarks.anchors --runs docs/results/anchors-runs.jsonl`, which also holds
every run. Vowpal Wabbit (one against all) is told the class of every row, StackedHybrid one
reward a row: the right class pays 1. The same rows in the same order, standard encoding, mean ± sd
over shuffles.
"""


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.anchors", description=__doc__)
    parser.add_argument("--data", nargs="+", default=DATA, choices=DATA)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--rounds", type=int, default=MOST_ROUNDS, help="at most so many rows")
    parser.add_argument("--venvs", type=Path, default=Path.home() / ".cache" / "hybandit-peers")
    parser.add_argument("--runs", type=Path, default=Path("anchors-runs.jsonl"))
    arguments = parser.parse_args()
    python = python_of("vowpalwabbit", arguments.venvs, PEERS["vowpalwabbit"])
    known = {key(run) for run in read(arguments.runs)}
    with arguments.runs.open("a") as file:
        for data in arguments.data:
            for seed in range(arguments.seeds):
                for player in PLAYERS:
                    run = {"data": data, "seed": seed, "player": player,
                           "rounds": arguments.rounds, "version": version(player)}  # fmt: skip
                    if key(run) not in known:
                        run |= played(run, python)
                        file.write(json.dumps(run) + "\n")
                        file.flush()
    report = written(read(arguments.runs))
    arguments.runs.with_name("anchors.md").write_text(report)
    print(report)


def version(player: str) -> int:
    return find_player(POLICY.name).results_version if player == OURS else 0


def key(run: dict[str, Any]) -> tuple[Any, ...]:
    return tuple(run[name] for name in ("data", "seed", "player", "rounds", "version"))


def read(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def played(run: dict[str, Any], python: Path) -> dict[str, Any]:
    """The share of wrong guesses, of so many rows."""
    world = environment(run["data"], run["seed"], run["rounds"])
    if run["player"] == OURS:
        settings = {"data": run["data"], "encoding": ENCODING, "rounds": len(world)}
        task = make_environment(EnvironmentSpec("classification", settings))
        found = task.run(POLICY, run["seed"])
        return {"share": found.measured("regret") / found.rounds, "rows": found.rounds}
    with tempfile.TemporaryDirectory() as folder:
        stream = Path(folder) / "stream.npz"
        save(world, stream)
        command = [str(python), str(SCRIPT), VOWPAL_WABBIT[run["player"]], str(stream),
                   str(run["seed"])]  # fmt: skip
        done = subprocess.run(command, check=True, capture_output=True, text=True)
    return {"share": json.loads(done.stdout)["wrong"] / len(world), "rows": len(world)}


def environment(data: str, seed: int, rounds: int) -> Classification:
    """The rows as `hybandit reproduce` plays them."""
    table = read_table(data)
    rounds = min(rounds, len(table.labels))
    return Classification(table.contexts(ENCODING), table.labels, seed=seed, rounds=rounds)


def save(world: Classification, path: Path) -> None:
    np.savez(
        path,
        contexts=np.array([turn.context for turn in world]),
        labels=world.classes(),
        n_classes=world.n_arms,
    )


def written(runs: list[dict[str, Any]]) -> str:
    """A page in Markdown, of the runs of this version."""
    current = [run for run in runs if run["version"] == version(run["player"])]
    lines = [
        HEAD,
        f"| share of wrong guesses | rows | shuffles | {' | '.join(PLAYERS)} |",
        "|---|---:|---:|" + "---:|" * len(PLAYERS),
    ]
    for data in DATA:
        found = {player: [run for run in current if (run["data"], run["player"]) == (data, player)]
                 for player in PLAYERS}  # fmt: skip
        if all(found.values()):
            spreads = [Spread.of([run["share"] for run in each]) for each in found.values()]
            rows, shuffles = found[OURS][0]["rows"], min(map(len, found.values()))
            shown = " | ".join(map(str, spreads))
            lines.append(f"| {data} | {rows:,} | {shuffles} | {shown} |")
    return "\n".join([*lines, ""])


if __name__ == "__main__":
    main()
