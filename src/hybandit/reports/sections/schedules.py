"""What training less often costs."""

from __future__ import annotations

from hybandit.experiments import Run
from hybandit.experiments.experiment import Experiment
from hybandit.reports.page import Section
from hybandit.reports.sections.common import entry, spread
from hybandit.reports.tables import TableView


def section(experiment: Experiment, results: dict[str, Run]) -> Section:
    rows = []
    for row in experiment.rows:
        line = [row]
        for column in experiment.columns:
            line += [
                entry(spread(experiment, results, row, column, measure))
                for measure in ("regret", "seconds")
            ]
        rows.append(line)
    columns = ["policy, schedule"]
    for column in experiment.columns:
        columns += [f"{column}, regret", "seconds"]
    table = TableView("schedules", "Regret and run time: mean ± sd", columns, rows)
    notes = [
        "The step of the published code, 0.01, needs its hundred steps after every round; a "
        "schedule that trains fifty times less often must take longer steps."
    ]
    return Section("schedules", experiment.title, experiment.about, [table], notes=notes)
