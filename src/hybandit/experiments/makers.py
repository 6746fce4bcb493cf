"""Policies as people name them in Python: by name, as classes, or made already."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from copy import deepcopy
from functools import partial
from typing import Any

from hybandit.errors import InvalidInput
from hybandit.evaluation import Always, Logged
from hybandit.experiments.log_players import ALWAYS, LOGGED, always, item_policy_of, policy_of
from hybandit.experiments.players import UNCOUNTED
from hybandit.experiments.specs import PolicySpec
from hybandit.experiments.tasks import parse_policies
from hybandit.policies import ArmPolicy, ItemPolicy, Policy
from hybandit.validation.checks import sequence
from hybandit.validation.settings import settings_of

Wanted = str | type[Policy] | PolicySpec | Policy | Always | Logged
# From the numbers of arms and features, or of features of a context and an item, and a seed.
Maker = Callable[[int, int, int], Any]


def makers(
    policies: Wanted | Iterable[Wanted], *, items: bool = False
) -> list[tuple[PolicySpec, Maker]]:
    """What each policy is called, and a function that makes it from sizes and a seed."""
    one = isinstance(policies, (str, type, PolicySpec)) or not isinstance(policies, Iterable)
    wanted: list[Any] = [policies] if one else sequence("policies", policies)
    found = [maker for each in wanted for maker in _made_by(each, items)]
    if not found:
        raise InvalidInput("policies", "at least one", found)
    return found


def _made_by(wanted: Wanted, items: bool) -> list[tuple[PolicySpec, Maker]]:
    base: type[Policy] = ItemPolicy if items else ArmPolicy
    if isinstance(wanted, (Always, Logged)):
        spec = always(wanted.choice) if isinstance(wanted, Always) else PolicySpec(LOGGED)
        return [(spec, lambda *_: wanted)]
    if isinstance(wanted, base):
        return [(_spec_of(wanted), lambda *_: deepcopy(wanted))]
    if isinstance(wanted, type) and issubclass(wanted, base):
        return [(PolicySpec(wanted.name or wanted.__name__), partial(_sized, wanted))]
    if not isinstance(wanted, (str, PolicySpec)):
        of = "items" if items else "arms"
        raise InvalidInput("policies", f"names, classes or policies, all of {of}", wanted)
    specs = parse_policies(wanted) if isinstance(wanted, str) else [wanted]
    make: Callable[..., Policy] = item_policy_of if items else policy_of
    made: list[tuple[PolicySpec, Maker]] = []
    for spec in specs:
        if spec.name == ALWAYS:
            made += _made_by(Always(spec.settings["choice"]), items)
        else:
            make(spec, 2, 2, 0)
            made.append((spec, partial(make, spec)))
    return made


def _spec_of(policy: Policy) -> PolicySpec:
    """The name of a policy, with the settings that differ from their defaults."""
    settings = {
        entry.name: value
        for entry in settings_of(policy)
        if entry.kw_only
        and entry.name not in UNCOUNTED
        and (value := getattr(policy, entry.name)) != entry.default
    }
    return PolicySpec(policy.name or type(policy).__name__, settings)


def _sized(kind: Callable[..., Policy], first: int, second: int, seed: int) -> Policy:
    """An instance of a policy class, which may not take the number of features."""
    declared = [entry for entry in settings_of(kind) if not entry.kw_only]
    return kind(*(first, second)[: len(declared)], seed=seed)
