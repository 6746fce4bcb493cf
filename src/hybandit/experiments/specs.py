"""Names with settings: which policy plays, and what it plays in."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from hybandit.policies import named_text

Settings = dict[str, Any]


def canonical(value: Any) -> str:
    """JSON in which equal values give equal text."""
    return json.dumps(_normal(value), sort_keys=True)


def _normal(value: Any) -> Any:
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and math.isfinite(value) and value.is_integer():
        return int(value)
    if isinstance(value, dict):
        return {str(key): _normal(entry) for key, entry in value.items()}
    if isinstance(value, (list, tuple)):
        return [_normal(entry) for entry in value]
    return value


@dataclass(frozen=True)
class EnvironmentSpec:
    """An environment by name (see `hybandit.experiments.environments`), with settings.

    Examples
    --------
    >>> EnvironmentSpec("synthetic", {"kind": "linear", "rounds": 100}).name
    'synthetic'
    """

    name: str
    settings: Settings = field(default_factory=dict)

    def __hash__(self) -> int:
        return hash((self.name, canonical(self.settings)))


@dataclass(frozen=True)
class PolicySpec:
    """Which policy, or other player (`hybandit.experiments.players`), with which settings.

    Examples
    --------
    >>> PolicySpec("lnucb-ta", {"alpha": 10}).label
    'lnucb-ta:alpha=10'
    """

    name: str
    settings: Settings = field(default_factory=dict)

    def __hash__(self) -> int:
        return hash((self.name, canonical(self.settings)))

    def __str__(self) -> str:
        return self.label

    @property
    def label(self) -> str:
        """The form of the command line."""
        if set(self.settings) == {"choice"}:
            return f"{self.name}:{self.settings['choice']}"
        return named_text(self.name, self.settings)
