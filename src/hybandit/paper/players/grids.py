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
# By data set, encoding and label of the policy.
Tuned = Mapping[str, Mapping[str, Mapping[str, Settings]]]
_EXPLORATION: Grid = {"nu": (1.0, 0.1, 0.01)}
_NEURAL: Grid = {"lam": (1.0, 1e-1, 1e-2, 1e-3), "nu": (1e-1, 1e-2, 1e-3, 1e-4, 1e-5)}
# Kernel policies as published: what comes after the first 1,000 points is not learned.
FROZEN: Settings = {"lam": 1.0, "max_points": 1000, "beyond": "ignore"}
# By policy: the paper's, and more for the kernel policy that learns on; points beyond 1,000 would
# take hours.
GRIDS: dict[PolicySpec, Grid] = {
    PolicySpec("kernel-ucb"): {**_EXPLORATION, "lam": (1.0, 0.1), "max_points": (500, 1000)},
    PolicySpec("kernel-ucb", FROZEN): _EXPLORATION,
    PolicySpec("kernel-ts", FROZEN): _EXPLORATION,
    PolicySpec("neural-epsilon-greedy"): {"epsilon": (0.01, 0.05, 0.1)},
    PolicySpec("neural-ucb"): _NEURAL,
    PolicySpec("neural-ts"): _NEURAL,
}


def grid(policy: PolicySpec) -> list[PolicySpec]:
    """Every combination of the grid for a policy, added to the settings it has."""
    if policy not in GRIDS:
        known = [spec.label for spec in GRIDS]
        raise UnknownName(f"no grid is known for {policy.label!r}{suggestion(policy.label, known)}")
    names = GRIDS[policy]
    return [
        PolicySpec(policy.name, policy.settings | dict(zip(names, combination, strict=True)))
        for combination in product(*names.values())
    ]


@cache
def tuned_settings() -> Tuned:
    """What `hybandit reproduce tuning` found.

    ``python benchmarks/tuned_settings.py`` writes this file from the store of that command.
    """
    text = files("hybandit.paper.players").joinpath("tuned_settings.json").read_text()
    values: Tuned = json.loads(text)
    return values


def tuned(data: str, encoding: str, policy: PolicySpec) -> Settings | None:
    """What the search found for a policy on a data set, None if it was not searched."""
    found: Settings | None = tuned_settings().get(data, {}).get(encoding, {}).get(policy.label)
    return found
