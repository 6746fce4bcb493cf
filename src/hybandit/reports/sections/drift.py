"""Worlds that change."""

from __future__ import annotations

import numpy as np

from hybandit.experiments import Run
from hybandit.experiments.definitions.drift import FORGETFUL, STAYING
from hybandit.experiments.experiment import Experiment
from hybandit.reports.figures import curves
from hybandit.reports.numbers import Spread, paired
from hybandit.reports.page import Section
from hybandit.reports.sections.common import NOTHING, differences, entry, groups, spread, values
from hybandit.reports.tables import TableView

SHARE = 0.9


def section(experiment: Experiment, results: dict[str, Run]) -> Section:
    rows = [
        [row, *(entry(spread(experiment, results, row, column, "regret"))
                for column in experiment.columns)]
        for row in experiment.rows
    ]  # fmt: skip
    table = TableView("drift", "Regret: mean ± sd", ["policy", *experiment.columns], rows)
    columns = {each: each for each in experiment.columns}
    picture = curves(
        "drift",
        "Cumulative regret in worlds that stay (linear, hybrid) and that change (abrupt, slow).",
        groups(
            experiment,
            results,
            {each: each for each in experiment.columns if each != "digits"},
            experiment.rows,
        ),
        measure="regrets",
    )
    notes = [
        "The paper claims strength under rapidly changing reward structures: compare abrupt and "
        "slow with the worlds that stay. A rate that falls as 1 / pulls does not rise again when "
        "rewards change, unless pulls are forgotten."
    ]
    tables = [
        table,
        _recovery(experiment, results),
        _price(experiment, results),
        differences(experiment, results, columns, reference="LinUCB, alpha 0.1", measure="regret"),
    ]
    return Section("drift", experiment.title, experiment.about, tables, [picture], notes)


def rounds_to_regain(run: Run) -> float:
    """Rounds from the change halfway until the reward rate is 90 % of what it was before.

    The rate before is that of the tenth of all rounds before the change, the rate after
    that of the last fortieth of all rounds. Infinite if the run ends first. To the nearest
    point of the stored curve.
    """
    at, sums = np.array([0, *run.at]), np.array([0.0, *run.rewards])
    half, window = run.rounds / 2, run.rounds / 40

    def earned(rounds: float) -> float:
        return float(np.interp(rounds, at, sums))

    former = (earned(half) - earned(half - run.rounds / 10)) / (run.rounds / 10)
    for point in at[at >= half + window]:
        if earned(point) - earned(point - window) >= SHARE * former * window:
            return float(point - half)
    return float("inf")


def _recovery(experiment: Experiment, results: dict[str, Run]) -> TableView:
    rows = []
    for row in experiment.rows:
        cell = experiment.cell(row, "abrupt")
        runs = cell.runs(results).values() if cell else ()
        found = [rounds_to_regain(run) for run in runs]
        done = [each for each in found if np.isfinite(each)]
        rows.append([row, entry(Spread.of(done) if done else None), f"{len(done)} of {len(found)}"])
    return TableView(
        "drift-recovery",
        f"abrupt: rounds until {SHARE:.0%} of the former reward rate",
        ["policy", "rounds", "runs that got there"],
        rows,
        note="Mean ± sd of the runs that got there before the end.",
    )


def _price(experiment: Experiment, results: dict[str, Run]) -> TableView:
    """What forgetting loses where nothing changes."""
    rows = []
    for row, forgetful in FORGETFUL.items():
        line = [row]
        for column in STAYING:
            plain = values(experiment, results, row, column, "reward")
            other = values(experiment, results, forgetful, column, "reward")
            lost = {seed: 100 * (1 - other[seed] / plain[seed]) for seed in plain if seed in other}
            found = paired(lost, dict.fromkeys(lost, 0.0))
            line.append(NOTHING if found is None else f"{found}")
        rows.append(line)
    return TableView(
        "drift-price",
        "Reward lost by forgetting where nothing changes, in %",
        ["policy", *STAYING],
        rows,
        note="Mean over equal seeds, with its 95 % confidence interval.",
    )
