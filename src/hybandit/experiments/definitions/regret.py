"""The paper's table of regrets: four data sets, two encodings."""

from __future__ import annotations

from typing import Any

from hybandit.experiments.experiment import Experiment, Scale, cell
from hybandit.experiments.grids import picked
from hybandit.experiments.tasks import PolicySpec, Settings, World

DATA = {"Adult": "adult", "Magic": "magic", "MNIST": "mnist", "Mushroom": "mushroom"}
ENCODINGS = ("ordinal", "standard")
# Pixels have no categories: MNIST is the same in both encodings.
COLUMNS = {
    f"{title}, {encoding}": (data, encoding)
    for title, data in DATA.items()
    for encoding in ENCODINGS
    if (data, encoding) != ("mnist", "ordinal")
}
POLICIES = {
    "LinUCB, alpha 1": PolicySpec("lin-ucb", {"alpha": 1.0}),
    "LinUCB, alpha 0.1": PolicySpec("lin-ucb", {"alpha": 0.1}),
    "LinTS, v 1": PolicySpec("lin-ts", {"v": 1.0}),
    "LinTS, v sqrt(0.1)": PolicySpec("lin-ts", {"v": 0.1**0.5}),
    "KernelUCB": PolicySpec("kernel-ucb"),
    "KernelTS": PolicySpec("kernel-ts"),
    "BootstrapNN": PolicySpec("bootstrap-nn"),
    "neural epsilon-greedy": PolicySpec("neural-epsilon-greedy"),
    "NeuralUCB": PolicySpec("neural-ucb"),
    "NeuralTS": PolicySpec("neural-ts"),
    "NeuralLinear": PolicySpec("neural-linear"),
    "NPR": PolicySpec("npr"),
    "NeuralBandit": PolicySpec("neural-bandit"),
    "(Lin+k-NN)-UCB, alpha 0.1": PolicySpec("lin-knn-ucb", {"alpha": 0.1}),
    "LNUCB-TA": PolicySpec("lnucb-ta"),
    "LNUCB-TA, k to 50": PolicySpec("lnucb-ta", {"k_max": 50}),
    "StackedHybrid": PolicySpec("stacked-hybrid"),
}
KERNEL = ("kernel-ucb", "kernel-ts")
# A run of these takes minutes on MNIST.
NEURAL = (
    "neural-epsilon-greedy",
    "neural-ucb",
    "neural-ts",
    "bootstrap-nn",
    "neural-linear",
    "npr",
    "neural-bandit",
)


def define(scale: Scale) -> Experiment:
    cells = []
    for column, (data, encoding) in COLUMNS.items():
        settings: dict[str, Any] = {"data": data, "encoding": encoding}
        if scale.quick:
            settings["rounds"] = 1000 if data == "mnist" else 2000
        world = World("classification", settings)
        for row, policy in POLICIES.items():
            tuned = PolicySpec(policy.name, policy.settings | _picked(column, policy.name))
            few = data == "mnist" and policy.name in NEURAL
            runs = scale.count(full=5 if few else 20, quick=1 if few else 2)
            cells.append(cell(row, column, world, tuned, runs=runs, seed=scale.seed))
    rounds = "2,000 rounds or fewer" if scale.quick else "T = 10,000 (Mushroom 8,124)"
    about = (
        f"Classification as a bandit: the right class pays 1. {rounds}; a run is a shuffle, and "
        "the last column tells how many there were. MNIST's pixels share one unit: its rows are "
        "only scaled to unit length."
    )
    return Experiment("regret", "Regret on four data sets", about, tuple(cells), not scale.quick)


def _picked(column: str, policy: str) -> Settings:
    """What the search on separate seeds found (see `definitions.tuning`)."""
    return picked().get(column, {}).get(policy, {})
