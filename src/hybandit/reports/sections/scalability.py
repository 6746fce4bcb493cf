"""Reward and run time by steps and k."""

from __future__ import annotations

from hybandit.experiments import Run
from hybandit.experiments.definitions.scalability import LARGEST_K
from hybandit.experiments.experiment import Experiment
from hybandit.reports.figures import drawing, style_of
from hybandit.reports.page import Section
from hybandit.reports.sections.common import NOTHING, entry, published, spread
from hybandit.reports.tables import TableView


def section(experiment: Experiment, results: dict[str, Run]) -> Section:
    printed = published()["matching"]
    tables = []
    for data in dict.fromkeys(column.split(",")[0] for column in experiment.columns):
        columns = [column for column in experiment.columns if column.startswith(data)]
        rows = []
        for row in experiment.rows:
            line = [row]
            for column in columns:
                steps = column.split(", ")[1].replace(",", "")
                model, *rest = row.split(", ")
                theirs = printed[model][rest[0]].get(steps) if len(rest) == 1 else None
                line.append(entry(spread(experiment, results, row, column, "reward")))
                line.append(entry(spread(experiment, results, row, column, "seconds")))
                line.append(f"{theirs[0]:,} / {theirs[1]:,.0f} s" if theirs else NOTHING)
            if any(reward != NOTHING for reward in line[1::3]):
                rows.append(line)
        heads = [
            head
            for column in columns
            for head in (f"{column.split(', ')[1]}: reward", "seconds", "published*")
        ]
        tables.append(
            TableView(
                f"scalability-{data}", f"The {data} stream", ["model, alpha", *heads], rows,
                note="* on the paper's article matching data, which this log does not hold.",
            )
        )  # fmt: skip
    caption = "Run time on the digits stream by the largest k, alpha 1; one line for each length."
    with drawing("scalability", caption, (6.2, 3.0)) as (figure, finished):
        axis = figure.subplots()
        number = 0
        for column in (each for each in experiment.columns if each.startswith("digits")):
            for model in ("(Lin+k-NN)-UCB", "LNUCB-TA"):
                labels = [f"{model}, 1" if k == 5 else f"{model}, 1, k to {k}" for k in LARGEST_K]
                times = [spread(experiment, results, row, column, "seconds") for row in labels]
                places = [(k, t.mean) for k, t in zip(LARGEST_K, times, strict=True) if t]
                axis.plot(
                    [k for k, _ in places], [t for _, t in places], marker="o", markersize=3,
                    label=f"{model}, {column.split(', ')[1]} steps", **style_of(number),
                )  # fmt: skip
                number += 1
        axis.set_xlabel("largest k")
        axis.set_ylabel("seconds")
        axis.set_ylim(bottom=0.0)
        figure.legend(loc="outside right center")
    return Section("scalability", experiment.title, experiment.about, tables, finished)
