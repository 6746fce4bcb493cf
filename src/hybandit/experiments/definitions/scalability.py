"""Reward and run time as the stream and the neighbourhood grow."""

from __future__ import annotations

from hybandit.experiments.experiment import Experiment, Scale, cell
from hybandit.experiments.tasks import PolicySpec, World
from hybandit.experiments.worlds import PLAIN

STEPS = (2500, 5000, 7500)
ALPHAS = (0.1, 1.0, 10.0)
LARGEST_K = (5, 10, 20, 50)


def define(scale: Scale) -> Experiment:
    runs = scale.count(full=2, quick=1)
    cells = []
    for data in ("digits",) if scale.quick else ("digits", "mnist"):
        for steps in STEPS[:1] if scale.quick else STEPS:
            world = World("classification", {"data": data, "encoding": "standard", "rounds": steps})
            column = f"{data}, {steps:,}"
            for alpha in ALPHAS if data == "digits" else ALPHAS[:1]:
                for row, policy in {
                    "LinUCB": PolicySpec("lin-ucb", {"alpha": alpha}),
                    "k-NN UCB": PolicySpec("knn-ucb", {"theta": alpha, "max_k": 5}),
                    "(Lin+k-NN)-UCB": PolicySpec("lin-knn-ucb", {"alpha": alpha}),
                    "LNUCB-TA": PolicySpec("lnucb-ta", {"alpha": alpha}),
                }.items():
                    cells.append(
                        cell(f"{row}, {alpha:g}", column, world, policy, runs=runs, seed=scale.seed)
                    )
            if data == "digits":
                plain = PolicySpec(PLAIN, {"alpha": 1.0})
                label = "LNUCB-TA, 1, plain NumPy"
                cells.append(cell(label, column, world, plain, runs=runs, seed=scale.seed))
                for largest in LARGEST_K[1:]:
                    for row, name in (("(Lin+k-NN)-UCB", "lin-knn-ucb"), ("LNUCB-TA", "lnucb-ta")):
                        policy = PolicySpec(name, {"alpha": 1.0, "k_max": largest})
                        label = f"{row}, 1, k to {largest}"
                        cells.append(cell(label, column, world, policy, runs=runs, seed=scale.seed))
    about = (
        "A stand-in for the paper's article matching data, of which this log has too few matches: "
        f"the digits stream, gone through again and again, and MNIST. {runs} runs."
    )
    return Experiment("scalability", "Reward and run time by steps and k", about, tuple(cells))
