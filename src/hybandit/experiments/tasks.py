"""An experiment is data: environments x policies x seeds, each combination one task."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

from hybandit.experiments.environments import make_environment
from hybandit.experiments.players import find_player
from hybandit.experiments.specs import EnvironmentSpec, PolicySpec, canonical
from hybandit.policies import ArmPolicy, named_settings, policy_names


@dataclass(frozen=True)
class Task:
    """One run: a policy in an environment, with one seed for all randomness.

    Examples
    --------
    >>> task = Task(EnvironmentSpec("synthetic", {"kind": "linear"}), PolicySpec("ucb"), seed=3)
    >>> task.label
    'ucb in synthetic, seed 3'
    """

    environment: EnvironmentSpec
    policy: PolicySpec
    seed: int

    @cached_property
    def question(self) -> dict[str, Any]:
        """What is asked, with every default filled in and data by their checksum."""
        environment = make_environment(self.environment)
        player = find_player(self.policy.name)
        return {
            "environment": [self.environment.name, environment.identity()],
            "policy": [
                self.policy.name,
                player.resolved(self.policy.settings),
                *([player.source] if player.source else []),
            ],
            "seed": self.seed,
        }

    @cached_property
    def versions(self) -> dict[str, int]:
        """The results versions of what answers; a change of decisions raises one of them."""
        environment = make_environment(self.environment)
        player = find_player(self.policy.name)
        return {
            self.environment.name: environment.results_version,
            self.policy.name: player.results_version,
        }

    @cached_property
    def question_key(self) -> str:
        """The same for every results version."""
        return _digest(self.question)

    @cached_property
    def key(self) -> str:
        """What identifies the run in the store."""
        return _digest([self.question, self.versions])

    @property
    def text(self) -> str:
        return json.dumps(asdict(self), sort_keys=True)

    @property
    def label(self) -> str:
        """For people, in messages."""
        return f"{self.policy.label} in {self.environment.name}, seed {self.seed}"

    @classmethod
    def from_text(cls, text: str) -> Task:
        data = json.loads(text)
        environment = EnvironmentSpec(**data["environment"])
        return cls(environment, PolicySpec(**data["policy"]), data["seed"])

    @classmethod
    def stored(cls, text: str, key: str, question_key: str) -> Task:
        """A task as it was when its run was stored under this key."""
        task = cls.from_text(text)
        vars(task).update(key=key, question_key=question_key)
        return task


def parse_policy(text: str) -> PolicySpec:
    """Read ``name`` or ``name:setting=value,...``, the form of the command line.

    A policy of one's own is ``module:Class`` or ``module:Class:setting=value,...``. ``always:tea``
    always chooses tea, where a log is evaluated.

    Examples
    --------
    >>> parse_policy("lnucb-ta:alpha=10,target=reward")
    PolicySpec(name='lnucb-ta', settings={'alpha': 10, 'target': 'reward'})
    """
    if text.startswith("always:"):
        return PolicySpec("always", {"choice": text.removeprefix("always:")})
    name, settings = named_settings(text)
    player = find_player(name, policy_names(ArmPolicy))
    player.check(settings)
    return PolicySpec(player.name, settings)


def parse_policies(text: str) -> list[PolicySpec]:
    """Read several, separated by commas.

    Examples
    --------
    >>> [spec.label for spec in parse_policies("lin-ts:v=0.1,reg=2,ucb")]
    ['lin-ts:v=0.1,reg=2', 'ucb']
    """
    return [parse_policy(one) for one in separated(text)]


def separated(text: str) -> list[str]:
    """Several policies, as text each."""
    texts: list[str] = []
    for piece in text.split(","):
        # A piece such as reg=2 goes on with the policy before it.
        if "=" in piece and ":" not in piece and texts:
            texts[-1] += f",{piece}"
        else:
            texts.append(piece)
    return texts


def _digest(value: Any) -> str:
    return hashlib.sha256(canonical(value).encode()).hexdigest()
