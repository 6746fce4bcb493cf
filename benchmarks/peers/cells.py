"""One cell of the race: one peer at one problem, in a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.peers.play import STEP

HERE = Path(__file__).parent
THREADS = {
    f"{library}_NUM_THREADS": "1"
    for library in ("OMP", "OPENBLAS", "MKL", "NUMBA", "BLIS", "VECLIB", "RAYON")
}


@dataclass
class Cell:
    """What the repeats of one peer at one problem came to; `failure` says why there are none."""

    problem: str
    peer: str
    runs: list[dict[str, Any]] = field(default_factory=list)
    failure: str = ""

    @property
    def rates(self) -> list[float]:
        return [run["rounds"] / run["seconds"] for run in self.runs]

    @property
    def rate(self) -> float:
        return median(self.rates)

    @property
    def rounds(self) -> int:
        """Played in every repeat, in whole steps."""
        return min(run["rounds"] for run in self.runs) // STEP * STEP

    def rate_in(self, rounds: int) -> float:
        """Of its first rounds."""
        return median(rounds / run["clock"][rounds // STEP - 1] for run in self.runs)

    def regret(self, rounds: int) -> list[float]:
        """Of each repeat, after so many rounds."""
        return [run["regret"][rounds // STEP - 1] for run in self.runs]

    @property
    def memory(self) -> float:
        return max(run["memory"] for run in self.runs)

    def said(self, what: str) -> str:
        """`setup`, `nearest`, `remark` or `version`, as the adapter has it."""
        return self.runs[0][what] if self.runs else ""


def play(
    python: Path, adapter: Path, kind: str, stream: Path, seed: int, limit: float, *more: str
) -> Any:
    """What play.py says, run in the peer's environment; what went wrong is under `failure`."""
    command = [python, "-W", "ignore", HERE / "play.py", adapter, kind, stream, seed, limit, *more]
    try:
        done = subprocess.run(
            [str(part) for part in command],
            capture_output=True,
            text=True,
            timeout=10 * limit + 120,
            env={**os.environ, **THREADS, "PYTHONPATH": ""},
            check=False,
        )
    except subprocess.TimeoutExpired:
        return {"failure": "did not come back in time"}
    if done.returncode:
        last = (done.stderr.strip() or f"ended with {done.returncode}").splitlines()[-1]
        return {"failure": f"failed: {last[:200]}"}
    return json.loads(done.stdout.splitlines()[-1])


def add(cell: Cell, found: dict[str, Any]) -> None:
    if "rounds" in found:
        cell.runs.append(found)
    else:
        cell.failure = found.get("failure") or found["absent"]
