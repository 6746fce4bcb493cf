"""Models a to d."""

from __future__ import annotations

import statistics

from hybandit.experiments import Run
from hybandit.experiments.experiment import Experiment
from hybandit.reports.figures import drawing, style_of
from hybandit.reports.numbers import Spread
from hybandit.reports.page import Section
from hybandit.reports.sections.common import NOTHING, measured, published
from hybandit.reports.tables import TableView

CONTEXTS = ("arm, raw", "shared, unit")


def section(experiment: Experiment, results: dict[str, Run]) -> Section:
    found = {
        (row, contexts): [
            measured(run, "mean reward")
            for cell in experiment.cells
            if cell.row == row and cell.column.startswith(contexts)
            for run in cell.runs(results).values()
        ]
        for row in experiment.rows
        for contexts in CONTEXTS
    }
    printed = published()["ablation"]
    rows = []
    for row in experiment.rows:
        mean, sd = printed[row[0]] if row[1] == ":" else (None, None)
        line = [row]
        for contexts in CONTEXTS:
            each = found[row, contexts]
            line += (
                [str(Spread.of(each)), f"{statistics.median(each):.2f}"] if each else [NOTHING] * 2
            )
        line.append(f"{_known(mean)} ± {_known(sd)}" if mean or sd else NOTHING)
        rows.append(line)
    table = TableView(
        "ablation",
        "Mean reward over all alphas and seeds",
        ["model", "arm: mean ± sd", "median", "shared: mean ± sd", "median", "published"],
        rows,
        note="The spread is over alphas and seeds: how little a model depends on alpha.",
    )
    caption = "Mean reward over alphas and seeds: median, quartiles and range."
    with drawing("ablation", caption, (7.2, 3.0)) as (figure, finished):
        for axis, contexts in zip(figure.subplots(1, 2, sharey=True), CONTEXTS, strict=True):
            boxes = axis.boxplot(
                [found[row, contexts] or [0.0] for row in experiment.rows],
                whis=(0, 100), patch_artist=True, medianprops={"color": "black"},
            )  # fmt: skip
            for number, patch in enumerate(boxes["boxes"]):
                patch.set_facecolor(style_of(number)["color"])
            names = [row.replace(" ", "\n") for row in experiment.rows]
            axis.set_xticklabels(names, fontsize=7)
            axis.set_title(f"contexts: {contexts}")
            axis.set_ylabel("mean reward")
    return Section("ablation", experiment.title, experiment.about, [table], finished)


def _known(value: float | None) -> str:
    return "?" if value is None else f"{value:.2f}"
