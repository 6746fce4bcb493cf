"""Which settings of the paper's grids suit each data set: on seeds that are not reported."""

from __future__ import annotations

from typing import Any

from hybandit.experiments.definitions.regret import COLUMNS
from hybandit.experiments.experiment import Experiment, Scale, cell
from hybandit.experiments.grids import PAPER, grid
from hybandit.experiments.tasks import World

# Far from the seeds of any reported run.
FIRST_SEED = 100_000
# Twenty settings of minutes each: these run their defaults.
TOO_SLOW = {("mnist", "neural-ucb"), ("mnist", "neural-ts")}


def define(scale: Scale) -> Experiment:
    cells = []
    for column, (data, encoding) in COLUMNS.items():
        large = data == "mnist"
        rounds = 200 if scale.quick else 1000 if large else 2000
        # Few runs would hide that a setting now and then settles on one arm for good.
        runs = scale.count(full=3 if large else 10, quick=1)
        settings: dict[str, Any] = {"data": data, "encoding": encoding, "rounds": rounds}
        world = World("classification", settings)
        for policy in PAPER:
            if (data, policy) in TOO_SLOW:
                continue
            cells += [
                cell(spec.label, column, world, spec, runs=runs, seed=FIRST_SEED + scale.seed)
                for spec in grid(policy)
            ]
    length = "a run of 200 rounds"
    if not scale.quick:
        length = "10 runs of 2,000 rounds (MNIST: 3 of 1,000)"
    about = (
        f"Every setting of the paper's grids, {length} on seeds from "
        f"{FIRST_SEED:,}. The lowest mean regret is picked, and the table of regrets runs it on "
        "other seeds. (The published habit picks on the very runs that are reported.) "
        "NeuralUCB and NeuralTS are not searched on MNIST, where they run "
        "their defaults, lam 0.001 and nu 0.1."
    )
    title = "Settings, searched on separate seeds"
    return Experiment("tuning", title, about, tuple(cells), not scale.quick)
