"""How LNUCB-TA depends on k and kappa."""

from __future__ import annotations

from hybandit.experiments import Run
from hybandit.experiments.experiment import Experiment
from hybandit.reports.figures import drawing, style_of
from hybandit.reports.page import Section
from hybandit.reports.sections.common import entry, spread
from hybandit.reports.tables import TableView


def section(experiment: Experiment, results: dict[str, Run]) -> Section:
    rows = [
        [row, *(entry(spread(experiment, results, row, column, "mean reward"))
                for column in experiment.columns)]
        for row in experiment.rows
    ]  # fmt: skip
    table = TableView("stability", "Mean reward", ["neighbours", *experiment.columns], rows)
    caption = "Mean reward of LNUCB-TA over the range of k, for each kappa; bars are sd over seeds."
    with drawing("stability", caption, (5.4, 3.0)) as (figure, finished):
        axis = figure.subplots()
        for number, column in enumerate(experiment.columns):
            found = [
                (place + 0.1 * (number - 2), each)
                for place, row in enumerate(experiment.rows)
                if (each := spread(experiment, results, row, column, "mean reward"))
            ]
            axis.errorbar(
                [place for place, _ in found],
                [each.mean for _, each in found],
                yerr=[each.sd for _, each in found],
                fmt="o", markersize=3.5, capsize=2, label=column, color=style_of(number)["color"],
            )  # fmt: skip
        axis.set_xticks(range(len(experiment.rows)), experiment.rows)
        axis.set_ylabel("mean reward")
        axis.set_ylim(0.0, 1.0)
        axis.legend(ncols=3)
    return Section("stability", experiment.title, experiment.about, [table], finished)
