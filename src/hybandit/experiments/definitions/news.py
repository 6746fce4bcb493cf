"""The news log by replay: the paper's news table and its first figure."""

from __future__ import annotations

from hybandit.experiments.experiment import Experiment, Scale, cell
from hybandit.experiments.tasks import PolicySpec, World

ALPHAS = (0.1, 1.0, 10.0)
WORLDS = {
    "arm, raw": World("replay", {"contexts": "arm", "scale": "raw"}),
    "shared, unit": World("replay", {"contexts": "shared", "scale": "unit"}),
    "shared, standardised": World("replay", {"contexts": "shared", "scale": "standard"}),
}


def policies(alpha: float) -> dict[str, PolicySpec]:
    """The models of the paper's table at one exploration rate, and our own."""
    return {
        "LinUCB": PolicySpec("lin-ucb", {"alpha": alpha, "ties": "first"}),
        "k-NN UCB": PolicySpec("knn-ucb", {"theta": alpha, "max_k": 5}),
        "(Lin+k-NN)-UCB": PolicySpec("lin-knn-ucb", {"alpha": alpha, "ties": "first"}),
        "LNUCB-TA": PolicySpec("lnucb-ta", {"alpha": alpha}),
        "StackedHybrid": PolicySpec("stacked-hybrid", {"alpha": alpha}),
    }


def define(scale: Scale) -> Experiment:
    runs = scale.count(full=10, quick=2)
    cells = []
    for column, world in WORLDS.items():
        for alpha in ALPHAS:
            for model, policy in policies(alpha).items():
                # The log has one order: with first ties nothing is left to chance.
                count = 1 if policy.settings.get("ties") == "first" else runs
                row = f"{model}, {alpha:g}"
                cells.append(cell(row, column, world, policy, runs=count, seed=scale.seed))
        for row, policy in {
            "LinUCB, 0.01": PolicySpec("lin-ucb", {"alpha": 0.01, "ties": "first"}),
            "StackedHybrid, default (0.3)": PolicySpec("stacked-hybrid"),
        }.items():
            count = 1 if policy.name == "lin-ucb" else runs
            cells.append(cell(row, column, world, policy, runs=count, seed=scale.seed))
    about = (
        "10,000 logged events, walked through until 800 choices equal the logged arm; other events "
        f"are neither learned nor counted. {runs} seeds where the policy draws. Contexts: each "
        "arm's own ten integers (arm), or all hundred for every arm (shared)."
    )
    return Experiment("news", "News recommendation by replay", about, tuple(cells))
