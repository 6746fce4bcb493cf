"""What the sections share."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Any

from hybandit.experiments import Run
from hybandit.experiments.experiment import Experiment
from hybandit.reports.numbers import Spread

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


def lowest(rows: list[list[Spread | None]], column: int) -> int | None:
    """The row with the smallest mean in a column."""
    found = [(row[column], number) for number, row in enumerate(rows)]
    means = [(each.mean, number) for each, number in found if each is not None]
    return min(means)[1] if means else None
