"""Nine models, six settings each: the paper's parameter table."""

from __future__ import annotations

from typing import Any

from hybandit.experiments.definitions.news import WORLDS
from hybandit.experiments.experiment import Experiment, Scale, cell
from hybandit.experiments.tasks import PolicySpec

SIX = (0.1, 0.5, 1.0, 2.0, 5.0, 10.0)
FINE = (0.01, 0.05, 0.1, 0.5, 1.0, 10.0)
PAIRS = ((1, 1), (2, 2), (0.5, 0.5), (3, 1), (1, 3), (4, 4))
EPSILONS = (0.01, 0.05, 0.1, 0.2, 0.25, 0.5)
MODELS: dict[str, tuple[str, list[dict[str, Any]]]] = {
    "BetaThompson": ("beta-thompson", [{"a": a, "b": b} for a, b in PAIRS]),
    "EpsilonGreedy": ("epsilon-greedy", [{"epsilon": epsilon} for epsilon in EPSILONS]),
    "KL-UCB": ("kl-ucb", [{"c": c} for c in SIX]),
    "k-NN KL-UCB": ("knn-kl-ucb", [{"theta": c, "max_k": 5} for c in SIX]),
    "k-NN UCB": ("knn-ucb", [{"theta": rho, "max_k": 5} for rho in SIX]),
    "LinTS": ("lin-ts", [{"v": v} for v in SIX]),
    "LinUCB": ("lin-ucb", [{"alpha": alpha, "ties": "first"} for alpha in FINE]),
    "UCB": ("ucb", [{"rho": rho} for rho in SIX]),
    "LNUCB-TA": ("lnucb-ta", [{"alpha": alpha} for alpha in FINE]),
}


def define(scale: Scale) -> Experiment:
    return grid(
        scale,
        "parameters",
        "Nine models, six settings each",
        "The news log by replay, arm contexts, raw integers, 800 matches.",
        MODELS,
    )


def grid(
    scale: Scale,
    name: str,
    title: str,
    about: str,
    models: dict[str, tuple[str, list[dict[str, Any]]]],
) -> Experiment:
    """Rows are models, columns numbered settings."""
    runs = scale.count(full=10, quick=2)
    cells = tuple(
        cell(
            model,
            str(number),
            WORLDS["arm, raw"],
            PolicySpec(policy, settings),
            runs=1 if settings.get("ties") == "first" else runs,
            seed=scale.seed,
        )
        for model, (policy, every) in models.items()
        for number, settings in enumerate(every)
    )
    return Experiment(name, title, f"{about} {runs} seeds where the policy draws.", cells)
