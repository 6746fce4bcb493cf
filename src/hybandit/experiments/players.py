"""All players by name: the policies, and others that rooms above register."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from hybandit.environments.play import ItemPlayer as PlaysItems
from hybandit.environments.play import Player as PlaysArms
from hybandit.errors import HybanditError, InvalidInput, UnknownName
from hybandit.experiments.item_slots import Slots
from hybandit.experiments.specs import Settings
from hybandit.policies import ItemPolicy, Policy, find_policy, make_policy, policy_names
from hybandit.policies.base.plugins import is_reference, source_of
from hybandit.policies.base.registry import instead, no_policy
from hybandit.validation.settings import settings_of

# Settings that are not part of a task's key: the task has the seed, its environment the arms.
UNCOUNTED = ("seed", "arms")


@dataclass(frozen=True)
class PlayerSpec:
    """A name with the defaults of its settings, and functions that make it for each use."""

    name: str
    results_version: int
    defaults: Settings
    # The sha256 of the file that someone's own policy is written in.
    source: str | None = None
    policy: type[Policy] | None = None
    arms: Callable[..., PlaysArms] | None = None
    items: Callable[..., PlaysItems] | None = None

    def on_arms(self, n_arms: int, n_features: int, seed: int, settings: Settings) -> PlaysArms:
        """Make it for a choice among arms."""
        if self.arms is None:
            rule = (
                "one that chooses arms, as lin-ucb does; policies of items are compared in an "
                "environment of items, or judged on the journal of a loop or a .dsjson log"
            )
            raise InvalidInput("policies", rule, self.name)
        return self.arms(n_arms, n_features, **{"seed": seed, **settings})

    def on_items(self, n_context: int, n_item: int, seed: int, settings: Settings) -> PlaysItems:
        """Make it for a choice among items, by features and ids or as slots."""
        if self.items is None:
            raise InvalidInput("policies", "one that chooses among items", self.name)
        return self.items(n_context, n_item, **{"seed": seed, **settings})

    def resolved(self, settings: Settings) -> Settings:
        """These settings, and the defaults of all others."""
        for key in settings:
            if key not in (*self.defaults, *UNCOUNTED):
                known = [*self.defaults, *(UNCOUNTED if self.arms else ["seed"])]
                raise UnknownName(
                    f"{self.name} has no setting {key!r}{instead(self.policy, key, known)}"
                )
        return {**self.defaults, **settings}

    def check(self, settings: Settings) -> None:
        """Refuse settings that are unknown or break a rule."""
        self.resolved(settings)
        if self.arms is not None:
            self.on_arms(2, 2, 0, settings)
        elif self.items is not None:
            self.on_items(2, 2, 0, settings)


def find_player(name: str, offered: Sequence[str] = ()) -> PlayerSpec:
    """The player that goes by this name; an unknown one is told what is `offered`, or all names."""
    if name in _others:
        return _others[name]
    try:
        policy = find_policy(name)
    except UnknownName:
        if is_reference(name):
            raise
        raise no_policy(name, offered or [*policy_names(), *_others]) from None
    entries = [entry for entry in settings_of(policy) if entry.kw_only]
    defaults = {entry.name: entry.default for entry in entries if entry.name not in UNCOUNTED}

    make, own = partial(make_policy, name), is_reference(name)
    spec = partial(
        PlayerSpec,
        name if own else policy.name,
        policy.results_version,
        defaults,
        source_of(policy) if own else None,
        policy,
    )
    if issubclass(policy, ItemPolicy):
        return spec(items=make)

    def as_slots(n_context: int, n_item: int, **settings: Any) -> PlaysItems:
        return Slots(partial(make, **settings))

    return spec(arms=make, items=as_slots)


def register(player: PlayerSpec) -> None:
    """Register a player that is not a policy; policies register themselves."""
    if player.name in _others or player.name in policy_names():
        raise HybanditError(f"the name {player.name!r} is taken")
    _others[player.name] = player


def defaults_of(make: Callable[..., Any]) -> Settings:
    """The keyword settings of a class, with their defaults."""
    parameters = inspect.signature(make).parameters.values()
    return {
        parameter.name: parameter.default
        for parameter in parameters
        if parameter.default is not parameter.empty and parameter.name != "seed"
    }


_others: dict[str, PlayerSpec] = {}
