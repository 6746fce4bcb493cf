"""An experiment is data: worlds x policies x seeds, each combination one task."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass, field
from typing import Any

from hybandit.errors import InvalidInput, UnknownName
from hybandit.names import suggestion
from hybandit.policies import find_policy, make_policy
from hybandit.policies.settings import settings_of

Settings = dict[str, Any]


@dataclass(frozen=True)
class World:
    """Where the rounds come from: a kind (see `hybandit.experiments.worlds`) and settings."""

    kind: str
    settings: Settings = field(default_factory=dict)


@dataclass(frozen=True)
class PolicySpec:
    """Which policy, with which settings.

    Examples
    --------
    >>> PolicySpec.parse("lnucb-ta:alpha=10,target=reward")
    PolicySpec(name='lnucb-ta', settings={'alpha': 10, 'target': 'reward'})
    """

    name: str
    settings: Settings = field(default_factory=dict)

    @classmethod
    def parse(cls, text: str) -> PolicySpec:
        """Read ``name`` or ``name:setting=value,...``, the form of the command line."""
        name, _, rest = text.partition(":")
        known = {entry.name for entry in settings_of(find_policy(name)) if entry.kw_only}
        settings: Settings = {}
        for pair in rest.split(",") if rest else []:
            key, sign, value = pair.partition("=")
            if not sign:
                raise InvalidInput("policies", "written name:setting=value,...", text)
            if key not in known:
                raise UnknownName(f"{name} has no setting {key!r}{suggestion(key, known)}")
            settings[key] = _value(value)
        # Values break their rules here, before anything runs.
        make_policy(name, 2, 2, **settings)
        return cls(name, settings)

    @classmethod
    def parse_many(cls, text: str) -> list[PolicySpec]:
        """Read several, separated by commas.

        Examples
        --------
        >>> [spec.label for spec in PolicySpec.parse_many("lin-ts:v=0.1,reg=2,ucb")]
        ['lin-ts:v=0.1,reg=2', 'ucb']
        """
        texts: list[str] = []
        for piece in text.split(","):
            # A piece such as reg=2 goes on with the policy before it.
            if "=" in piece and ":" not in piece and texts:
                texts[-1] += f",{piece}"
            else:
                texts.append(piece)
        return [cls.parse(one) for one in texts]

    @property
    def label(self) -> str:
        """The form of the command line."""
        pairs = ",".join(f"{key}={value}" for key, value in self.settings.items())
        return f"{self.name}:{pairs}" if pairs else self.name


@dataclass(frozen=True)
class Task:
    """One run: a policy in a world, with one seed for all randomness."""

    world: World
    policy: PolicySpec
    seed: int

    @property
    def key(self) -> str:
        """What identifies the run in the store."""
        return hashlib.sha256(self.text.encode()).hexdigest()

    @property
    def text(self) -> str:
        return json.dumps(asdict(self), sort_keys=True)

    @classmethod
    def from_text(cls, text: str) -> Task:
        data = json.loads(text)
        return cls(World(**data["world"]), PolicySpec(**data["policy"]), data["seed"])


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        return {"True": True, "False": False, "None": None}.get(text, text)
