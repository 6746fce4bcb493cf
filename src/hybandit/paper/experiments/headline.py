"""The policies of the tables of regrets."""

from __future__ import annotations

from hybandit.experiments.experiment import Row
from hybandit.experiments.specs import PolicySpec
from hybandit.paper.players import grids

OURS = Row("StackedHybrid", PolicySpec("stacked-hybrid"))
PAPERS = Row("LNUCB-TA", PolicySpec("lnucb-ta"))
# As its authors seem to have run it, by the printed regrets.
FITTED = Row("LNUCB-TA", PolicySpec("lnucb-ta", {"target": "reward"}), "fitted to rewards")
LIN_UCB = Row("LinUCB", PolicySpec("lin-ucb", {"alpha": 1.0}), "alpha 1")
LIN_TS = Row("LinTS", PolicySpec("lin-ts", {"v": 0.1**0.5}), "v sqrt(0.1)")
_KERNEL = {"KernelUCB": "kernel-ucb", "KernelTS": "kernel-ts"}
FROZEN = tuple(
    Row(name, PolicySpec(each, grids.FROZEN), "frozen") for name, each in _KERNEL.items()
)
# A quarter of a minute a run. KernelTS costs as much and had more regret on every data set.
LEARNING = Row("KernelUCB", PolicySpec("kernel-ucb"), "learning on")
ENSEMBLE = "BootstrapNN"
NEURAL = tuple(
    Row(name, PolicySpec(policy))
    for name, policy in {
        ENSEMBLE: "bootstrap-nn",
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
    Row("LinUCB", PolicySpec("lin-ucb", {"alpha": 0.1}), "alpha 0.1"),
    Row("LinTS", PolicySpec("lin-ts", {"v": 1.0}), "v 1"),
    LIN_TS,
    *FROZEN,
    LEARNING,
    *NEURAL,
    Row("(Lin+k-NN)-UCB", PolicySpec("lin-knn-ucb", {"alpha": 0.1}), "alpha 0.1"),
    PAPERS,
    FITTED,
    Row("LNUCB-TA", PolicySpec("lnucb-ta", {"k_max": 50}), "k to 50"),
    OURS,
)
# Few enough for a readable figure; the tables have all.
SHOWN = (
    LIN_UCB,
    LIN_TS,
    LEARNING,
    *(model for model in NEURAL if model.name in ("NeuralUCB", "NeuralTS", "NeuralLinear")),
    PAPERS,
    OURS,
)
TRAINED = (
    "Kernel policies: frozen ignores all after the first 1,000 points, as published; learning on "
    "learns it within the span of as many points as the search picks. Networks: one hidden layer "
    "of 100 units, 100 steps on batches of 512 every 50 rounds, oftener while there are few; "
    "BootstrapNN's ten networks take 50 steps each."
)
