"""How LNUCB-TA depends on its own settings."""

from __future__ import annotations

from dataclasses import dataclass

from hybandit.experiments.experiment import Cell, Experiment, Findings, Scale, spreads_table
from hybandit.experiments.judgements import Claim
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
# "Relatively stable": this share of the highest mean at most.
STABLE = 0.1
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
            "range of k",
        )
        return Section(self.id, self.title, about, [table], [points])

    def claims(self, findings: Findings) -> list[Claim]:
        """The figure of error bars has no readable numbers; the range of our means has."""
        means = [
            found.mean
            for neighbours in RANGES
            for kappa in KAPPAS
            if (found := findings.spread(neighbours, kappa, "mean reward"))
        ]
        if len(means) < len(RANGES) * len(KAPPAS):
            return []
        low, high = min(means), max(means)
        told = f"means from {low:.2f} to {high:.2f}, {(high - low) / high:.0%} apart"
        claim = "Figure of error bars: the mean reward hardly depends on k and kappa (10 %, say)"
        return [Claim(self.id, claim, told, high - low <= STABLE * high)]
