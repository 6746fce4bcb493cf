"""Worlds that change."""

from __future__ import annotations

from hybandit.experiments import Run
from hybandit.experiments.experiment import Experiment
from hybandit.reports.figures import curves
from hybandit.reports.page import Section
from hybandit.reports.sections.common import differences, entry, groups, spread
from hybandit.reports.tables import TableView


def section(experiment: Experiment, results: dict[str, Run]) -> Section:
    rows = [
        [row, *(entry(spread(experiment, results, row, column, "regret"))
                for column in experiment.columns)]
        for row in experiment.rows
    ]  # fmt: skip
    table = TableView("drift", "Regret: mean ± sd", ["policy", *experiment.columns], rows)
    picture = curves(
        "drift",
        "Cumulative regret in worlds that stay (linear, hybrid) and that change (abrupt, slow).",
        groups(experiment, results, {each: each for each in experiment.columns}, experiment.rows),
        measure="regrets",
    )
    notes = [
        "The paper claims strength under rapidly changing reward structures: compare abrupt and "
        "slow with the worlds that stay. A rate that falls as 1 / pulls does not rise again when "
        "rewards change. Forgetting is not built yet."
    ]
    columns = {each: each for each in experiment.columns}
    reference = "LinUCB, alpha 0.1"
    tables = [
        table,
        differences(experiment, results, columns, reference=reference, measure="regret"),
    ]
    return Section("drift", experiment.title, experiment.about, tables, [picture], notes)
