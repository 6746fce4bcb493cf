"""What the sections share."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Any

from hybandit.experiments import Run
from hybandit.experiments.experiment import Experiment
from hybandit.reports.numbers import Spread, paired
from hybandit.reports.tables import TableView

NOTHING = "-"


@cache
def published() -> dict[str, Any]:
    """The paper's printed values."""
    text = files("hybandit.experiments").joinpath("published.json").read_text()
    values: dict[str, Any] = json.loads(text)
    return values


def measured(run: Run, measure: str) -> float:
    """One number of a run: regret, reward, mean reward or seconds."""
    if measure == "mean reward":
        return run.reward / run.rounds
    value = getattr(run, measure)
    return float("nan") if value is None else float(value)


def values(
    experiment: Experiment, results: dict[str, Run], row: str, column: str, measure: str
) -> dict[int, float]:
    """A cell's finished runs by seed."""
    cell = experiment.cell(row, column)
    runs = cell.runs(results) if cell else {}
    return {seed: measured(run, measure) for seed, run in runs.items()}


def spread(
    experiment: Experiment, results: dict[str, Run], row: str, column: str, measure: str
) -> Spread | None:
    """Mean and sd of a cell, None while nothing of it has finished."""
    found = list(values(experiment, results, row, column, measure).values())
    return Spread.of(found) if found else None


def entry(found: Spread | None) -> str:
    return NOTHING if found is None else str(found)


def groups(
    experiment: Experiment, results: dict[str, Run], columns: dict[str, str], rows: list[str]
) -> dict[str, dict[str, list[Run]]]:
    """Finished runs for `curves`: by the title of a column, then by row."""
    found: dict[str, dict[str, list[Run]]] = {}
    for column, title in columns.items():
        for row in rows:
            cell = experiment.cell(row, column)
            runs = list(cell.runs(results).values()) if cell else []
            if runs:
                found.setdefault(title, {})[row] = runs
    return found


def lowest_everywhere(rows: list[list[Spread | None]]) -> int | None:
    """The row with the smallest mean in every column, if there is one."""
    winners = set()
    for column in zip(*rows, strict=True):
        means = [(each.mean, number) for number, each in enumerate(column) if each is not None]
        if means:
            winners.add(min(means)[1])
    return winners.pop() if len(winners) == 1 else None


def differences(
    experiment: Experiment,
    results: dict[str, Run],
    columns: dict[str, str],
    *,
    reference: str,
    measure: str,
) -> TableView:
    """How much more than the reference every other row has, by pairs of equal seeds."""
    rows = []
    for row in experiment.rows:
        if row == reference:
            continue
        line = [row]
        for column in columns:
            ours = values(experiment, results, reference, column, measure)
            theirs = values(experiment, results, row, column, measure)
            found = paired(theirs, ours)
            line.append(NOTHING if found is None else str(found))
        rows.append(line)
    return TableView(
        f"{experiment.id}-differences",
        f"How much more {measure} than {reference}",
        ["policy", *columns.values()],
        rows,
        note="Mean of differences at equal seeds, with its 95 % confidence interval.",
    )
