"""The paper's table of regrets: four data sets, two encodings."""

from __future__ import annotations

from typing import Any

from hybandit.experiments.experiment import Experiment, Scale, cell
from hybandit.experiments.tasks import PolicySpec, World

DATA = {"Adult": "adult", "Magic": "magic", "MNIST": "mnist", "Mushroom": "mushroom"}
ENCODINGS = ("ordinal", "standard")
POLICIES = {
    "LinUCB, alpha 1": PolicySpec("lin-ucb", {"alpha": 1.0}),
    "LinUCB, alpha 0.1": PolicySpec("lin-ucb", {"alpha": 0.1}),
    "LinTS, v 1": PolicySpec("lin-ts", {"v": 1.0}),
    "LinTS, v sqrt(0.1)": PolicySpec("lin-ts", {"v": 0.1**0.5}),
    "(Lin+k-NN)-UCB, alpha 0.1": PolicySpec("lin-knn-ucb", {"alpha": 0.1}),
    "LNUCB-TA": PolicySpec("lnucb-ta"),
    "LNUCB-TA, k to 50": PolicySpec("lnucb-ta", {"k_max": 50}),
    "StackedHybrid": PolicySpec("stacked-hybrid"),
}


def define(scale: Scale) -> Experiment:
    runs = scale.count(full=20, quick=2)
    cells = []
    for title, data in DATA.items():
        for encoding in ENCODINGS:
            if data == "mnist" and encoding == "ordinal":
                continue  # Pixels have no categories: both encodings are the same.
            settings: dict[str, Any] = {"data": data, "encoding": encoding}
            if scale.quick:
                settings["rounds"] = 1000 if data == "mnist" else 2000
            world = World("classification", settings)
            for row, policy in POLICIES.items():
                column = f"{title}, {encoding}"
                cells.append(cell(row, column, world, policy, runs=runs, seed=scale.seed))
    rounds = "2,000 rounds or fewer" if scale.quick else "T = 10,000 (Mushroom 8,124)"
    about = (
        f"Classification as a bandit: the right class pays 1. {runs} shuffles, {rounds}. "
        "MNIST's pixels share one unit: its rows are only scaled to unit length."
    )
    return Experiment("regret", "Regret on four data sets", about, tuple(cells), not scale.quick)
