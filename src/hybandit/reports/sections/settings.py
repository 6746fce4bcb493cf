"""Models over their settings: the parameter and the enhanced table."""

from __future__ import annotations

from dataclasses import dataclass

from hybandit.experiments import Run
from hybandit.experiments.definitions.enhanced import BASES
from hybandit.experiments.experiment import Cell, Experiment
from hybandit.reports.figures import COLOURS, Picture, drawing
from hybandit.reports.numbers import Spread, paired
from hybandit.reports.page import Section
from hybandit.reports.sections.common import NOTHING, measured, published
from hybandit.reports.tables import TableView

PICKED = (
    "Each model's best setting is picked on the very runs that are reported, as the paper does; "
    "that flatters every row alike."
)


def parameters_section(experiment: Experiment, results: dict[str, Run]) -> Section:
    best = {row: best_setting(experiment, results, row) for row in experiment.rows}
    reference = best.get("LNUCB-TA")
    printed = published()["parameters"]
    rows = []
    for row, found in best.items():
        setting, reward = printed[row]
        gain = NOTHING if row == "LNUCB-TA" else _gain(reference, found)
        rows.append([row, *_entries(found), gain, setting, str(reward)])
    table = TableView(
        "parameters",
        "Best of six settings: clicks in 800 matches",
        [
            "model",
            "best",
            "clicks",
            "mean reward",
            "LNUCB-TA's gain, in clicks [95 %]",
            "published best",
            "clicks",
        ],
        rows,
        note=PICKED,
    )
    picture = _bars(experiment, results, "parameters")
    return Section("parameters", experiment.title, experiment.about, [table], [picture])


def enhanced_section(experiment: Experiment, results: dict[str, Run]) -> Section:
    printed = published()["enhanced"]
    rows = []
    for base, name in BASES.items():
        plain, better = (best_setting(experiment, results, each) for each in (base, name))
        gain = _gain(better, plain)
        setting, reward = printed[name]
        rows.append([base, *_entries(plain)[:2], *_entries(better)[:2], gain, setting, str(reward)])
    table = TableView(
        "enhanced",
        "Base and enhanced, each at its best setting: clicks in 800 matches",
        [
            "base",
            "best",
            "clicks",
            "enhanced best",
            "clicks",
            "gain, in clicks [95 %]",
            "published best",
            "clicks",
        ],
        rows,
        note=PICKED,
    )
    picture = _bars(experiment, results, "enhanced")
    return Section("enhanced", experiment.title, experiment.about, [table], [picture])


@dataclass(frozen=True)
class Best:
    """A model at the setting with the largest mean reward."""

    setting: str
    rewards: dict[int, float]

    @property
    def spread(self) -> Spread:
        return Spread.of(list(self.rewards.values()))


def best_setting(experiment: Experiment, results: dict[str, Run], row: str) -> Best | None:
    found = [
        Best(_setting(cell), {seed: run.reward for seed, run in runs.items()})
        for cell in experiment.cells
        if cell.row == row and (runs := cell.runs(results))
    ]
    return max(found, key=lambda best: best.spread.mean, default=None)


def _gain(better: Best | None, plain: Best | None) -> str:
    """In percent, and in clicks at equal seeds with a 95 % interval where both have seeds."""
    if better is None or plain is None:
        return NOTHING
    percent = f"{100 * (better.spread.mean / plain.spread.mean - 1):+.0f} %"
    clicks = paired(better.rewards, plain.rewards)
    return percent if clicks is None else f"{percent}, {clicks}"


def _setting(cell: Cell) -> str:
    shown = {
        key: value
        for key, value in cell.tasks[0].policy.settings.items()
        if key not in ("ties", "max_k")
    }
    return ", ".join(f"{value:g}" for value in shown.values())


def _entries(found: Best | None) -> list[str]:
    if found is None:
        return [NOTHING, NOTHING, NOTHING]
    return [found.setting, str(found.spread), f"{found.spread.mean / 800:.2f}"]


def _bars(experiment: Experiment, results: dict[str, Run], name: str) -> Picture:
    """One panel for each model, one bar for each setting."""
    caption = "Clicks in 800 matches at each setting; lines are one sd over seeds."
    count = len(experiment.rows)
    across = 3
    down = -(-count // across)
    with drawing(name, caption, (7.2, 1.9 * down)) as (figure, finished):
        axes = figure.subplots(down, across, sharey=True, squeeze=False).ravel()
        for number, (axis, row) in enumerate(zip(axes, experiment.rows, strict=False)):
            cells = [cell for cell in experiment.cells if cell.row == row and cell.runs(results)]
            spreads = [
                Spread.of([measured(run, "reward") for run in cell.runs(results).values()])
                for cell in cells
            ]
            axis.bar(
                [_setting(cell) for cell in cells],
                [each.mean for each in spreads],
                yerr=[each.sd for each in spreads],
                color=COLOURS[1],
            )
            axis.set_title(row)
            axis.tick_params(axis="x", labelsize=7, rotation=30)
            axis.set_ylim(0, 800)
            if number % across == 0:
                axis.set_ylabel("clicks")
        for axis in axes[count:]:
            axis.set_visible(False)
    return finished[0]
