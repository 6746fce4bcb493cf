"""Theorems 1 and 2 against simulation."""

from __future__ import annotations

from hybandit.experiments.experiment import Experiment, Scale, cell
from hybandit.experiments.tasks import PolicySpec, World

LINEAR = PolicySpec("lin-ucb", {"alpha": 0.1, "reg": 0.01})


def define(scale: Scale) -> Experiment:
    simulations = scale.count(full=200, quick=50)
    runs = scale.count(full=5, quick=2)
    longest = 10_000 if scale.quick else 100_000
    ball = World("theory", {"check": "ball", "n_features": 5, "rounds": 500})
    bound = World("theory", {"check": "bound", "n_features": 5, "rounds": longest})
    slope = World("theory", {"check": "slope"})
    seed = scale.seed
    return Experiment(
        "theory",
        "The theorems, checked",
        "sigma = 0.1, W = B = 1, delta = 0.05, lambda = sigma^2 / W^2, d = 5. Theorem 2 holds the "
        "sum of rewards fixed, as the paper does. Noise is uniform within sigma for the ball, and "
        "Gaussian of sd sigma, which the proof allows as well, for the bound.",
        (
            cell("confidence ball", "ball", ball, LINEAR, runs=simulations, seed=seed),
            cell("LinUCB", "bound", bound, LINEAR, runs=runs, seed=seed),
            cell("LNUCB-TA", "bound", bound, PolicySpec("lnucb-ta"), runs=min(runs, 2), seed=seed),
            cell("attention slope", "slope", slope, PolicySpec("lnucb-ta"), runs=1, seed=seed),
        ),
    )
