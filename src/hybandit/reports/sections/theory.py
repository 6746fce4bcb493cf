"""The theorems, checked."""

from __future__ import annotations

from hybandit.experiments import Run
from hybandit.experiments.experiment import Experiment
from hybandit.reports.figures import drawing, style_of
from hybandit.reports.page import Section
from hybandit.reports.tables import TableView


def section(experiment: Experiment, results: dict[str, Run]) -> Section:
    found = {cell.row: list(cell.runs(results).values()) for cell in experiment.cells}
    rows = []
    ball, slope = found["confidence ball"], found["attention slope"]
    if ball:
        held = sum(run.extra["holds"] for run in ball)
        largest = max(run.extra["largest"] for run in ball)
        enough = held >= 0.95 * len(ball)
        rows.append(["the ball holds the true parameter in 95 % of simulations or more",
                     f"{held} of {len(ball)}", f"at most {largest:.2f} of the radius",
                     _word(enough)])  # fmt: skip
    for name in ("LinUCB", "LNUCB-TA"):
        runs = found[name]
        if runs:
            worst = max((run.regret or 0.0) / run.extra["bound"] for run in runs)
            steepest = max(run.extra["slope"] for run in runs)
            rows.append([f"{name}: regret under the bound", f"{len(runs)} runs",
                         f"at most {100 * worst:.1f} % of it", _word(worst <= 1.0)])  # fmt: skip
            rows.append([f"{name}: log-log slope of regret below 1", f"{len(runs)} runs",
                         f"at most {steepest:.2f}", _word(steepest < 1.0)])  # fmt: skip
    if slope:
        rows.append(["Theorem 2's slope equals a finite difference", "1,000 places",
                     f"off by {slope[0].extra['largest']:.1e} at most",
                     _word(bool(slope[0].extra["holds"]))])  # fmt: skip
    table = TableView("theory", "Checks", ["claim", "tried", "found", "holds"], rows, left=4)
    caption = "Cumulative regret on a linear problem, each run a line, and the bound (log-log)."
    with drawing("theory", caption, (5.4, 3.0)) as (figure, finished):
        axis = figure.subplots()
        for number, name in enumerate(("LinUCB", "LNUCB-TA")):
            for place, run in enumerate(found[name]):
                axis.loglog(run.at, run.regrets, alpha=0.7, label=None if place else name,
                            **style_of(number))  # fmt: skip
        bounds = [run for name in ("LinUCB", "LNUCB-TA") for run in found[name]]
        if bounds:
            axis.axhline(
                bounds[0].extra["bound"], color="black", linestyle=":", label="bound at the end"
            )
        axis.set_xlabel("round")
        axis.set_ylabel("cumulative regret")
        axis.legend()
    return Section("theory", experiment.title, experiment.about, [table], finished)


def _word(holds: bool) -> str:
    return "yes" if holds else "NO"
