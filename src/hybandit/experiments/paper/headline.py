"""The policies of the tables of regrets."""

from __future__ import annotations

from hybandit.experiments import grids
from hybandit.experiments.experiment import Model
from hybandit.experiments.specs import PolicySpec

OURS = Model("StackedHybrid", PolicySpec("stacked-hybrid"))
PAPERS = Model("LNUCB-TA", PolicySpec("lnucb-ta"))
LIN_UCB = Model("LinUCB", PolicySpec("lin-ucb", {"alpha": 1.0}), "alpha 1")
LIN_TS = Model("LinTS", PolicySpec("lin-ts", {"v": 0.1**0.5}), "v sqrt(0.1)")
_KERNEL = {"KernelUCB": "kernel-ucb", "KernelTS": "kernel-ts"}
FROZEN = tuple(
    Model(name, PolicySpec(each, grids.FROZEN), "frozen") for name, each in _KERNEL.items()
)
LEARNING = tuple(Model(name, PolicySpec(each), "learning on") for name, each in _KERNEL.items())
# A run of these takes minutes on MNIST.
NEURAL = tuple(
    Model(name, PolicySpec(policy))
    for name, policy in {
        "BootstrapNN": "bootstrap-nn",
        "neural epsilon-greedy": "neural-epsilon-greedy",
        "NeuralUCB": "neural-ucb",
        "NeuralTS": "neural-ts",
        "NeuralLinear": "neural-linear",
        "NPR": "npr",
        "NeuralBandit": "neural-bandit",
    }.items()
)
MODELS = (
    LIN_UCB,
    Model("LinUCB", PolicySpec("lin-ucb", {"alpha": 0.1}), "alpha 0.1"),
    Model("LinTS", PolicySpec("lin-ts", {"v": 1.0}), "v 1"),
    LIN_TS,
    *FROZEN,
    *LEARNING,
    *NEURAL,
    Model("(Lin+k-NN)-UCB", PolicySpec("lin-knn-ucb", {"alpha": 0.1}), "alpha 0.1"),
    PAPERS,
    Model("LNUCB-TA", PolicySpec("lnucb-ta", {"k_max": 50}), "k to 50"),
    OURS,
)
# Few enough for a readable figure; the tables have all.
SHOWN = (
    LIN_UCB,
    LIN_TS,
    LEARNING[0],
    *(model for model in NEURAL if model.name in ("BootstrapNN", "NeuralUCB", "NeuralTS")),
    PAPERS,
    OURS,
)
TRAINED = (
    "Kernel policies: frozen keeps the first 1,000 points and ignores the rest, as published; "
    "learning on keeps 500 and learns later rewards within what these span. Networks: one hidden "
    "layer of 100 units, 100 steps on batches of 512 every 50 rounds, oftener while there are "
    "few; BootstrapNN's ten networks take 50 steps each."
)
