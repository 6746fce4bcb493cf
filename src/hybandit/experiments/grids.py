"""Grids of settings to search, and the settings that were picked."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from itertools import product
from typing import Any

from hybandit.errors import UnknownName
from hybandit.experiments.experiment import Experiment
from hybandit.experiments.store import Run
from hybandit.experiments.tasks import PolicySpec, Settings
from hybandit.names import suggestion

Grid = dict[str, tuple[float, ...]]
_EXPLORATION: Grid = {"nu": (1.0, 0.1, 0.01)}
_NEURAL: Grid = {"lam": (1.0, 1e-1, 1e-2, 1e-3), "nu": (1e-1, 1e-2, 1e-3, 1e-4, 1e-5)}
# The paper's, by policy.
PAPER: dict[str, Grid] = {
    "kernel-ucb": _EXPLORATION,
    "kernel-ts": _EXPLORATION,
    "neural-epsilon-greedy": {"epsilon": (0.01, 0.05, 0.1)},
    "neural-ucb": _NEURAL,
    "neural-ts": _NEURAL,
}


def grid(policy: str) -> list[PolicySpec]:
    """Every combination of the paper's grid for a policy.

    Examples
    --------
    >>> [spec.label for spec in grid("kernel-ucb")]
    ['kernel-ucb:nu=1.0', 'kernel-ucb:nu=0.1', 'kernel-ucb:nu=0.01']
    """
    if policy not in PAPER:
        raise UnknownName(f"no grid is known for {policy!r}{suggestion(policy, PAPER)}")
    names = PAPER[policy]
    return [
        PolicySpec(policy, dict(zip(names, combination, strict=True)))
        for combination in product(*names.values())
    ]


def best_settings(
    experiment: Experiment, results: dict[str, Run]
) -> dict[str, dict[str, Settings]]:
    """By column and policy, the settings with the lowest mean regret; finished cells only."""
    found: dict[tuple[str, str], tuple[float, Settings]] = {}
    for cell in experiment.cells:
        runs = cell.runs(results)
        regrets = [run.regret for run in runs.values() if run.regret is not None]
        if len(regrets) < len(cell.tasks):
            continue
        spec = cell.tasks[0].policy
        mean = sum(regrets) / len(regrets)
        key = (cell.column, spec.name)
        if key not in found or mean < found[key][0]:
            found[key] = (mean, spec.settings)
    picked: dict[str, dict[str, Settings]] = {}
    for (column, policy), (_, settings) in found.items():
        picked.setdefault(column, {})[policy] = settings
    return picked


@cache
def picked() -> dict[str, dict[str, Settings]]:
    """What `hybandit reproduce tuning` picked, by column and policy.

    ``python benchmarks/picks.py`` writes this file from the store of that command.
    """
    text = files("hybandit.experiments").joinpath("picked.json").read_text()
    values: dict[str, Any] = json.loads(text)
    return values
