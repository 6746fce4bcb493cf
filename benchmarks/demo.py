"""`python -m benchmarks.demo`: the race of `hybandit demo`, without its clock, over several seeds.

A loop whose time is that of the visitors meets them as fast as it can. It has always learned what
a loop would have that is at most a hundred visitors behind. Runs are kept and not played again.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from dataclasses import asdict
from pathlib import Path
from typing import Any

from hybandit.loop import Loop
from hybandit.service.demo.race import FIXED, LOOP, WINDOW, Race

VISITORS, RATE = 12_000, 100.0
STEP, START = 100, 1.7e9


class ClockedLoop(Loop):
    """A loop whose time is set."""

    time = START

    @classmethod
    def _now(cls) -> float:
        return cls.time


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.demo", description=__doc__)
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--first-seed", type=int, default=100)
    parser.add_argument("--visitors", type=int, default=VISITORS)
    parser.add_argument("--runs", type=Path, default=Path("demo-runs.jsonl"))
    options = parser.parse_args()
    known = [json.loads(line) for line in options.runs.read_text().splitlines()] if (
        options.runs.exists()) else []  # fmt: skip
    for seed in range(options.first_seed, options.first_seed + options.seeds):
        if any(run["seed"] == seed and run["visitors"] == options.visitors for run in known):
            continue
        known.append(played(options.visitors, seed))
        with options.runs.open("a") as file:
            file.write(json.dumps(known[-1]) + "\n")
    print(written([run for run in known if run["visitors"] == options.visitors]))


def played(visitors: int, seed: int) -> dict[str, Any]:
    """One race; when the verdict was reached first, and what was true."""
    race, reached = Race(visitors, RATE, seed), None
    with tempfile.TemporaryDirectory() as folder:
        ClockedLoop.time = START
        with ClockedLoop(f"{folder}/shop.db", **race.settings()) as loop:
            for number in range(visitors):
                ClockedLoop.time = START + number / RATE
                race.visit(loop, ClockedLoop.time)
                if number % STEP == STEP - 1:
                    settle(loop, race)
                    if reached is None and loop.verdict().answer != "cannot tell yet":
                        reached = number + 1
            for _ in range(40):
                ClockedLoop.time += WINDOW / 30
                race.arrive(loop, ClockedLoop.time)
            settle(loop, race)
            verdict = loop.verdict()
    gain = race.clicks[LOOP].mean() - race.clicks[FIXED].mean()
    return {
        "seed": seed, "visitors": visitors, "leads": [asdict(lead) for lead in race.leads],
        "verdict": verdict.answer, "gain": verdict.gain, "low": verdict.low, "high": verdict.high,
        "reached": reached, "truth": "better" if gain > 0.0 else "worse",
    }  # fmt: skip


def settle(loop: ClockedLoop, race: Race) -> None:
    """Let the loop learn all whose window is over."""
    passed = (ClockedLoop.time - START - WINDOW) * RATE
    loop.wait_for(int(min(max(passed, 0.0), race.done)), timeout=600.0)


def written(runs: list[dict[str, Any]]) -> str:
    """A table in Markdown, and what it comes to."""
    heads = [f"ahead of {lead['player']}" for lead in runs[0]["leads"][1:]]
    heads = ["seed", "loop", *heads, "verdict", "reached at"]
    lines = [f"| {' | '.join(heads)} |", "|---" * len(heads) + "|"]
    for run in runs:
        leads = [f"{each['lead']:+.4f} [{each['low']:+.4f}, {each['high']:+.4f}]"
                 for each in run["leads"][1:]]  # fmt: skip
        told = f"{run['verdict']} {run['gain']:+.4f} [{run['low']:+.4f}, {run['high']:+.4f}]"
        row = [str(run["seed"]), f"{run['leads'][0]['share']:.4f}", *leads, told,
               str(run["reached"] or "never")]  # fmt: skip
        lines.append(f"| {' | '.join(row)} |")
    count = len(runs)
    for place, lead in enumerate(runs[0]["leads"][1:], 1):
        above = sum(run["leads"][place]["low"] > 0.0 for run in runs)
        behind = sum(run["leads"][place]["high"] < 0.0 for run in runs)
        lines.append(f"\n{lead['player']}: ahead in {above} of {count}, behind in {behind}.")
    right = sum(run["verdict"] in ("cannot tell yet", run["truth"]) for run in runs)
    early = sum(run["reached"] is not None for run in runs)
    lines.append(f"\nVerdict not wrong in {right} of {count}, reached in {early}.")
    return "\n".join(lines)


if __name__ == "__main__":
    main()
