"""Models a to d: what each part adds."""

from __future__ import annotations

from hybandit.experiments.definitions.news import WORLDS
from hybandit.experiments.definitions.parameters import FINE
from hybandit.experiments.experiment import Experiment, Scale, cell
from hybandit.experiments.tasks import PolicySpec

MODELS = {
    "a: LinUCB": ("lin-ucb", {}),
    "b: with attention": ("lin-ucb", {"rate": "attention"}),
    "c: with neighbours": ("lin-knn-ucb", {}),
    "d: LNUCB-TA": ("lnucb-ta", {}),
    "d, fitting rewards": ("lnucb-ta", {"target": "reward"}),
}


def define(scale: Scale) -> Experiment:
    runs = scale.count(full=5, quick=2)
    cells = tuple(
        cell(
            model,
            f"{column}, alpha {alpha:g}",
            WORLDS[column],
            PolicySpec(policy, {**settings, "alpha": alpha}),
            runs=runs,
            seed=scale.seed,
        )
        for column in ("arm, raw", "shared, unit")
        for model, (policy, settings) in MODELS.items()
        for alpha in FINE
    )
    alphas = ", ".join(f"{alpha:g}" for alpha in FINE)
    about = f"Mean reward over 800 matches of the news log, alpha {alphas}, {runs} seeds."
    return Experiment("ablation", "Ablation: models a to d", about, cells)
