"""How LNUCB-TA depends on its own settings."""

from __future__ import annotations

from dataclasses import dataclass

from hybandit.experiments.experiment import Cell, Experiment, Findings, Scale, spreads_table
from hybandit.experiments.paper.news import SHARED
from hybandit.experiments.section import Points, Section
from hybandit.experiments.specs import PolicySpec


@dataclass(frozen=True)
class Neighbours:
    """A range of k."""

    k_min: int
    k_max: int

    def __str__(self) -> str:
        return f"k {self.k_min} to {self.k_max}"


@dataclass(frozen=True)
class Kappa:
    """A value of kappa."""

    value: float

    def __str__(self) -> str:
        return f"kappa {self.value:g}"


RANGES = tuple(
    Neighbours(low, high) for low, high in ((1, 5), (1, 10), (1, 20), (1, 50), (3, 10), (5, 20))
)
KAPPAS = tuple(Kappa(value) for value in (0.0, 0.25, 0.5, 0.75, 1.0))


class Stability(Experiment):
    """Mean reward over the range of k and kappa."""

    id = "stability"
    title = "Stability over k and kappa"

    def cells(self, scale: Scale) -> tuple[Cell, ...]:
        return tuple(
            Cell.of(
                neighbours,
                kappa,
                SHARED.environment,
                PolicySpec("lnucb-ta", {**vars(neighbours), "kappa": kappa.value}),
                runs=scale.count(full=5, quick=2),
                seed=scale.seed,
            )
            for neighbours in RANGES
            for kappa in KAPPAS
        )

    def section(self, findings: Findings) -> Section:
        runs = findings.scale.count(full=5, quick=2)
        about = f"LNUCB-TA on the news log, shared unit-length contexts, 800 matches, {runs} seeds."
        table = spreads_table(findings, self.id, "Mean reward", "neighbours", "mean reward")
        points = Points(
            self.id,
            "Mean reward of LNUCB-TA over the range of k, for each kappa; bars are sd over seeds.",
            [str(neighbours) for neighbours in RANGES],
            {
                str(kappa): [findings.spread(each, kappa, "mean reward") for each in RANGES]
                for kappa in KAPPAS
            },
            "mean reward",
            1.0,
        )
        return Section(self.id, self.title, about, [table], [points])
