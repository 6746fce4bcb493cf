"""Plain clicks and revenue: where contexts tell little and rewards are mostly noise."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from hybandit.experiments.experiment import Cell, Effort, Findings, Row, spreads_table
from hybandit.experiments.specs import EnvironmentSpec, PolicySpec
from hybandit.paper.experiment import PaperExperiment
from hybandit.paper.experiments.headline import OURS
from hybandit.reports.section import Column, Lines, ReportTable, Section, texts

# Kinds of worlds by title: the columns of the tables.
PLACES = {
    "clicks, 4 arms": "clicks-4",
    "clicks, 10 arms": "clicks-10",
    "clicks, 3 segments": "segments",
    "revenue": "revenue",
    "linear, noise 1": "linear",
    "orders": "orders",
    "clicks by weekday": "weekdays",
    "prices": "prices",
    "clicks by town": "towns",
    "donations": "donations",
}
# With rewards beyond 0 to 1, which some policies do not take.
AMOUNTS = ("revenue", "linear, noise 1", "orders", "prices", "donations")
LONG_PLACES = list(PLACES)[:3]
# On prices StackedHybrid was measured, and nothing of it was mended; donations nobody had looked at
# before it had its present form. Orders, clicks by weekday and clicks by town were such worlds,
# too, until something was mended on each.
UNSEEN = ["prices", "donations"]
RANDOM = Row("random play", PolicySpec("epsilon-greedy", {"epsilon": 1.0}))


def tried(name: str, policy: str, setting: str, values: Sequence[float]) -> tuple[Row, ...]:
    """A policy as published, the first value, and at others."""
    return tuple(
        Row(name, PolicySpec(policy, {setting: value}), f"{setting} {value:g}") for value in values
    )


CLICKS_ONLY = (
    Row("Beta Thompson", PolicySpec("beta-thompson")),
    *tried("KL-UCB", "kl-ucb", "c", (1.0, 0.3, 0.1)),
)
NEURAL = (
    Row("NeuralUCB", PolicySpec("neural-ucb", {"lam": 1e-5, "nu": 1e-5}), "published"),
    Row("NeuralUCB", PolicySpec("neural-ucb"), "default"),
)
RIVALS = (
    *tried("LinUCB", "lin-ucb", "alpha", (1.0, 0.1, 0.3, 10.0, 30.0)),
    *tried("LinTS", "lin-ts", "v", (1.0, 0.1, 0.3, 3.0, 10.0)),
    *tried("UCB", "ucb", "rho", (2.0, 0.03, 0.1, 100.0, 300.0)),
    *CLICKS_ONLY,
    *NEURAL,
)
SHOWN = (OURS, RIVALS[2], RIVALS[6], RIVALS[11], CLICKS_ONLY[0])
# From 1,000 on are the seeds of runs that were looked at before the last change of StackedHybrid.
FIRST_SEED = 2_000
ROUNDS, LONG = 20_000, 200_000


class Plain(PaperExperiment):
    """Regret a round, the worst run, and whether regret flattens."""

    id = "plain"
    title = "Plain clicks and revenue"

    def _cells(self, effort: Effort) -> tuple[Cell, ...]:
        cells = []
        for place in PLACES:
            environment = _environment(place, effort.rounds(ROUNDS, 500))
            for model in (OURS, RANDOM, *RIVALS):
                if place not in AMOUNTS or model not in CLICKS_ONLY:
                    seeds = effort.seeds(full=3 if model in NEURAL else 20, first=FIRST_SEED)
                    cells.append(model.cell(place, environment, seeds))
        for place in LONG_PLACES:
            environment = _environment(place, effort.rounds(LONG, 1_000))
            seeds = effort.seeds(full=3, quick=1, first=FIRST_SEED)
            cells += [model.cell(_long(place), environment, seeds) for model in SHOWN]
        return tuple(cells)

    def section(self, findings: Findings) -> Section:
        about = (
            f"Few arms and features, rare clicks or rare large rewards; {ROUNDS:,} rounds, 20 runs "
            f"(networks 3). StackedHybrid was shaped on all worlds but {' and '.join(UNSEEN)}, at "
            "other seeds."
        )
        short = Findings(
            [cell for cell in findings.cells if cell.column in PLACES],
            findings.effort,
            findings.results,
        )
        tables = [
            spreads_table(short, "plain", "Regret of a run: mean ± sd", "regret"),
            _ratios(findings),
        ]
        long = {_long(place): place for place in LONG_PLACES}
        curves = findings.panels(long, SHOWN, "regrets")
        caption = f"Cumulative regret over {LONG:,} rounds, mean of three runs."
        picture = Lines("plain", caption, curves, "round", "cumulative regret", logarithmic=True)
        return Section(self.id, self.title, about, tables, [picture])


def _environment(place: str, rounds: int) -> EnvironmentSpec:
    return EnvironmentSpec("plain", {"kind": PLACES[place], "rounds": rounds})


def _long(place: str) -> str:
    return f"{place}, long"


def _ratios(findings: Findings) -> ReportTable:
    """Ours against the best rival of each world, and its worst run against random play."""
    columns = [
        *texts("world", "best rival"),
        *(Column(head, float) for head in ("its regret", "ours")),
        *(Column(head, float, ".2f") for head in ("ours / best", "our worst run / random play")),
    ]
    rows: list[list[str | float]] = []
    for place in PLACES:
        ours = list(findings.values(OURS, place, "regret").values())
        chance = list(findings.values(RANDOM, place, "regret").values())
        rivals = [
            (float(np.mean(list(found.values()))), str(model))
            for model in RIVALS
            if (found := findings.values(model, place, "regret"))
        ]
        if ours and chance and rivals:
            least, name = min(rivals)
            mean, worst = float(np.mean(ours)), max(ours) / float(np.mean(chance))
            rows.append([place, name, least, mean, mean / least, worst])
    note = "The best of all rivals and settings, known afterwards."
    return ReportTable("plain-ratios", "StackedHybrid and the best rival", columns, rows, note=note)
