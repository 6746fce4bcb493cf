"""How LNUCB-TA depends on its own settings."""

from __future__ import annotations

import statistics

from hybandit.experiments.experiment import Cell, Effort, Findings, table_of
from hybandit.experiments.specs import PolicySpec
from hybandit.paper.experiment import PaperExperiment
from hybandit.paper.experiments.news_models import ARM, SHARED, Contexts
from hybandit.paper.experiments.parameters import STABLE
from hybandit.paper.judgement.judgements import Claim, all_within, differences
from hybandit.reports.section import Column, Points, ReportTable, Section
from hybandit.reports.spread import Spread

RANGES = {
    f"k {low} to {high}": {"k_min": low, "k_max": high}
    for low, high in ((1, 5), (1, 10), (1, 20), (1, 50), (3, 10), (5, 20))
}
KAPPAS = {f"kappa {value:g}": value for value in (0.0, 0.25, 0.5, 0.75, 1.0)}
# The paper's own settings, which all others are compared with.
OWN = "k 1 to 5", "kappa 0.5"
# Held is what the paper replays, shown beside it what LNUCB-TA does better with.
CONTEXTS = (ARM, SHARED)


class Stability(PaperExperiment):
    """Mean reward over the range of k and kappa."""

    id = "stability"
    title = "Stability over k and kappa"

    def _cells(self, effort: Effort) -> tuple[Cell, ...]:
        return tuple(
            Cell.of(
                neighbours,
                (contexts, kappa),
                contexts.environment,
                PolicySpec("lnucb-ta", {**settings, "kappa": value}),
                effort.seeds(),
            )
            for contexts in CONTEXTS
            for neighbours, settings in RANGES.items()
            for kappa, value in KAPPAS.items()
        )

    def section(self, findings: Findings) -> Section:
        about = (
            f"LNUCB-TA on the news log, 800 matches, {findings.effort.count()} seeds. Held: {ARM} "
            f"contexts, as in the other tables; shown beside: {SHARED}."
        )
        tables = [_table(findings, contexts) for contexts in CONTEXTS]
        figures = [_points(findings, contexts) for contexts in CONTEXTS]
        return Section(self.id, self.title, about, tables, figures)

    def claims(self, findings: Findings) -> list[Claim]:
        """The figure of error bars has no readable numbers: all against the paper's settings."""
        return [
            claim
            for contexts in CONTEXTS
            for claim in _stable(findings, contexts, said="" if contexts == ARM else ", not held")
        ]


def _stable(findings: Findings, contexts: Contexts, said: str) -> list[Claim]:
    rewards = {
        (neighbours, kappa): findings.values(neighbours, (contexts, kappa), "mean reward")
        for neighbours in RANGES
        for kappa in KAPPAS
    }
    reference = rewards.pop(OWN)
    gaps = differences(
        {f"{k}, {kappa}": (values, reference) for (k, kappa), values in rewards.items()}
    )
    if not gaps:
        return []
    mean = statistics.mean(reference.values())
    least, most = (choose(gaps, key=lambda each: gaps[each].mean) for choose in (min, max))
    told = f"from {gaps[least]} ({least}) to {gaps[most]} ({most}) beside {mean:.3f}"
    claim = (
        f"Figure of error bars: the mean reward hardly depends on k and kappa (within {STABLE:.0%} "
        f"of that at {OWN[0]}, {OWN[1]}; {contexts} contexts{said})"
    )
    return [Claim(Stability.id, claim, told, all_within(gaps.values(), STABLE * mean))]


def _table(findings: Findings, contexts: Contexts) -> ReportTable:
    columns = {
        Column(kappa, Spread): findings.of((contexts, kappa), "mean reward") for kappa in KAPPAS
    }
    title = f"Mean reward, {contexts} contexts"
    return table_of(_name(contexts), title, "neighbours", RANGES, columns)


def _points(findings: Findings, contexts: Contexts) -> Points:
    return Points(
        _name(contexts),
        f"Mean reward of LNUCB-TA over the range of k, for each kappa, {contexts} contexts; bars "
        "are sd over seeds.",
        list(RANGES),
        {
            kappa: [findings.spread(each, (contexts, kappa), "mean reward") for each in RANGES]
            for kappa in KAPPAS
        },
        "mean reward",
        1.0,
        "range of k",
    )


def _name(contexts: Contexts) -> str:
    return "stability" if contexts == ARM else "stability-shared"
