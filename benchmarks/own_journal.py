"""Whether estimates from a loop's own journal hold the truth.

    python -m benchmarks.own_journal [--loops 100] [--events 2000] [--control 0.05]

Loops with a database each are visited by people of four kinds, known by two numbers, and offer
four actions, as plain names or with features. Then the journal says what three policies would
have earned, whose values are known: an action that the loop seldom shows, the best action of each
kind, and the same with 30 % chance. Counts in how many loops the 95 % intervals hold the value:
the usual one, and the one by which the report tells people to go, which is the sure one while the
effective sample is below 100.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

for library in ("OMP", "OPENBLAS", "MKL", "NUMBA"):
    os.environ[f"{library}_NUM_THREADS"] = "1"

import numpy as np

from hybandit import Loop
from hybandit.estimators.item_table import ItemId
from hybandit.evaluation import Always, How, evaluate_many
from hybandit.evaluation.watch import SMALL_SAMPLE
from hybandit.policies import ItemPolicy
from hybandit.state import Floats

ACTIONS = ("tea", "beer", "milk", "wine")
# The chance of a reward, of every kind of people and action.
CHANCES = np.array(
    [[0.30, 0.10, 0.15, 0.20], [0.05, 0.25, 0.15, 0.10],
     [0.10, 0.10, 0.30, 0.15], [0.20, 0.40, 0.10, 0.10]]
)  # fmt: skip
SELDOM, CHANCE = "wine", 0.3
VALUES = {
    f"always {SELDOM}": CHANCES[:, ACTIONS.index(SELDOM)].mean(),
    "the best of each kind": CHANCES.max(axis=1).mean(),
    "the same with chance": (1.0 - CHANCE) * CHANCES.max(axis=1).mean() + CHANCE * CHANCES.mean(),
}
ESTIMATORS = ("ips", "snips", "doubly-robust")
# After so many visitors the loop has learned all that came.
STEP = 100


class BestOfKind(ItemPolicy):
    """Knows what pays most, and tells people by the signs of their two numbers."""

    name = "best-of-kind"
    # Where a context has the two numbers: set when the loop has said it.
    columns = (0, 0)

    def _start(self) -> None: ...

    def _values(self, context: Floats, items: Floats, ids: list[ItemId] | None) -> Floats:
        first, second = (int(context[column] > 0.0) for column in self.columns)
        assert ids is not None
        found: Floats = CHANCES[2 * first + second, [ACTIONS.index(str(each)) for each in ids]]
        return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--loops", type=int, default=100)
    parser.add_argument("--first-seed", type=int, default=0)
    parser.add_argument("--events", type=int, default=2000)
    parser.add_argument("--control", type=float, default=0.05)
    parser.add_argument("--runs", type=Path, default=Path("own-journal.jsonl"))
    options = parser.parse_args()
    lines = options.runs.read_text().splitlines() if options.runs.exists() else []
    known = [json.loads(line) for line in lines]
    with options.runs.open("a") as file:
        for seed in range(options.first_seed, options.first_seed + options.loops):
            for described in (False, True):
                run = {"seed": seed, "described": described, "events": options.events,
                       "control": options.control}  # fmt: skip
                if not any(run.items() <= each.items() for each in known):
                    known.append(run | {"found": estimated(**run)})
                    file.write(json.dumps(known[-1]) + "\n")
                    file.flush()
    for described in (False, True):
        told([run for run in known if run["described"] == described], described)


def estimated(*, seed: int, described: bool, events: int, control: float) -> list[list[Any]]:
    """Of each policy and estimator: the error, both intervals, and the effective sample."""
    with (
        tempfile.TemporaryDirectory() as folder,
        Loop(f"{folder}/loop.db", wait=None, control=control) as loop,
    ):
        visit(loop, seed, described, events)
        log = loop.log()
        shown = loop.features({"a": 1.0, "b": 1.0})
    column = dict(zip(shown.feature, shown.column, strict=True))
    knowing = [BestOfKind(*log.sizes, seed=0, explore=chance) for chance in (0.0, CHANCE)]
    for policy in knowing:
        policy.columns = int(column["a"]), int(column["b"])
    told = evaluate_many([Always(SELDOM), *knowing], log, How(learn="nothing"))
    return [
        [name, one.estimator, one.value, (one.bootstrap.low, one.bootstrap.high),
         (one.sure.low, one.sure.high), one.effective_sample_size]
        for name, each in zip(VALUES, told, strict=True)
        for one in each.estimates
    ]  # fmt: skip


def visit(loop: Loop, seed: int, described: bool, events: int) -> None:
    draw = np.random.default_rng([seed, 27])
    offer: Any = {name: {"kind": name} for name in ACTIONS} if described else list(ACTIONS)
    for number in range(events):
        first, second = draw.integers(2, size=2).tolist()
        context = {"a": 2.0 * first - 1.0, "b": 2.0 * second - 1.0}
        decision = loop.rank(context, offer, event=f"{seed} {number}")
        chance = CHANCES[2 * first + second, ACTIONS.index(decision.action)]
        loop.reward(decision.event, float(draw.random() < chance))
        if number % STEP == STEP - 1:
            loop.wait_for()


def told(runs: list[dict[str, Any]], described: bool) -> None:
    usual, by_report, samples = Counter[Any](), Counter[Any](), {}
    for run in runs:
        for name, estimator, _, ordinary, sure, sample in run["found"]:
            value, key = VALUES[name], (name, estimator)
            usual[key] += ordinary[0] <= value <= ordinary[1]
            low, high = sure if sample < SMALL_SAMPLE else ordinary
            by_report[key] += low <= value <= high
            samples.setdefault(key, []).append(sample)
    print(f"\n{len(runs)} loops of {'actions with features' if described else 'plain names'}\n")
    print("| policy | estimator | usual interval | by the report | effective sample, median |")
    print("| --- | --- | --- | --- | --- |")
    for key, held in samples.items():
        print(f"| {' | '.join(key)} | {usual[key]} | {by_report[key]} | {np.median(held):.0f} |")


if __name__ == "__main__":
    main()
