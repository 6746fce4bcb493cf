"""Grids of settings to search, and the settings that a search found."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from itertools import product

from hybandit.errors import UnknownName
from hybandit.experiments.specs import PolicySpec, Settings
from hybandit.names import suggestion

Grid = dict[str, tuple[float, ...]]
# By data set, encoding and policy.
Tuned = Mapping[str, Mapping[str, Mapping[str, Settings]]]
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


@cache
def tuned_settings() -> Tuned:
    """What `hybandit reproduce tuning` found.

    ``python benchmarks/tuned_settings.py`` writes this file from the store of that command.
    """
    text = files("hybandit.experiments").joinpath("tuned_settings.json").read_text()
    values: Tuned = json.loads(text)
    return values


def tuned(data: str, encoding: str, policy: str) -> Settings | None:
    """What the search found for a policy on a data set, None if it was not searched."""
    found: Settings | None = tuned_settings().get(data, {}).get(encoding, {}).get(policy)
    return found
