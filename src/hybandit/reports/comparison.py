"""The report of `hybandit compare`."""

from __future__ import annotations

import statistics

from hybandit.experiments import Run
from hybandit.experiments.experiment import Experiment
from hybandit.reports.figures import curves
from hybandit.reports.numbers import Spread, paired
from hybandit.reports.page import Section
from hybandit.reports.sections.common import measured
from hybandit.reports.tables import TableView


def comparison_section(experiment: Experiment, results: dict[str, Run]) -> Section:
    """Policies best first, each against the best by pairs of equal seeds."""
    runs = {cell.row: found for cell in experiment.cells if (found := cell.runs(results))}
    if not runs:
        return Section("compare", experiment.title, "No run has finished yet.")
    by_regret = all(run.regret is not None for row in runs.values() for run in row.values())
    measure = "regret" if by_regret else "reward"
    values = {
        row: {seed: measured(run, measure) for seed, run in found.items()}
        for row, found in runs.items()
    }
    ranked = sorted(
        values, key=lambda row: Spread.of(list(values[row].values())).mean, reverse=not by_regret
    )
    rows = []
    for row in ranked:
        difference = paired(values[row], values[ranked[0]])
        speed = [run.rounds / run.seconds for run in runs[row].values()]
        rows.append(
            [
                row,
                str(Spread.of(list(values[row].values()))),
                "" if row == ranked[0] or difference is None else str(difference),
                f"{statistics.median(speed):,.0f}",
            ]
        )
    table = TableView(
        "compare",
        experiment.title,
        ["policy", measure, "more than the best", "rounds/s"],
        rows,
        note=f"{measure} ± sd over runs; difference at equal seeds [95 % interval]; median speed",
        best=0,
    )
    picture = curves(
        f"{measure}-curves",
        f"Cumulative {measure}, mean over runs; bands are one standard deviation.",
        {experiment.title: {row: list(runs[row].values()) for row in ranked}},
        measure=f"{measure}s",
    )
    return Section("compare", experiment.title, experiment.about, [table], [picture])
