"""The race: `python -m benchmarks.peers`, from the root of the clone."""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from benchmarks.peers import report
from benchmarks.peers.cells import HERE, Cell, add, play
from benchmarks.peers.problems import PROBLEMS, Problem
from benchmarks.peers.venvs import PEERS, ROOT, NotInstalled, python_of


def environments(folder: Path, show: Progress) -> tuple[dict[str, Path], dict[str, str]]:
    """The interpreters, and why a peer has none."""
    pythons, missing = {}, {}
    for name, wanted in show.track(PEERS.items(), description="environments"):
        try:
            pythons[name] = python_of(name, folder, wanted)
        except NotInstalled as reason:
            missing[name] = f"does not install: {reason}"
            show.console.print(f"{name} does not install: {reason}")
    return pythons, missing


def race(
    pythons: dict[str, Path], missing: dict[str, str], streams: Path, repeats: int, limit: float,
    show: Progress,
) -> list[Cell]:  # fmt: skip
    """All peers take turns at a problem, `repeats` times, so that a busy spell hits all alike."""
    cells = {(p.name, peer): Cell(p.name, peer, failure=missing.get(peer, ""))
             for p in PROBLEMS for peer in PEERS}  # fmt: skip
    task = show.add_task("race", total=len(cells) * repeats)
    for problem in PROBLEMS:
        stream = streams / f"{problem.name}.npz"
        problem.save(stream)
        for seed in range(1, repeats + 1):
            for peer in PEERS:
                cell = cells[problem.name, peer]
                show.update(task, description=f"{problem.name}, {peer}")
                if not cell.failure:
                    add(cell, play(pythons[peer], adapter(peer), problem.kind, stream, seed, limit))
                    show.console.print(line(cell))
                show.advance(task)
    return list(cells.values())


def adapter(peer: str) -> Path:
    return HERE / "adapters" / f"{peer}.py"


def profiles(
    cells: list[Cell], python: Path, streams: Path, limit: float
) -> dict[Problem, report.Profile]:
    """Where hybandit's time goes, wherever it is slower than was asked."""
    return {
        problem: play(python, adapter(report.OURS), problem.kind, streams / f"{problem.name}.npz",
                      1, limit, "profile")
        for problem in report.missed(cells)
    }  # fmt: skip


def line(cell: Cell) -> str:
    what = cell.failure or f"{cell.rates[-1]:,.0f} a CPU second"
    return f"{cell.problem:12} {cell.peer:18} {what}"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.peers", description=__doc__)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--limit", type=float, default=20.0, help="CPU seconds of one run")
    parser.add_argument("--venvs", type=Path, default=Path.home() / ".cache" / "hybandit-peers")
    parser.add_argument("--out", type=Path, default=ROOT / "docs" / "results")
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn()
    with (
        Progress(*columns, TimeElapsedColumn(), console=Console()) as show,
        tempfile.TemporaryDirectory() as folder,
    ):
        streams, repeats, limit = Path(folder), arguments.repeats, arguments.limit
        pythons, missing = environments(arguments.venvs, show)
        cells = race(pythons, missing, streams, repeats, limit, show)
        found = profiles(cells, pythons.get(report.OURS, Path()), streams, limit)
    for path in report.write(arguments.out, cells, found, report.conditions(repeats, limit)):
        print(path)


if __name__ == "__main__":
    main()
