"""Regret on four data sets."""

from __future__ import annotations

import statistics

from hybandit.experiments import Run
from hybandit.experiments.definitions.regret import DATA, ENCODINGS, KERNEL, NEURAL, POLICIES
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
    values,
)
from hybandit.reports.tables import TableView

OURS = "StackedHybrid"
# Few enough for a picture to be read; the tables have all.
SHOWN = [
    "LinUCB, alpha 1",
    "LinTS, v sqrt(0.1)",
    "KernelUCB",
    "BootstrapNN",
    "NeuralUCB",
    "NeuralTS",
    "LNUCB-TA",
    OURS,
]
RIVALS = [row for row, policy in POLICIES.items() if policy.name in KERNEL + NEURAL]


def section(experiment: Experiment, results: dict[str, Run]) -> Section:
    tables = [_table(experiment, results, encoding) for encoding in ENCODINGS]
    panels = {f"{title}, standard": title for title in DATA}
    tables.append(differences(experiment, results, panels, reference=OURS, measure="regret"))
    picture = curves(
        "regret-curves",
        "Cumulative regret, standard encoding; mean over runs, bands are one sd.",
        groups(experiment, results, panels, SHOWN),
        measure="regrets",
    )
    notes = [
        "The paper sets its own row beside baselines taken on the ordinal encoding; like for like, "
        "compare within one of the two tables. LinUCB here has the square root in the width, the "
        "published one has not.",
        "Kernel and neural rivals run with the settings that the search on separate seeds picked "
        "for each data set; all other policies have one setting for all. The paper's baselines "
        "were tuned on the runs they are reported on.",
        *_beaten(experiment, results),
        _far_from_published(experiment, results),
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
    columns.append("runs")
    rows, found = [], []
    for row in experiment.rows:
        spreads = [spread(experiment, results, row, place, "regret") for place in places.values()]
        found.append(spreads)
        line = [row]
        for title, each in zip(DATA, spreads, strict=True):
            line += [entry(each), _printed(printed.get(row.split(",")[0], {}).get(title))]
        rows.append([*line, _runs(spreads)])
    title = f"Regret, {encoding} encoding: mean ± sd"
    best = lowest_everywhere(found)
    return TableView(f"regret-{encoding}", title, columns, rows, best=best)


def _printed(value: list[float] | None) -> str:
    return NOTHING if value is None else str(Spread(value[0], value[1], 20))


def _runs(spreads: list[Spread | None]) -> str:
    """How many runs each entry of a line stands for."""
    counts = {
        title: each.runs for title, each in zip(DATA, spreads, strict=True) if each is not None
    }
    if len(set(counts.values())) <= 1:
        return str(next(iter(counts.values()), NOTHING))
    usual = max(counts.values())
    others = ", ".join(f"{title} {count}" for title, count in counts.items() if count != usual)
    return f"{usual}; {others}"


def _beaten(experiment: Experiment, results: dict[str, Run]) -> list[str]:
    """Where a neural or kernel rival has less regret than one of ours, in plain words."""
    lines = []
    for ours in ("LNUCB-TA", OURS):
        found = []
        for column in experiment.columns:
            own = spread(experiment, results, ours, column, "regret")
            rivals = [
                row
                for row in RIVALS
                if (other := spread(experiment, results, row, column, "regret"))
                and own
                and other.mean < own.mean
            ]
            if rivals:
                found.append(f"{column} ({', '.join(rivals)})")
        verdict = "; ".join(found) if found else "nowhere"
        lines.append(f"A kernel or neural rival has lower mean regret than {ours}: {verdict}.")
    return lines


def _far_from_published(experiment: Experiment, results: dict[str, Run]) -> str:
    """Which kernel and neural rows are more than a tenth away from their published mean."""
    far = []
    for row in RIVALS:
        for title, (mean, _) in published()["regret"].get(row, {}).items():
            column = f"{title}, {'standard' if title == 'MNIST' else 'ordinal'}"
            ours = spread(experiment, results, row, column, "regret")
            if ours and abs(ours.mean / mean - 1.0) > 0.1:
                runs = values(experiment, results, row, column, "regret").values()
                middle = statistics.median(runs)
                far.append(f"{row} on {title} {ours.mean / mean - 1.0:+.0%} (median {middle:,.0f})")
    return (
        "More than 10 % from the published mean on its own encoding: "
        f"{'; '.join(far) if far else 'none'}. Category codes depend on the order of categories, "
        "which the published code takes from OpenML's files; on Mushroom, where all columns are "
        "categories, that moves the linear policies as well. A network that hardly explores may "
        "settle on one arm for good: a mean far above the median is made by such runs. Tried: "
        "steps of 0.01 to 2, with and without momentum; training oftener while data are few, "
        "which halved Mushroom's regret; ten runs of every setting in the search instead of "
        "three, which found settings that settle less."
    )
