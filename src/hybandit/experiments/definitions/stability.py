"""How LNUCB-TA depends on its own settings."""

from __future__ import annotations

from hybandit.experiments.definitions.news import WORLDS
from hybandit.experiments.experiment import Experiment, Scale, cell
from hybandit.experiments.tasks import PolicySpec

RANGES = ((1, 5), (1, 10), (1, 20), (1, 50), (3, 10), (5, 20))
KAPPAS = (0.0, 0.25, 0.5, 0.75, 1.0)


def define(scale: Scale) -> Experiment:
    runs = scale.count(full=5, quick=2)
    cells = tuple(
        cell(
            f"k {low} to {high}",
            f"kappa {kappa:g}",
            WORLDS["shared, unit"],
            PolicySpec("lnucb-ta", {"k_min": low, "k_max": high, "kappa": kappa}),
            runs=runs,
            seed=scale.seed,
        )
        for low, high in RANGES
        for kappa in KAPPAS
    )
    about = f"LNUCB-TA on the news log, shared unit-length contexts, 800 matches, {runs} seeds."
    return Experiment("stability", "Stability over k and kappa", about, cells)
