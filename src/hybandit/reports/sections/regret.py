"""Regret on four data sets."""

from __future__ import annotations

from hybandit.experiments import Run
from hybandit.experiments.definitions.regret import DATA, ENCODINGS
from hybandit.experiments.experiment import Experiment
from hybandit.reports.figures import curves
from hybandit.reports.numbers import Spread
from hybandit.reports.page import Section
from hybandit.reports.sections.common import (
    NOTHING,
    differences,
    entry,
    groups,
    lowest_everywhere,
    published,
    spread,
)
from hybandit.reports.tables import TableView

OURS = "StackedHybrid"


def section(experiment: Experiment, results: dict[str, Run]) -> Section:
    tables = [_table(experiment, results, encoding) for encoding in ENCODINGS]
    panels = {f"{title}, standard": title for title in DATA}
    tables.append(differences(experiment, results, panels, reference=OURS, measure="regret"))
    picture = curves(
        "regret-curves",
        "Cumulative regret, standard encoding; mean over runs, bands are one sd.",
        groups(experiment, results, panels, experiment.rows),
        measure="regrets",
    )
    notes = [
        "The paper sets its own row beside baselines taken on the ordinal encoding; like for like, "
        "compare within one of the two tables. LinUCB here has the square root in the width, the "
        "published one has not. Published rows without ours await their policies."
    ]
    return Section("regret", experiment.title, experiment.about, tables, [picture], notes)


def _table(experiment: Experiment, results: dict[str, Run], encoding: str) -> TableView:
    printed = published()["regret"]
    # MNIST's pixels have no categories: its one encoding stands in both tables.
    places = {
        title: f"{title}, standard" if title == "MNIST" else f"{title}, {encoding}"
        for title in DATA
    }
    columns = ["policy"]
    for title in DATA:
        columns += [title, "published"]
    rows, found = [], []
    for row in experiment.rows:
        spreads = [spread(experiment, results, row, place, "regret") for place in places.values()]
        found.append(spreads)
        line = [row]
        for title, each in zip(DATA, spreads, strict=True):
            line += [entry(each), _printed(printed.get(row.split(",")[0], {}).get(title))]
        rows.append(line)
    for row in (name for name in printed if name not in {r.split(",")[0] for r in experiment.rows}):
        line = [row]
        for title in DATA:
            line += [NOTHING, _printed(printed[row][title])]
        rows.append(line)
    title = f"Regret, {encoding} encoding: mean ± sd"
    best = lowest_everywhere(found)
    return TableView(f"regret-{encoding}", title, columns, rows, best=best)


def _printed(value: list[float] | None) -> str:
    return NOTHING if value is None else str(Spread(value[0], value[1], 20))
