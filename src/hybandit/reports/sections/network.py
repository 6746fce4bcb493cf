"""Exploring a network."""

from __future__ import annotations

from hybandit.experiments import Run
from hybandit.experiments.experiment import Experiment
from hybandit.reports.figures import curves
from hybandit.reports.numbers import paired
from hybandit.reports.page import Section
from hybandit.reports.sections.common import NOTHING, entry, groups, spread, values
from hybandit.reports.tables import TableView

REFERENCE = "LNUCB-TA"


def section(experiment: Experiment, results: dict[str, Run]) -> Section:
    ours = values(experiment, results, REFERENCE, "AstroPh", "reward")
    rows = []
    for row in experiment.rows:
        theirs = values(experiment, results, row, "AstroPh", "reward")
        difference = None if row == REFERENCE else paired(theirs, ours)
        rows.append(
            [
                row,
                entry(spread(experiment, results, row, "AstroPh", "reward")),
                NOTHING if difference is None else str(difference),
                entry(spread(experiment, results, row, "AstroPh", "seconds")),
            ]
        )
    table = TableView(
        "network",
        "New nodes seen: mean ± sd over seeds",
        ["rule", "new nodes", f"more than {REFERENCE}", "seconds"],
        rows,
        note="Difference at equal seeds, with its 95 % interval.",
    )
    picture = curves(
        "network",
        "Nodes seen for the first time, by probe; bands are one sd over seeds.",
        groups(experiment, results, {"AstroPh": "AstroPh, 5 % seen at the start"}, experiment.rows),
        measure="rewards",
        x_label="probe",
        y_label="new nodes",
    )
    means = {
        row: found.mean
        for row in experiment.rows
        if (found := spread(experiment, results, row, "AstroPh", "reward"))
    }
    ranked = sorted(means, key=lambda row: means[row], reverse=True)
    notes = []
    if REFERENCE in ranked:
        place = ranked.index(REFERENCE) + 1
        notes = [
            f"The paper's figure has {REFERENCE} ahead of all. With our reading of what it leaves "
            f"open it comes number {place} of {len(ranked)}; {ranked[0]} saw most."
        ]
    return Section("network", experiment.title, experiment.about, [table], [picture], notes)
